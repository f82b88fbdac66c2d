// SPDX-License-Identifier: Apache-2.0
//
// What the GPU's compiler makes of a function: the machine instructions of its basic blocks, how
// many the account of lanes counts, and the steps that are timed. They are ptxas's own where it was
// asked (MachineCode.h), and a model's where not (AccountLengths.h, steps/). Nobody else decides
// which of them counts.
#pragma once

#include "analysis/Joins.h"
#include "lowering/InstructionFacts.h"
#include "profile/KernelTrace.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::lowering {

struct FunctionToLower {
  const analysis::ControlFlow& flow;
  const analysis::Joins& joins;
  bool isKernel = true;
  InstructionFacts facts;
};

/// Blocks are in the order of the function's flow.
struct LoweredFunction {
  std::vector<profile::BlockShape> blocks;
  /// Of the edges of a two-way branch, more: what lanes that take it execute by themselves.
  std::vector<std::array<std::uint32_t, 2>> edges;
  /// Of each block's instructions, in order: their own lengths, without what is added. Where ptxas
  /// gave the lengths of blocks, only how to share them.
  std::vector<std::vector<std::uint32_t>> shares;
  bool isMachineCode = false; ///< ptxas gave the lengths of blocks
  /// What lanes run that come to a meeting place from a branch, where some do.
  std::optional<profile::BlockShape> arrival;
};

/// `values`: how many numbers of values other functions of the kernel use; grows.
LoweredFunction lower(const FunctionToLower& function, int& values);

} // namespace heddle::lowering
