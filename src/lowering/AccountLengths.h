// SPDX-License-Identifier: Apache-2.0
//
// How many machine instructions the account counts for a block, and for taking an edge: those of
// its instructions (MachineLength.h), and what ptxas adds where ways part and meet:
//
//   BSSY     one, in front of the first of the branches whose lanes meet at a place
//   BSYNC    one for each part of a warp that comes to the meeting place
//   BRA      to jump over the other side, or back to a loop's first block
//   MOV      for a phi that gets a constant, or a value that is needed further on
//
// Short branches, which ptxas predicates, count as branches: lanes that are switched off do
// nothing, and a rewrite that gives them something to do pays. A GPU's counters call such lanes
// active.
#pragma once

#include "analysis/Joins.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <array>
#include <cstdint>
#include <vector>

namespace heddle::lowering {

struct AccountLengths {
  std::vector<std::uint32_t> blocks;
  /// Of the edges of a two-way branch, more: what lanes that take it execute by themselves.
  std::vector<std::array<std::uint32_t, 2>> edges;
  /// Of each block's instructions, in order: their own lengths, without what is added. Where ptxas
  /// gave the lengths of blocks, only how to share them.
  std::vector<std::vector<std::uint32_t>> instructions;
};

/// As a model says, where ptxas was not asked.
AccountLengths modelLengths(const analysis::ControlFlow& flow, const analysis::Joins& joins,
                            bool isKernel, llvm::function_ref<bool(const llvm::Value&)> isUniform);

} // namespace heddle::lowering
