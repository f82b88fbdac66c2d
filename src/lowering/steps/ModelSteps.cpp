// SPDX-License-Identifier: Apache-2.0
//
//   1. Lower each block (StepBuilder.h); a loop's condition is hoisted
//   (LoopConditions.h), and the
//      steps are put in the order of a compiler (StepSchedule.h).
//   2. Switch lanes off where a branch is short (Predication.h).
#include "lowering/steps/ModelSteps.h"

#include "lowering/Calls.h"
#include "lowering/SourceDivisions.h"
#include "lowering/steps/LoopConditions.h"
#include "lowering/steps/Predication.h"
#include "lowering/steps/StepBuilder.h"
#include "lowering/steps/StepSchedule.h"

namespace heddle::lowering {

using namespace llvm;

std::vector<BlockSteps> modelSteps(ArrayRef<BasicBlock*> blocks, const InstructionFacts& facts,
                                   int& values) {
  std::vector<BlockSteps> all;
  if (blocks.empty())
    return all;
  // Step 1: lower
  const FlowFacts flow(*blocks.front()->getParent());
  const LoopConditions conditions(flow);
  StepBuilder builder(flow, facts, values);
  for (const BasicBlock* block : blocks) {
    BlockSteps& steps = all.emplace_back();
    builder.begin(steps.own);
    for (const Instruction& instruction : *block) {
      if (instruction.isTerminator())
        for (const Instruction* early : conditions.early.lookup(block))
          builder.add(*early);
      if (!conditions.isEarly.contains(&instruction))
        builder.add(instruction);
    }
    scheduleSteps(steps.own);
  }
  // Step 2: predicate
  predicateShortSides(blocks, all, values);
  for (BlockSteps& block : all)
    for (profile::Step& step : block.own)
      if (step.site >= 0 && facts.spaceOf(step.site) != profile::MemorySpace::Global)
        step.space = facts.spaceOf(step.site);
  return all;
}

int sequenceLength(const Instruction& instruction, const FlowFacts& flow) {
  if (!isDivision(instruction) && instruction.getOpcode() != Instruction::FDiv &&
      !isBuiltinCall(instruction))
    return 1;
  const auto no = [](const Instruction&) { return false; };
  const auto noSite = [](const Instruction&) { return -1; };
  const auto anywhere = [](int) { return profile::MemorySpace::Global; };
  const auto none = [](const Value&) { return false; };
  const InstructionFacts facts{noSite, anywhere, no, no, none};
  int values = 0;
  StepBuilder builder(flow, facts, values);
  std::vector<profile::Step> alone;
  builder.begin(alone);
  builder.add(instruction);
  int length = 0;
  for (const profile::Step& step : alone)
    length += step.issues;
  return length;
}

} // namespace heddle::lowering
