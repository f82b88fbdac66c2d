// SPDX-License-Identifier: Apache-2.0
//
// The blocks of machine code that are run from one entry of a routine, with the ways between them.
#pragma once

#include "sass/MachineCode.h"

#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <set>
#include <vector>

namespace heddle::sass {

struct MachineBlock {
  std::uint32_t begin = 0, end = 0; ///< of the routine's instructions
  std::vector<int> after;
};

/// A function of LLVM with the same blocks and ways answers what it can answer for any function.
class MachineGraph {
public:
  /// `cuts`: where blocks begin besides.
  MachineGraph(const Routine& routine, std::uint32_t entry,
               const std::set<std::uint32_t>& cuts = {});

  const Routine& routine() const { return routine_; }
  const std::vector<MachineBlock>& blocks() const { return blocks_; }
  unsigned depth(int block) const { return cycles_.getCycleDepth(twins_[std::size_t(block)]); }
  /// Whether one block runs exactly when the other does.
  bool runTogether(int a, int b) const;

private:
  void findBlocks(std::uint32_t entry, const std::set<std::uint32_t>& cuts);
  void makeTwins();

  const Routine& routine_;
  std::vector<MachineBlock> blocks_;
  llvm::LLVMContext context_;
  llvm::Module module_;
  std::vector<llvm::BasicBlock*> twins_;
  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree postDominators_;
  llvm::CycleInfo cycles_;
};

} // namespace heddle::sass
