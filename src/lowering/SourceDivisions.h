// SPDX-License-Identifier: Apache-2.0
//
// Remainders that clang has found a mask for, where nvcc does not: by a variable that is a power of
// two because a loop doubles it.
//
//   for (unsigned s = 1; s < n; s *= 2)         %mask = add i32 %twoS, -1     ; at the place of %
//     if (i % (2 * s) == 0)               ==>   %rest = and i32 %i, %mask     ; at the place of %
//
// Both instructions have the place of the operator, which tells them from `i & (2 * s - 1)`. The
// `and` is marked, so that it counts as the division that a GPU runs. nvcc 13.0 keeps such a
// remainder, and makes a mask or a shift of those by `1u << n` or by a choice of two constants, as
// clang does.
#pragma once

#include <llvm/IR/Module.h>

namespace heddle::lowering {

/// For modules that clang made, and before passes move instructions. Without debug information
/// nothing is marked.
void markDivisions(llvm::Module& module);

/// Whether an instruction divides: as one, or marked as one.
bool isDivision(const llvm::Instruction& instruction);

} // namespace heddle::lowering
