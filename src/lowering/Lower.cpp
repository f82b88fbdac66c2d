// SPDX-License-Identifier: Apache-2.0
//
//   1. the model's steps: also what each block asks for by itself, which ptxas does not tell
//   2. ptxas's lengths and steps where they are known, else the model's
#include "lowering/Lower.h"

#include "lowering/AccountLengths.h"
#include "lowering/MachineCode.h"
#include "lowering/steps/ModelSteps.h"

#include <utility>

namespace heddle::lowering {
namespace {

using profile::BlockShape;

void setLengths(AccountLengths lengths, LoweredFunction& to) {
  for (std::size_t block = 0; block < to.blocks.size(); ++block)
    to.blocks[block].instructions = lengths.blocks[block];
  to.edges = std::move(lengths.edges);
  to.shares = std::move(lengths.instructions);
}

void setMachineCode(MachineCode code, LoweredFunction& to) {
  to.isMachineCode = true;
  setLengths(std::move(code.lengths), to);
  for (std::size_t block = 0; block < code.planned.size(); ++block) {
    BlockShape& shape = to.blocks[block];
    shape.steps = std::move(code.planned[block].steps);
    shape.rounds = code.planned[block].rounds;
    shape.isMachineCode = true;
    shape.isRunBefore = shape.steps.empty();
  }
  const auto arrives = [](const auto& sides) { return sides[0] + sides[1] > 0; };
  if (llvm::any_of(to.edges, arrives))
    to.arrival = {.steps = {stepToMeet()}, .instructions = 1, .isMachineCode = true};
}

} // namespace

LoweredFunction lower(const FunctionToLower& function, int& values) {
  LoweredFunction result;
  // Step 1
  for (BlockSteps& block : modelSteps(function.flow.blocks, function.facts, values)) {
    const bool isRunBefore = block.issued && block.issued->empty();
    result.blocks.push_back({.steps = block.issued ? *std::move(block.issued) : block.own,
                             .isRunBefore = isRunBefore,
                             .work = profile::workOf(block.own)});
  }
  // Step 2
  if (std::optional<MachineCode> known =
          machineCodeOf(function.flow, function.joins, function.facts.siteOf))
    setMachineCode(*std::move(known), result);
  else
    setLengths(
        modelLengths(function.flow, function.joins, function.isKernel, function.facts.isUniform),
        result);
  return result;
}

} // namespace heddle::lowering
