// SPDX-License-Identifier: Apache-2.0
//
//   1. Lower each block (lowering/steps/StepBuilder.h); a loop's condition is hoisted
//      (lowering/steps/LoopConditions.h), and the steps are put in the order of a compiler
//      (StepSchedule.h).
//   2. Switch lanes off where a branch is short (lowering/steps/Predication.h).
#include "lowering/InstructionMix.h"

#include "lowering/SourceDivisions.h"
#include "lowering/steps/LoopConditions.h"
#include "lowering/steps/Predication.h"
#include "lowering/steps/StepBuilder.h"
#include "lowering/steps/StepSchedule.h"

namespace heddle::lowering {

using namespace llvm;

void addShapes(ArrayRef<BasicBlock*> blocks, const ShapeHints& hints, profile::KernelShape& to) {
  if (blocks.empty())
    return;
  // Step 1: lower
  const FlowFacts flow(*blocks.front()->getParent());
  const LoopConditions conditions(flow);
  StepBuilder builder(flow, hints, to);
  const std::size_t first = to.blocks.size();
  for (const BasicBlock* block : blocks) {
    profile::BlockShape& shape = builder.begin();
    for (const Instruction& instruction : *block) {
      if (instruction.isTerminator())
        for (const Instruction* early : conditions.early.lookup(block))
          builder.add(*early);
      if (!conditions.isEarly.contains(&instruction))
        builder.add(instruction);
    }
    scheduleSteps(shape.steps);
  }
  // Step 2: predicate
  predicateShortSides(blocks, first, to);
}

int sequenceLength(const Instruction& instruction, const FlowFacts& flow) {
  if (!isDivision(instruction) && instruction.getOpcode() != Instruction::FDiv &&
      !isBuiltinCall(instruction))
    return 1;
  const auto no = [](const Instruction&) { return false; };
  const auto noSite = [](const Instruction&) { return -1; };
  const auto none = [](const Value&) { return false; };
  const ShapeHints hints{noSite, no, no, none};
  profile::KernelShape shape;
  StepBuilder builder(flow, hints, shape);
  const profile::BlockShape& alone = builder.begin();
  builder.add(instruction);
  int length = 0;
  for (const profile::Step& step : alone.steps)
    length += step.issues;
  return length;
}

} // namespace heddle::lowering
