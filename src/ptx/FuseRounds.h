// SPDX-License-Identifier: Apache-2.0
//
// Sums of a loop that ptxas unrolled so that copies of them differ: those of some rounds have taken
// in a product, perhaps one of the round before (LoopCopies.h says which rounds).
//
//   x = a * b                           first round: s + x
//   loop: s = s + x;  x = c * d         others: fma(c, d, s), with c and d of the round before
#pragma once

#include "ptx/FusableOperation.h"
#include "ptx/FuseProducts.h"
#include "ptx/LoopCopies.h"

#include <functional>
#include <memory>

namespace heddle::ptx {

class RoundFusion {
public:
  /// The sum or product that a value is; nullptr for others.
  using Find = std::function<FusableOperation*(const llvm::Value*)>;

  RoundFusion(llvm::Function& function, Find find) : function_(function), find_(std::move(find)) {}

  /// Returns whether a sum is one of them, and is fused so.
  bool fuse(FusableOperation& sum, const MachineArithmetic& known);

private:
  /// A product of the round before: what a sum adds is chosen where a round begins.
  struct Carried {
    llvm::PHINode* choice = nullptr;
    FusableOperation *first = nullptr,
                     *next = nullptr; ///< of the first round, if any; of all others
    unsigned signs = 0, firstSigns = 0, nextSigns = 0;
  };

  std::optional<Carried> carried(const FusableOperation& sum, unsigned index) const;
  llvm::Value* carriedFactor(const Carried& product, unsigned index) const;

  llvm::Function& function_;
  Find find_;
  std::unique_ptr<LoopCopies> copies_; ///< when it was asked for
};

/// The product that an operand of a sum is, with or without its sign.
FusableOperation* productOf(const FusableOperation& sum, unsigned index,
                            const RoundFusion::Find& find);

} // namespace heddle::ptx
