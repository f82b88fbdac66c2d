// SPDX-License-Identifier: Apache-2.0
//
// Which instructions become one with another: the one rule for the account, for the steps that are
// timed and for the registers of unrolled loops.
#pragma once

#include <llvm/IR/Instruction.h>

namespace heddle::lowering {

/// The multiplication that becomes one instruction with this addition, or nothing.
const llvm::Instruction* fusedProduct(const llvm::Instruction& sum);

/// Whether it is one that an addition takes in.
bool isFusedProduct(const llvm::Instruction& product);

/// The operand that an instruction becomes one with: a fused product, or of 32-bit integers one of
/// two logic operations (LOP3), two sums (IADD3), a product (IMAD) or a shift (LEA) and a sum.
/// Steps that are timed have only the products fused: they are one for each operation of integers.
const llvm::Instruction* absorbed(const llvm::Instruction& instruction);

/// Whether an instruction becomes one with the one that uses it.
bool isAbsorbed(const llvm::Instruction& instruction);

/// And, or, exclusive or.
bool isLogic(const llvm::Value& value);

/// The instruction that a value is used in, if it is used once, in its own block.
const llvm::Instruction* onlyUser(const llvm::Instruction& instruction);

} // namespace heddle::lowering
