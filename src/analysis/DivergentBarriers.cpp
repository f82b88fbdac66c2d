// SPDX-License-Identifier: Apache-2.0
#include "analysis/DivergentBarriers.h"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <fmt/format.h>

#include <algorithm>

namespace heddle::analysis {
namespace {

using Choice = ThreadDependence::Choice;

bool holdsBarrier(const llvm::BasicBlock& block) {
  return std::ranges::any_of(block, isBlockBarrier);
}

/// Whether one side of the choice goes to the kernel's return without a barrier.
bool hasSideThatReturns(const ThreadDependence& threads, const Choice& choice) {
  const ControlFlow& flow = threads.flow();
  const auto returns = [](const llvm::BasicBlock& block) {
    return llvm::isa<llvm::ReturnInst>(block.getTerminator()) && !holdsBarrier(block);
  };
  if (choice.join != noBlock && !returns(*flow.blocks[std::size_t(choice.join)]))
    return false;
  return std::ranges::any_of(choice.sides, [&](const std::vector<bool>& side) {
    for (std::size_t block = 0; block < side.size(); ++block)
      if (side[block] && holdsBarrier(*flow.blocks[block]))
        return false;
    return true;
  });
}

bool isWithin(const Choice& choice, int block) {
  return std::ranges::any_of(
      choice.sides, [&](const std::vector<bool>& side) { return side[std::size_t(block)]; });
}

void note(const llvm::Instruction& barrier, const Choice& choice, profile::Severity severity,
          const char* text, Findings& to) {
  const profile::SourceLocation cause = siteOf(*choice.branch).where;
  const bool isHere = cause.file == siteOf(barrier).where.file;
  const std::string place =
      isHere ? fmt::format("line {}", cause.line) : fmt::format("{}:{}", cause.file, cause.line);
  addFinding(to, barrier, "heddle-divergent-barrier", fmt::format(fmt::runtime(text), place),
             severity);
  to.back().cause = cause;
}

void judge(const ThreadDependence& threads, const llvm::Instruction& barrier, Findings& to) {
  const int block = threads.flow().number(barrier.getParent());
  const Choice* left = nullptr;
  for (const Choice& choice : threads.choices()) {
    const Spread spread = threads.of(choice.condition).spread();
    if (spread == Spread::Uniform || spread == Spread::Unknown || !isWithin(choice, block))
      continue;
    if (hasSideThatReturns(threads, choice)) {
      left = left == nullptr ? &choice : left;
      continue;
    }
    note(barrier, choice, profile::Severity::Warning,
         "not all threads of the block come to this barrier: the condition in {} depends on the "
         "thread; the behaviour is undefined",
         to);
    return;
  }
  if (left != nullptr)
    note(barrier, *left, profile::Severity::Note,
         "threads that return at the condition in {} do not come to this barrier; before compute "
         "capability 7.0 it waits for them",
         to);
}

} // namespace

bool isBlockBarrier(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (call == nullptr)
    return false;
  switch (call->getIntrinsicID()) {
  case llvm::Intrinsic::nvvm_barrier0:
  case llvm::Intrinsic::nvvm_barrier0_and:
  case llvm::Intrinsic::nvvm_barrier0_or:
  case llvm::Intrinsic::nvvm_barrier0_popc:
    return true;
  default:
    return false;
  }
}

void findDivergentBarriers(const ThreadDependence& threads, Findings& to) {
  for (const llvm::BasicBlock* block : threads.flow().blocks)
    for (const llvm::Instruction& instruction : *block)
      if (isBlockBarrier(instruction))
        judge(threads, instruction, to);
}

} // namespace heddle::analysis
