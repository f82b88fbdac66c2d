// SPDX-License-Identifier: Apache-2.0
#include "analysis/DivergentBranches.h"

#include <llvm/IR/Instructions.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace heddle::analysis {
namespace {

using Choice = ThreadDependence::Choice;

/// Instructions of LLVM's that compilers turn into selects. lowering/steps/Predication.cpp has a
/// limit of its own, of 14: it counts machine instructions, after sequences and fused ones are
/// known, for a time; here nothing is lowered, and a branch that is reported although it costs
/// little does more harm than one that is not.
constexpr int mostPredicated = 12;

/// Whether it decides on another turn of a loop: a side comes back here, another one does not.
bool isLoop(const Choice& choice) {
  const auto comesBack = [&](const std::vector<bool>& side) {
    return bool(side[std::size_t(choice.block)]);
  };
  return std::ranges::any_of(choice.sides, comesBack) &&
         !std::ranges::all_of(choice.sides, comesBack);
}

bool mayWait(const llvm::Instruction& instruction) {
  return instruction.isVolatile() || instruction.isAtomic();
}

/// Whether a side runs a loop before the join; one that waits for other threads is none.
bool hasLoop(const ControlFlow& flow, const std::vector<bool>& side) {
  bool loops = false;
  for (std::size_t block = 0; block < side.size(); ++block) {
    if (!side[block])
      continue;
    if (std::ranges::any_of(*flow.blocks[block], mayWait))
      return false;
    for (const int before : flow.predecessors[block]) // only the way back of a loop goes up
      loops = loops || (before >= int(block) && side[std::size_t(before)]);
  }
  return loops;
}

/// A division is a sequence on a GPU, unless it is by a constant.
bool isPlainComputation(const llvm::Instruction& instruction) {
  const bool divides =
      instruction.isIntDivRem() && !llvm::isa<llvm::Constant>(instruction.getOperand(1));
  return !instruction.mayReadOrWriteMemory() && !divides;
}

/// Whether both sides together are a few computations.
bool isPredicated(const ThreadDependence& threads, const Choice& choice) {
  int count = 0;
  for (std::size_t block = 0; block < threads.flow().blocks.size(); ++block) {
    const bool inside = std::ranges::any_of(
        choice.sides, [&](const std::vector<bool>& side) { return side[block]; });
    if (!inside)
      continue;
    for (const llvm::Instruction& instruction : *threads.flow().blocks[block]) {
      if (!isPlainComputation(instruction))
        return false;
      count += instruction.isTerminator() || llvm::isa<llvm::PHINode>(instruction) ? 0 : 1;
    }
  }
  return !isLoop(choice) && count <= mostPredicated;
}

/// How many lanes take the first side, in the first warp that parts.
std::optional<int> lanesTaken(const LaneShape& condition) {
  const auto values = condition.values();
  if (!values)
    return std::nullopt;
  for (auto warp = values->begin(); warp != values->end(); warp += warpSize) {
    const auto not0 = std::count_if(warp, warp + warpSize, [](auto v) { return v != 0; });
    if (not0 != 0 && not0 != warpSize)
      return int(not0);
  }
  return std::nullopt;
}

/// The successor that a single lane of a warp takes.
std::optional<std::size_t> singleLaneSide(const ThreadDependence& threads, const Choice& choice) {
  const LaneShape shape = threads.of(choice.condition);
  if (const auto taken = lanesTaken(shape); taken && shape.spread() == Spread::Few) {
    if (*taken == 1)
      return 0;
    return *taken == warpSize - 1 ? std::optional<std::size_t>(1) : std::nullopt;
  }
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(choice.condition);
  const bool isOne = compare != nullptr && compare->isEquality() && !shape.values() &&
                     shape.spread() == Spread::Few;
  if (!isOne)
    return std::nullopt;
  return compare->getPredicate() == llvm::CmpInst::ICMP_EQ ? 0 : 1;
}

bool mayChangeIn(const Choice& loop, const ThreadDependence& threads, const llvm::Value* value) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction == nullptr || threads.of(value).values())
    return false;
  const int block = threads.flow().number(instruction->getParent());
  return block == loop.block || std::ranges::any_of(loop.sides, [&](const auto& side) {
           return side[std::size_t(block)] && side[std::size_t(loop.block)];
         });
}

