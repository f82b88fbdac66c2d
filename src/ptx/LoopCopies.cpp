// SPDX-License-Identifier: Apache-2.0
#include "ptx/LoopCopies.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <algorithm>
#include <optional>

namespace heddle::ptx {

using namespace llvm;

namespace {

constexpr std::size_t mostCopies = 64; ///< bits of a mask

} // namespace

LoopCopies::LoopCopies(llvm::Function& function)
    : function_(function), dominators_(function), loops_(dominators_),
      assumptions_(std::make_unique<AssumptionCache>(function)),
      knownFunctions_(
          std::make_unique<TargetLibraryInfoImpl>(Triple(function.getParent()->getTargetTriple()))),
      functions_(std::make_unique<TargetLibraryInfo>(*knownFunctions_)),
      evolution_(std::make_unique<ScalarEvolution>(function, *functions_, *assumptions_,
                                                   dominators_, loops_)) {}

LoopCopies::~LoopCopies() = default;

const Loop* LoopCopies::loopOf(const llvm::Instruction& at) const {
  return loops_.getLoopFor(at.getParent());
}

Value* LoopCopies::isFused(llvm::Instruction& sum, const std::vector<MachineSum>& copies) {
  if (loopOf(sum) == nullptr || copies.size() > mostCopies)
    return nullptr;
  const auto isLoop = [](const MachineSum& copy) { return copy.isLoop; };
  const auto first = std::ranges::find_if(copies, isLoop);
  const auto last = std::find_if_not(first, copies.end(), isLoop);
  if (std::any_of(last, copies.end(), isLoop))
    return nullptr;
  const bool isOnlyForNone = first - copies.begin() == 1 && copies.front().hasPredicate &&
                             first != copies.end() && last != copies.end();
  if (isOnlyForNone)
    return isFused(sum, {copies.begin() + 1, copies.end()});
  const Form form{unsigned(first - copies.begin()), unsigned(last - first),
                  unsigned(copies.end() - last)};
  Value* copy = copyOfRound(sum, form);
  if (copy == nullptr)
    return nullptr;
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < copies.size(); ++i)
    mask |= std::uint64_t{copies[i].fuses} << i;
  IRBuilder<> builder(&sum);
  Value* bit =
      builder.CreateLShr(builder.getInt64(mask), builder.CreateZExt(copy, builder.getInt64Ty()));
  return builder.CreateTrunc(bit, builder.getInt1Ty(), "isFused");
}

/// The number of a copy.
Value* LoopCopies::copyOfRound(llvm::Instruction& sum, const Form& form) {
  const Loop& loop = *loopOf(sum);
  IRBuilder<> builder(&sum);
  const auto number = [&](unsigned value) { return builder.getInt32(value); };
  if (form.inLoop == 0) {
    const unsigned rounds = evolution_->getSmallConstantTripCount(&loop);
    const BasicBlock* exit = loop.getExitingBlock();
    if (rounds == 0 || exit == nullptr)
      return nullptr;
    const bool isInLast = dominators_.dominates(sum.getParent(), exit);
    const unsigned all = form.before, runs = isInLast ? rounds : rounds - 1;
    const bool isEach = runs == all;
    if (!isEach && runs % all != 0)
      return nullptr;
    Value* round = roundOf(loop);
    return isEach ? builder.CreateBinaryIntrinsic(Intrinsic::umin, round, number(all - 1))
                  : builder.CreateURem(round, number(all));
  }
  if (form.before > 1 || (form.behind != 0 && form.behind != form.inLoop - 1) || form.inLoop > 4 ||
      form.inLoop == 3)
    return nullptr;
  Value* rounds = form.behind == 0 ? nullptr : roundsOf(loop);
  if (form.behind != 0 && rounds == nullptr)
    return nullptr;
  Value* round = roundOf(loop);
  Value* isBefore = builder.CreateICmpULT(round, number(form.before));
  Value* behindFirst = builder.CreateSub(round, number(form.before));
  Value* place = builder.CreateURem(behindFirst, number(form.inLoop));
  if (form.behind != 0) {
    Value* left = builder.CreateSub(rounds, number(form.before));
    Value* rest = builder.CreateURem(left, number(form.inLoop));
    Value* whole = builder.CreateSub(left, rest);
    Value* inRest =
        builder.CreateSelect(builder.CreateICmpUGE(rest, number(2)),
                             builder.CreateSub(behindFirst, whole), number(form.behind - 1));
    place = builder.CreateSelect(builder.CreateICmpULT(behindFirst, whole), place,
                                 builder.CreateAdd(inRest, number(form.inLoop)));
  }
  place = builder.CreateAdd(place, number(form.before));
  return builder.CreateSelect(isBefore, round, place, "copy");
}

/// The number of the round that runs, from 0 on.
Value* LoopCopies::roundOf(const Loop& loop) {
  Value*& made = round_[&loop];
  if (made != nullptr)
    return made;
  BasicBlock* header = loop.getHeader();
  IRBuilder<> builder(header, header->begin());
  PHINode* round = builder.CreatePHI(builder.getInt32Ty(), 2, "round");
  builder.SetInsertPoint(header, header->getFirstInsertionPt());
  Value* next = builder.CreateAdd(round, builder.getInt32(1));
  for (BasicBlock* from : predecessors(header))
    round->addIncoming(loop.contains(from) ? next : builder.getInt32(0), from);
  return made = round;
}

/// How many rounds there will be; nullptr where that cannot be told beforehand.
Value* LoopCopies::roundsOf(const Loop& loop) {
  const auto known = rounds_.find(&loop);
  if (known != rounds_.end())
    return known->second;
  BasicBlock* from = loop.getLoopPredecessor();
  const SCEV* ends = evolution_->getBackedgeTakenCount(&loop);
  Value* made = nullptr;
  if (from != nullptr && !isa<SCEVCouldNotCompute>(ends)) {
    SCEVExpander expander(*evolution_, function_.getParent()->getDataLayout(), "rounds");
    llvm::Instruction* end = from->getTerminator();
    if (expander.isSafeToExpandAt(ends, end)) {
      IRBuilder<> builder(end);
      Value* count = expander.expandCodeFor(ends, ends->getType(), end);
      builder.SetInsertPoint(end);
      made = builder.CreateAdd(builder.CreateZExtOrTrunc(count, builder.getInt32Ty()),
                               builder.getInt32(1));
    }
  }
  return rounds_[&loop] = made;
}

} // namespace heddle::ptx
