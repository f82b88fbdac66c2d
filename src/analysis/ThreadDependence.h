// SPDX-License-Identifier: Apache-2.0
//
// How each value of a kernel differs between the threads of a block. Where Uniformity asks what one
// scalar can hold for a warp, and takes the rest as divergent, this follows the thread's number
// through the computation, to tell `i < n`, which parts one warp, from `i % 2`, which parts all.
#pragma once

#include "analysis/Joins.h"
#include "analysis/LaneShape.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace heddle::analysis {

class ThreadDependence {
public:
  /// Needs a kernel in source form (SourceForm.h).
  explicit ThreadDependence(llvm::Function& kernel);

  LaneShape of(const llvm::Value* value) const;

  const ControlFlow& flow() const { return flow_; }

  /// A block whose end has several successors and depends on what is not a constant.
  struct Choice {
    int block = noBlock;
    const llvm::Instruction* branch = nullptr;
    const llvm::Value* condition = nullptr;
    int join = noBlock;
    std::vector<std::vector<bool>>
        sides; ///< for each successor, the blocks reached before the join
  };
  const std::vector<Choice>& choices() const { return choices_; }

private:
  void findChoices(const std::vector<int>& joins);
  bool spreadOnce();
  LaneShape transfer(const llvm::Instruction& instruction) const;
  LaneShape ofPhi(const llvm::PHINode& phi) const;
  LaneShape ofCall(const llvm::CallInst& call) const;
  LaneShape ofLoad(const llvm::Value& address) const;
  Spread mostOf(const llvm::User& user) const;
  bool isKnown(const llvm::Value* value) const;

  ControlFlow flow_;
  std::vector<Choice> choices_;
  std::vector<Spread> meeting_; ///< by block: how the conditions differ whose join it is
  llvm::DenseMap<const llvm::Value*, LaneShape> shapes_;
};

} // namespace heddle::analysis