/// What a value grows by from thread to thread; 0 where that is unknown or the same for a warp.
std::int64_t stepByThread(const LaneShape& shape) {
  const auto offsets = shape.offsets();
  return offsets ? (*offsets)[1] : 0;
}

/// The constant that a counter of a loop grows by; 0 where it is none.
std::int64_t stepByTurn(const ThreadDependence& threads, const llvm::Value* counter) {
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(counter);
  if (phi == nullptr)
    return 0;
  for (const llvm::Value* value : phi->incoming_values()) {
    const auto* next = llvm::dyn_cast<llvm::BinaryOperator>(value);
    const bool counts = next != nullptr && next->getOperand(0) == phi &&
                        (next->getOpcode() == llvm::Instruction::Add ||
                         next->getOpcode() == llvm::Instruction::Sub);
    if (!counts)
      continue;
    const auto step = threads.of(next->getOperand(1)).values();
    return step ? step->front() : 0;
  }
  return 0;
}

/// How many turns the lanes of a warp make in a loop.
enum class Turns { Unknown, Same, Different };

/// `for (j = 0; j < i; ++j)` and `for (j = i; j < n; ++j)`: neighbours make different numbers of
/// turns, although each comparison parts only one warp. `for (j = lane; j < n; j += 32)`: the same
/// number but for the last, although each comparison may part all warps.
Turns turnsOf(const ThreadDependence& threads, const Choice& choice) {
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(choice.condition);
  if (compare == nullptr || !isLoop(choice))
    return Turns::Unknown;
  for (const unsigned side : {0U, 1U}) {
    const llvm::Value* counter = compare->getOperand(side);
    const llvm::Value* bound = compare->getOperand(1 - side);
    const std::int64_t between =
        std::abs(stepByThread(threads.of(bound)) - stepByThread(threads.of(counter)));
    const std::int64_t turn = std::abs(stepByTurn(threads, counter));
    if (between == 0 || turn == 0)
      continue;
    if (turn <= between && !mayChangeIn(choice, threads, bound))
      return Turns::Different;
    if (turn >= warpSize * between && threads.of(bound).spread() <= Spread::Warp)
      return Turns::Same;
  }
  return Turns::Unknown;
}

std::string partingText(const ThreadDependence& threads, const Choice& choice) {
  const char* depends = "depends on the thread's number within its warp";
  if (isLoop(choice))
    return fmt::format("lanes of a warp leave this loop at different turns: its condition {}",
                       depends);
  if (llvm::isa<llvm::SwitchInst>(choice.branch))
    return fmt::format("lanes of a warp take different cases: the value {}", depends);
  const auto taken = lanesTaken(threads.of(choice.condition));
  return fmt::format("lanes of a warp part here: the condition {}{}", depends,
                     taken ? fmt::format(" ({} of 32 go one way)", *taken) : "");
}

/// Why a branch that depends on the thread's number is worth a word; empty where it is not.
std::string complaint(const ThreadDependence& threads, const Choice& choice) {
  const LaneShape shape = threads.of(choice.condition);
  if (const auto side = singleLaneSide(threads, choice))
    return hasLoop(threads.flow(), choice.sides[*side])
               ? "one lane runs a loop while the others of its warp wait"
               : "";
  const bool isCut = shape.spread() == Spread::Few && !lanesTaken(shape);
  const Turns turns = turnsOf(threads, choice);
  if (turns == Turns::Same || (isCut && turns != Turns::Different))
    return "";
  return partingText(threads, choice);
}

} // namespace

void findDivergentBranches(const ThreadDependence& threads,
                           const llvm::DenseSet<const llvm::Instruction*>& explained, bool data,
                           Findings& to) {
  for (const Choice& choice : threads.choices()) {
    const Spread spread = threads.of(choice.condition).spread();
    const bool differs =
        spread == Spread::Few || spread == Spread::Lanes || (data && spread == Spread::Data);
    if (!differs || explained.contains(choice.branch) || isInToolkitHeader(*choice.branch) ||
        isPredicated(threads, choice))
      continue;
    if (spread == Spread::Data)
      addFinding(to, *choice.branch, "heddle-data-dependent-branch",
                 "lanes of a warp part here if what they have read differs");
    else if (std::string message = complaint(threads, choice); !message.empty())
      addFinding(to, *choice.branch, "heddle-divergent-branch", std::move(message));
  }
}

} // namespace heddle::analysis
