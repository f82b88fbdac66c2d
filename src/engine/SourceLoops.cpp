// SPDX-License-Identifier: Apache-2.0
//
// Steps:
//   1. put the loops together that have the same place, in the same loop around them
//   2. the copies that unrolling made of a loop's branch say how many iterations its trip has; the
//      copies that all loops of a group have come from a loop around them that is gone
//   3. pair each unrolled loop with the one that does the rest, behind it or in front of it
//   4. of a loop with two iterations a trip, the rest is no loop: find its blocks by their places
#include "engine/SourceLoops.h"

#include "analysis/SourceSite.h"
#include "engine/LowerCopies.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace heddle::engine {
namespace {

using llvm::BasicBlock;
using llvm::Loop;

unsigned copiesOf(const llvm::Instruction& instruction) {
  const llvm::DILocation* where = instruction.getDebugLoc();
  return where == nullptr ? 1 : where->getDuplicationFactor();
}

unsigned copiesOf(const Loop& loop) {
  const BasicBlock* latch = loop.getLoopLatch();
  return latch == nullptr ? 1 : copiesOf(*latch->getTerminator());
}

/// What an instruction that does work is in the source, the same in all its copies.
using Work =
    std::tuple<unsigned, unsigned, unsigned, const llvm::DISubprogram*, const llvm::DILocation*>;

void addWork(const BasicBlock& block, std::map<Work, unsigned>& work) {
  for (const llvm::Instruction& instruction : block) {
    const llvm::DILocation* where = instruction.getDebugLoc();
    if (where == nullptr || where->getLine() == 0 ||
        !(llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::AtomicRMWInst>(instruction) ||
          instruction.getType()->isFloatingPointTy()))
      continue;
    ++work[{instruction.getOpcode(), where->getLine(), where->getColumn(),
            where->getScope()->getSubprogram(), where->getInlinedAt()}];
  }
}

std::map<Work, unsigned> workOf(const Loop& loop) {
  std::map<Work, unsigned> work;
  for (const BasicBlock* block : loop.blocks())
    addWork(*block, work);
  return work;
}

/// Blocks that are reached from `begin`, or reach it, within one iteration of `around` and without
/// passing `avoided`.
template <class Neighbours>
SourceLoops::Blocks reached(const BasicBlock* begin, const Loop* around,
                            const SourceLoops::Blocks& avoided, Neighbours neighbours) {
  SourceLoops::Blocks found;
  std::vector<const BasicBlock*> work = {begin};
  while (!work.empty()) {
    const BasicBlock* block = work.back();
    work.pop_back();
    for (const BasicBlock* next : neighbours(block))
      if ((around == nullptr || (around->contains(next) && around->getHeader() != next)) &&
          !avoided.contains(next) && found.insert(next).second)
        work.push_back(next);
  }
  return found;
}

SourceLoops::Blocks blocksOf(const Loop& loop) {
  SourceLoops::Blocks blocks;
  blocks.insert(loop.block_begin(), loop.block_end());
  return blocks;
}

} // namespace

bool SourceLoops::isOfSource(const Loop& loop) {
  const BasicBlock* latch = loop.getLoopLatch();
  return latch == nullptr || latch->getTerminator()->getMetadata(copyLoopMetadata) == nullptr;
}

profile::Site SourceLoops::siteOf(const Loop& loop) {
  llvm::SmallVector<BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  return analysis::siteOf(exiting.empty() ? *loop.getHeader()->getTerminator()
                                          : *exiting.front()->getTerminator());
}

/// Step 2.
void SourceLoops::setTimes(const Group& group) {
  unsigned fewest = ~0u;
  for (const Loop* loop : group)
    fewest = std::min(fewest, copiesOf(*loop));
  bool allSame = true;
  for (const Loop* loop : group)
    allSame = allSame && copiesOf(*loop) == fewest;
  for (const Loop* loop : group) {
    unsigned around = allSame ? 1 : fewest;
    if (allSame && group.size() > 1 && fewest % group.size() == 0) {
      unsigned most = 0; // copies of one place in the loop itself
      for (const auto& [work, count] : workOf(*loop))
        most = std::max(most, count);
      around = most >= fewest ? 1 : unsigned(group.size());
    }
    times_[loop] = std::max(1u, copiesOf(*loop) / around);
  }
}

