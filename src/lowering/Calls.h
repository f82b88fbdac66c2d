// SPDX-License-Identifier: Apache-2.0
//
// Which calls of the IR stay calls in machine code: the one rule for the account, for time and for
// registers.
#pragma once

#include <llvm/IR/Instruction.h>

namespace heddle::lowering {

inline constexpr int lengthOfCall = 8; ///< machine instructions: arguments, jump, frame, return

/// An intrinsic, or a function of CUDA's math library.
bool isBuiltinCall(const llvm::Instruction& instruction);

/// Whether it calls a function of the device math library, whose code takes the call's place.
bool isMathCall(const llvm::Instruction& instruction);

/// Whether it is a call that stays one in machine code.
bool isMachineCall(const llvm::Instruction& instruction);

} // namespace heddle::lowering
