// SPDX-License-Identifier: Apache-2.0
//
// Sums and products that may be fused, as FuseProducts.h says it, and what is made of them.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <optional>

namespace heddle::ptx {

inline constexpr llvm::StringLiteral mayFuseName = "heddle.fuse";

enum class SumKind : std::uint8_t { Sum, Difference, Product };

/// A sum or product that may be fused.
struct FusableOperation {
  llvm::Instruction* at = nullptr;
  SumKind kind = SumKind::Product;
  llvm::StringRef type; ///< f32, f64, f16, bf16x2, ...
  bool flushes = false, saturates = false;
  std::uint32_t line = 0;
  unsigned piece = 0;
  bool isAnywhere = false;       ///< of a product: sums of other pieces may take it in, too
  std::optional<unsigned> fused; ///< of a sum: the operand that it takes in

  llvm::Value* operand(unsigned index) const { return at->getOperand(index); }
  bool isSum() const { return kind != SumKind::Product; }
  bool isPair() const { return type.ends_with("x2"); }
  bool isSmall() const { return at->getType()->isIntegerTy(); }
  bool isLike(const FusableOperation& other) const {
    return type == other.type && flushes == other.flushes;
  }
};

/// The name of the function that a value is a call to; empty where it is none.
llvm::StringRef calledName(const llvm::Value* value);

std::optional<SumKind> sumKindNamed(llvm::StringRef name);

/// Nothing where an instruction has no mark.
std::optional<FusableOperation> fusableOperation(llvm::Instruction& instruction);

/// What ptxas makes a part of the instruction that uses it. `signs` counts changes of sign.
bool isSignOrMove(const llvm::Value* value, const FusableOperation& user, unsigned& signs);
llvm::Value* behindSigns(llvm::Value* value, const FusableOperation& user, unsigned& signs);

/// A sum with a product in place of an operand that had so many changes of sign.
llvm::Value* fusedSum(llvm::IRBuilder<>& builder, const FusableOperation& sum, unsigned index,
                      unsigned signs, llvm::ArrayRef<llvm::Value*> factors);

} // namespace heddle::ptx
