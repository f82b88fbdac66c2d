// SPDX-License-Identifier: Apache-2.0
//
// The source's loops among those of a function. The compiler unrolls a loop into one whose trip is
// several iterations, and a second one, or a block, for the iterations that are left over:
//
//   for (i < n) A          for (i < n - n % 4) { A A A A }     4 iterations a trip
//                    ==>   for (i < n) A                       1 iteration a trip
//
// Needs line tables for profiling (clang's -fdebug-info-for-profiling): there an instruction knows
// how many copies of it unrolling made.
#pragma once

#include "profile/KernelProfile.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

#include <vector>

namespace heddle::engine {

class SourceLoops {
public:
  using Blocks = llvm::SmallPtrSet<const llvm::BasicBlock*, 8>;

  /// A loop of the source that has become several pieces. A visit of it begins on an edge into
  /// `region` and ends on an edge out of it.
  struct InPieces {
    const llvm::Loop* unrolled = nullptr;
    const llvm::Loop* rest = nullptr; ///< or nothing, where a block does the iteration left over
    Blocks restBlocks;                ///< those of that iteration, in which it begins with:
    const llvm::BasicBlock* restBegin = nullptr;
    Blocks region;
  };

  SourceLoops(llvm::Function& function, const llvm::LoopInfo& loops,
              const llvm::DominatorTree& dominators);

  /// Whether a loop is the source's at all, not one that copies memory for a single expression.
  static bool isOfSource(const llvm::Loop& loop);

  /// A loop is known by the branch that leaves it.
  static profile::Site siteOf(const llvm::Loop& loop);

  /// Iterations of the source's loop in each trip.
  unsigned times(const llvm::Loop& loop) const {
    const auto known = times_.find(&loop);
    return known == times_.end() ? 1 : known->second;
  }

  bool isPiece(const llvm::Loop& loop) const { return pieces_.contains(&loop); }
  const std::vector<InPieces>& inPieces() const { return inPieces_; }

private:
  using Group = std::vector<const llvm::Loop*>; ///< pieces and copies of one loop, in order

  void setTimes(const Group& group);
  void pair(const Group& group);
  void findRest(const llvm::Loop& unrolled, llvm::Function& function, const llvm::LoopInfo& loops,
                const llvm::DominatorTree& dominators);
  void add(InPieces pieces, const Blocks& first, const llvm::BasicBlock& second);

  llvm::DenseMap<const llvm::Loop*, unsigned> times_;
  llvm::SmallPtrSet<const llvm::Loop*, 8> pieces_;
  std::vector<InPieces> inPieces_;
};

} // namespace heddle::engine
