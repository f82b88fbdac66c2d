// SPDX-License-Identifier: Apache-2.0
//
// ptxas makes one instruction of a product and a sum where PTX allows it: `mul`, `add` and `sub`
// without a rounding mode. That rounds once and not twice, so the result has other bits.
//
//   %x = fmul float %a, %b
//   %z = fsub float %c, %x       ==>      %z = llvm.fma.f32(-%a, %b, %c)
//
// What it did is known where machine code is at hand. Elsewhere this is its rule, read from what
// ptxas of CUDA 13.0 makes of shapes, for sm_75 to sm_120, from -O1 on. Code is cut into pieces by
// branches, and by what ptxas makes branches of: divisions, roots, calls, fences. In a piece:
//
//   1. A product can go into a sum if all that use it are sums of its type in this piece, of which
//      none has taken in another product. Signs and moves are no uses; x + x takes nothing.
//   2. Sums in their order take a product that is used once, the first operand before the second.
//      (Not in pairs of halves.)
//   3. Sums in their order that have none take the one with the fewest uses, the first of equals.
//
//   x = a*b; y = c*d; z = x - y       fma(a, b, -y)        two products: the first
//   ...; z = x - y; w = x + e         fma(-c, d, x)        the one that is used once
//   x = a*b; z = x + c; w = x + d     fma twice            no product is left
//   x = a*b; z = x + c; w = max(x, d) no fma               there is one anyway
//
// Where ptxas has unrolled a loop, copies of a sum may differ: one takes in a product of the copy
// before it, the first of them cannot. Which copy a round runs is known (LoopCopies.h).
//
// Besides, a float product that is used once, by a product with 1/8, 1/4, 1/2, 2, 4 or 8, becomes
// one instruction with it: the machine's FMUL can scale, here as `heddle.ptx.mul.d2.f(a, b)`. It
// differs where the inner product is too large, or too small to be normal.
#pragma once

#include "ptx/Form.h"

#include <llvm/IR/Module.h>

#include <cstdint>
#include <map>
#include <vector>

namespace heddle::ptx {

/// A sum of machine code.
struct MachineSum {
  bool fuses = false;  ///< a product, too
  bool isLoop = false; ///< in a loop that has not all sums of its line
  bool hasPredicate = false;
};

/// Which arithmetic the machine code of a line of PTX has.
struct MachineArithmetic {
  bool adds = false;  ///< a sum
  bool fuses = false; ///< a fused product and sum
  bool multiplies = false;
  bool scales = false;               ///< a product times a power of two
  std::vector<MachineSum> sums = {}; ///< all of them, as they stand
};
using ArithmeticOfLines = std::map<std::uint32_t, MachineArithmetic>;

/// A sum or product that an instruction of PTX became. Where that has no rounding mode, it is
/// marked as one that may be fused.
llvm::Value* fusable(const Form& form, llvm::Value* made);

/// Takes the marks away.
void forbidFusion(llvm::Module& module);

/// An attribute of kernels in which machine code leaves something open, be it in a function that
/// they may call: which product went into which sum, or which of two NaNs is the result. Their
/// results may have other bits on a GPU.
inline constexpr const char* roundsOtherwise = "heddle-rounds-otherwise";

/// Gives it to a kernel, or to all of them for a function that they may call.
void leaveOpen(llvm::Function& function);

/// Fuses, and takes the marks away. Must stand in front of what changes blocks. `machine` says what
/// is known; the rule says the rest.
void fuseProducts(llvm::Module& module, const ArithmeticOfLines& machine = {});

} // namespace heddle::ptx
