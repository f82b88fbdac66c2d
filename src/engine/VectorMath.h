// SPDX-License-Identifier: Apache-2.0
//
// Device math that is cheap over a whole warp: integer functions, bit casts, conversions and
// arithmetic in all rounding modes, and the simple functions of floating point, as vector IR.
// What is not here is called lane by lane (ScalarMath.h).
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <vector>

namespace heddle::engine {

/// The value of a libdevice function (`__nv_popc`) or an nvvm intrinsic (`llvm.nvvm.mulhi.i`) for
/// all lanes: `operands` are vectors of one length and `result` is one too, or all are scalars.
/// Null where the function is not known here. Results are those of a GPU to the bit, NaN payloads
/// aside.
llvm::Value* buildVectorMath(llvm::IRBuilder<>& builder, llvm::StringRef name,
                             llvm::ArrayRef<llvm::Value*> operands, llvm::Type* result);

/// The names in order, without those that only add `.ftz` to another.
std::vector<llvm::StringRef> vectorMathNames();

} // namespace heddle::engine
