// SPDX-License-Identifier: Apache-2.0
#include "ptx/FuseRounds.h"

namespace heddle::ptx {

using namespace llvm;

FusableOperation* productOf(const FusableOperation& sum, unsigned index,
                            const RoundFusion::Find& find) {
  unsigned signs = 0;
  FusableOperation* found = find(behindSigns(sum.operand(index), sum, signs));
  return found != nullptr && !found->isSum() && found->isLike(sum) ? found : nullptr;
}

std::optional<RoundFusion::Carried> RoundFusion::carried(const FusableOperation& sum,
                                                         unsigned index) const {
  Carried made;
  made.choice = dyn_cast<PHINode>(behindSigns(sum.operand(index), sum, made.signs));
  const Loop* loop = copies_->loopOf(*sum.at);
  if (made.choice == nullptr || made.choice->getParent() != loop->getHeader() ||
      made.choice->getNumIncomingValues() != 2)
    return {};
  for (const unsigned i : {0u, 1u}) {
    const bool isNext = loop->contains(made.choice->getIncomingBlock(i));
    unsigned& signs = isNext ? made.nextSigns : made.firstSigns;
    FusableOperation* found = find_(behindSigns(made.choice->getIncomingValue(i), sum, signs));
    if (found != nullptr && !found->isSum() && found->isLike(sum))
      (isNext ? made.next : made.first) = found;
  }
  return made.next == nullptr ? std::nullopt : std::optional(made);
}

/// A factor of the product that is carried into this round.
Value* RoundFusion::carriedFactor(const Carried& product, unsigned index) const {
  IRBuilder<> builder(product.choice);
  Type* type = product.next->operand(index)->getType();
  PHINode* made = builder.CreatePHI(type, 2);
  const Loop* loop = copies_->loopOf(*product.choice);
  for (BasicBlock* from : product.choice->blocks()) {
    const bool isNext = loop->contains(from);
    const FusableOperation* source = isNext ? product.next : product.first;
    Value* factor = source == nullptr ? PoisonValue::get(type) : source->operand(index);
    builder.SetInsertPoint(from->getTerminator());
    if (source != nullptr && index == 0 &&
        (isNext ? product.nextSigns : product.firstSigns) % 2 != 0)
      factor = builder.CreateFNeg(factor);
    made->addIncoming(factor, from);
  }
  return made;
}

bool RoundFusion::fuse(FusableOperation& sum, const MachineArithmetic& known) {
  if (sum.isSmall() || !known.adds || !known.fuses)
    return false;
  if (copies_ == nullptr)
    copies_ = std::make_unique<LoopCopies>(function_);
  if (copies_->loopOf(*sum.at) == nullptr)
    return false;
  std::optional<unsigned> index;
  std::optional<Carried> before;
  for (const unsigned i : {0u, 1u}) {
    const FusableOperation* here = productOf(sum, i, find_);
    auto earlier = here == nullptr ? carried(sum, i) : std::nullopt;
    if (here == nullptr && !earlier)
      continue;
    if (index) // two products: nobody says which
      return false;
    index = i;
    before = earlier;
  }
  if (!index || (before && before->first == nullptr && known.sums.front().fuses))
    return false;
  Value* isFused = copies_->isFused(*sum.at, known.sums);
  if (isFused == nullptr)
    return false;
  unsigned signs = 0;
  Value* taken = behindSigns(sum.operand(*index), sum, signs);
  Value* factors[2];
  for (const unsigned i : {0u, 1u})
    factors[i] = before ? carriedFactor(*before, i) : find_(taken)->operand(i);
  IRBuilder<> builder(sum.at->getNextNode());
  Value* fused = fusedSum(builder, sum, *index, signs, factors);
  sum.fused.reset();
  auto* chosen = cast<llvm::Instruction>(builder.CreateSelect(isFused, fused, sum.at));
  sum.at->replaceUsesWithIf(chosen, [&](const Use& use) { return use.getUser() != chosen; });
  return true;
}

} // namespace heddle::ptx