/// Makes one of two pieces; the second begins with a block.
void SourceLoops::add(InPieces pieces, const Blocks& first, const BasicBlock& second) {
  const Loop* around = pieces.unrolled->getParentLoop();
  Blocks after;
  for (const BasicBlock* block : first)
    for (const BasicBlock* next : reached(
             block, around, first, [](const BasicBlock* from) { return llvm::successors(from); }))
      after.insert(next);
  if (!after.contains(&second))
    return;
  for (const BasicBlock* block : reached(
           &second, around, first, [](const BasicBlock* from) { return llvm::predecessors(from); }))
    if (after.contains(block))
      pieces.region.insert(block);
  pieces.region.insert(first.begin(), first.end());
  pieces.region.insert(&second);
  pieces.region.insert(pieces.restBlocks.begin(), pieces.restBlocks.end());
  for (const Loop* loop : {pieces.unrolled, pieces.rest})
    if (loop != nullptr) {
      pieces.region.insert(loop->block_begin(), loop->block_end());
      pieces_.insert(loop);
    }
  inPieces_.push_back(std::move(pieces));
}

/// Step 3.
void SourceLoops::pair(const Group& group) {
  for (std::size_t i = 0; i + 1 < group.size(); i += 2) {
    const Loop *first = group[i], *second = group[i + 1];
    if (times(*first) == times(*second))
      return;
    InPieces pieces;
    pieces.unrolled = times(*first) > times(*second) ? first : second;
    pieces.rest = pieces.unrolled == first ? second : first;
    add(std::move(pieces), blocksOf(*first), *second->getHeader());
  }
}

/// Step 4.
void SourceLoops::findRest(const Loop& unrolled, llvm::Function& function,
                           const llvm::LoopInfo& loops, const llvm::DominatorTree& dominators) {
  const std::map<Work, unsigned> wanted = workOf(unrolled);
  std::map<Work, unsigned> found;
  InPieces pieces;
  pieces.unrolled = &unrolled;
  bool isBehind = false, sawLoop = false;
  for (const BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function)) {
    sawLoop = sawLoop || block == unrolled.getHeader();
    std::map<Work, unsigned> work;
    if (loops.getLoopFor(block) == unrolled.getParentLoop())
      addWork(*block, work);
    std::erase_if(work, [&](const auto& one) { return !wanted.contains(one.first); });
    if (work.empty())
      continue;
    if (pieces.restBegin == nullptr) {
      pieces.restBegin = block;
      isBehind = sawLoop;
    }
    if (!dominators.dominates(pieces.restBegin, block))
      return;
    pieces.restBlocks.insert(block);
    found.merge(work);
  }
  if (wanted.empty() || found.size() != wanted.size())
    return;
  if (isBehind)
    add(pieces, blocksOf(unrolled), *pieces.restBegin);
  else
    add(pieces, Blocks(pieces.restBlocks), *unrolled.getHeader());
}

SourceLoops::SourceLoops(llvm::Function& function, const llvm::LoopInfo& loops,
                         const llvm::DominatorTree& dominators) {
  // Step 1
  std::map<std::pair<const Loop*, profile::Site>, Group> groups;
  for (const BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function)) {
    const Loop* loop = loops.getLoopFor(block);
    if (loop == nullptr || loop->getHeader() != block || !isOfSource(*loop) ||
        loop->getLoopLatch() == nullptr)
      continue;
    groups[{loop->getParentLoop(), siteOf(*loop)}].push_back(loop);
  }
  for (const auto& [key, group] : groups) {
    setTimes(group);
    const bool unrolled =
        std::ranges::any_of(group, [&](const Loop* loop) { return times(*loop) > 1; });
    if (unrolled && group.size() % 2 == 0)
      pair(group);
    if (group.size() == 1 && times(*group.front()) == 2)
      findRest(*group.front(), function, loops, dominators);
  }
}

} // namespace heddle::engine
