// SPDX-License-Identifier: Apache-2.0
//
//   1. a node for each executed instruction, with what it waits for: operands, memory order
//   2. where the result of each is used up
//   3. list them (ListSchedule.h), or take what frees registers; count what is live
#include "lowering/registers/RegisterSchedule.h"

#include "lowering/Calls.h"
#include "lowering/ListSchedule.h"

#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <array>
#include <utility>

namespace heddle::lowering {
namespace {

using analysis::addressSpaceOf;

/// In cycles, roughly: only what is long and what is short matters.
constexpr int memoryLatency = 30, specialLatency = 20, copyLatency = 10, arithmeticLatency = 5;

/// Instructions that are considered at once: compilers bound it, and so the time stays linear.
constexpr int window = 64;

/// An operation with this many temporaries has branches inside.
constexpr int leastOfSlowPath = 4;

struct Node {
  const llvm::Instruction* instruction = nullptr; ///< null for a copy from the constant bank
  int result = -1;                                ///< the number of the value it makes, if any
  llvm::SmallVector<int, 4> operands;             ///< values
  int latency = arithmeticLatency;
  int anchor = 0; ///< the earliest place in the IR where its result is used up
};

int latencyOf(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::LoadInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
    return memoryLatency;
  if (llvm::isa<llvm::CallInst>(instruction) || temporaryRegisters(instruction) > 0)
    return specialLatency;
  return arithmeticLatency;
}

/// Nothing moves across calls and branches.
bool isWall(const llvm::Instruction& instruction) {
  return isMachineCall(instruction) || temporaryRegisters(instruction) >= leastOfSlowPath;
}

/// Which earlier instructions a memory instruction has to wait for.
class MemoryOrder {
public:
  /// Adds a node and calls `wait` for each earlier one that must be issued before it.
  template <class Then> void add(const llvm::Instruction& instruction, int node, Then wait) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        load != nullptr && !load->isVolatile()) {
      if (load->hasMetadata(llvm::LLVMContext::MD_invariant_load))
        return;
      Space& space = spaces_[std::size_t(addressSpaceOf(*load->getPointerOperand()))];
      wait(std::max(space.lastWrite, lastFence_));
      space.reads.push_back(node);
    } else if (const llvm::Value* address = writtenAddress(instruction))
      write(spaces_[std::size_t(addressSpaceOf(*address))], node, wait);
    else if (isExchange(instruction))
      write(exchanges_, node, wait);
    else if (hasEffect(instruction) || isWall(instruction))
      fence(node, wait);
  }

private:
  struct Space {
    int lastWrite = -1;
    std::vector<int> reads;
  };

  static const llvm::Value* writtenAddress(const llvm::Instruction& instruction) {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return store->isVolatile() ? nullptr : store->getPointerOperand();
    if (const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      return atomic->getPointerOperand();
    if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      return exchange->getPointerOperand();
    return nullptr;
  }

  /// Shuffles and votes: in order among themselves.
  static bool isExchange(const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    return call != nullptr && call->isConvergent() && !call->getType()->isVoidTy();
  }

  template <class Then> void write(Space& space, int node, Then wait) {
    wait(std::max(space.lastWrite, lastFence_));
    for (const int read : space.reads)
      wait(read);
    space.reads.clear();
    space.lastWrite = node;
  }

  template <class Then> void fence(int node, Then wait) {
    for (int before = std::max(lastFence_, 0); before < node; ++before)
      wait(before);
    lastFence_ = node;
  }

  std::array<Space, 4> spaces_;
  Space exchanges_;
  int lastFence_ = -1;
};

class Scheduler {
public:
  Scheduler(const BlockToSchedule& block, const NumberedValues& values, RegisterCost& cost,
            int free)
      : block_(block), values_(values), cost_(cost), free_(free), registers_(values.registers),
        maker_(values.registers.size(), -1) {}

  SchedulePeak run();

private:
  void addCopy(int copy);
  void addNode(const llvm::Instruction& instruction, int copy, MemoryOrder& order);
  int copied(const llvm::Value& value, int size);
  int numberOf(const llvm::Value& value, int copy);
  void nameCopies(int copy);
  int append(const Node& node);
  void findAnchors();

  int chooseForRegisters() const;
  int growth(const Node& node) const;
  bool outlives(int value) const {
    return value < int(block_.after.size()) && block_.after.test(unsigned(value));
  }
  void issue(int number);

  const BlockToSchedule& block_;
  const NumberedValues& values_;
  RegisterCost& cost_;
  const int free_;
  std::vector<int> registers_; ///< by number: those of the function, then our own
  std::vector<int> maker_;     ///< by number: the node, -1 where it comes from outside
  std::vector<int> uses_;      ///< by number: that are not issued yet
  llvm::DenseMap<const llvm::Value*, int> bases_;
  std::vector<llvm::DenseMap<const llvm::Value*, int>> copyNames_;
  llvm::DenseMap<const llvm::Value*, int> tests_; ///< nodes of predicates
  std::vector<Node> nodes_;
  ListSchedule list_{window};
  MemoryOrder order_;
  int lastWall_ = -1;
  int live_ = 0;
  SchedulePeak peak_;
};

int Scheduler::append(const Node& node) {
  nodes_.push_back(node);
  return list_.add(node.latency);
}

/// The registers that a value from the constant bank, or an immediate, is copied to.
int Scheduler::copied(const llvm::Value& value, int size) {
  const auto [at, isNew] = bases_.try_emplace(&value, int(registers_.size()));
  if (isNew) {
    registers_.push_back(size);
    maker_.push_back(int(nodes_.size()));
    list_.wait(append({.result = at->second, .latency = copyLatency}), lastWall_, 1);
  }
  return at->second;
}

/// Each copy of an unrolled loop has values of its own; the last has those that leave the block.
void Scheduler::nameCopies(int copy) {
  auto& names = copyNames_.emplace_back();
  for (const llvm::Instruction& instruction : block_.block) {
    const auto found = values_.numbers.find(&instruction);
    if (found == values_.numbers.end())
      continue;
    if (llvm::isa<llvm::PHINode>(instruction) || copy == block_.copies - 1) {
      names[&instruction] = found->second;
      continue;
    }
    names[&instruction] = int(registers_.size());
    registers_.push_back(values_.registers[std::size_t(found->second)]);
    maker_.push_back(-1);
  }
}

int Scheduler::numberOf(const llvm::Value& value, int copy) {
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value);
  if (phi != nullptr && phi->getParent() == &block_.block && copy > 0) {
    const llvm::Value* before = phi->getIncomingValueForBlock(&block_.block);
    const RegisterCost::Values& held = cost_.heldFor(*before);
    return held.empty() ? -1 : numberOf(*held.front(), copy - 1);
  }
  const auto& names = copyNames_[std::size_t(copy)];
  const auto own = names.find(&value);
  return own != names.end() ? own->second : values_.numbers.at(&value);
}

void Scheduler::addNode(const llvm::Instruction& instruction, int copy, MemoryOrder& order) {
  Node node{.instruction = &instruction, .latency = latencyOf(instruction)};
  const auto want = [&](int value) {
    if (value >= 0 && !llvm::is_contained(node.operands, value))
      node.operands.push_back(value);
  };
  for (const llvm::Value* value : cost_.needs(instruction))
    want(numberOf(*value, copy));
  for (const auto& [value, size] : cost_.copies(instruction))
    want(copied(*value, size));
  const int number = int(nodes_.size());
  if (values_.numbers.contains(&instruction)) {
    node.result = copyNames_[std::size_t(copy)].at(&instruction);
    maker_[std::size_t(node.result)] = number;
  }
  append(node);
  for (const int value : node.operands)
    if (const int maker = maker_[std::size_t(value)]; maker >= 0)
      list_.wait(number, maker, nodes_[std::size_t(maker)].latency);
  for (const llvm::Value* operand : instruction.operands())
    if (const auto test = tests_.find(operand); test != tests_.end())
      list_.wait(number, test->second, arithmeticLatency);
  list_.wait(number, lastWall_, 1);
  if (instruction.getType()->isIntegerTy(1))
    tests_[&instruction] = number;
  order.add(instruction, number, [&](int before) { list_.wait(number, before, 1); });
  if (isWall(instruction)) {
    lastWall_ = number;
    bases_.clear();
  }
}

void Scheduler::addCopy(int copy) {
  nameCopies(copy);
  for (const llvm::Instruction& instruction : block_.block)
    if (!llvm::isa<llvm::PHINode>(instruction) && !instruction.isTerminator() &&
        cost_.isExecuted(instruction))
      addNode(instruction, copy, order_);
}

void Scheduler::findAnchors() {
  for (int i = int(nodes_.size()) - 1; i >= 0; --i) {
    Node& node = nodes_[std::size_t(i)];
    int taken = 0, first = int(nodes_.size());
    for (const int value : node.operands)
      taken += registers_[std::size_t(value)];
    for (const ListSchedule::Wait& next : list_.waitingFor(i))
      first = std::min(first, nodes_[std::size_t(next.node)].anchor);
    const bool grows = node.result >= 0 && taken <= registers_[std::size_t(node.result)];
    node.anchor = grows && !list_.waitingFor(i).empty() ? first : i;
  }
}

int Scheduler::growth(const Node& node) const {
  int change = 0;
  if (node.result >= 0 && (uses_[std::size_t(node.result)] > 0 || outlives(node.result)))
    change += registers_[std::size_t(node.result)];
  for (const int value : node.operands)
    if (uses_[std::size_t(value)] == 1 && !outlives(value))
      change -= registers_[std::size_t(value)];
  return change;
}

/// What frees registers, and else what is needed soonest for something that does.
int Scheduler::chooseForRegisters() const {
  int best = -1, seen = 0;
  std::pair<bool, int> bestKey;
  for (const int number : list_.startable()) {
    const Node& node = nodes_[std::size_t(number)];
    const std::pair<bool, int> key = {growth(node) > 0, node.anchor};
    if (best < 0 || key < bestKey) {
      best = number;
      bestKey = key;
    }
    if (++seen == window)
      break;
  }
  return best;
}

void Scheduler::issue(int number) {
  const Node& node = nodes_[std::size_t(number)];
  const int inside = node.instruction == nullptr ? 0 : temporaryRegisters(*node.instruction);
  peak_.registers = std::max(peak_.registers, live_ + inside);
  for (const int value : node.operands)
    if (--uses_[std::size_t(value)] == 0 && !outlives(value))
      live_ -= registers_[std::size_t(value)];
  if (node.instruction != nullptr && isMachineCall(*node.instruction))
    peak_.calls.push_back({llvm::cast<llvm::CallInst>(node.instruction), live_});
  if (node.result < 0)
    return;
  live_ += registers_[std::size_t(node.result)];
  peak_.registers = std::max(peak_.registers, live_);
  if (uses_[std::size_t(node.result)] == 0 && !outlives(node.result))
    live_ -= registers_[std::size_t(node.result)];
}

SchedulePeak Scheduler::run() {
  // Step 1: nodes
  for (int copy = 0; copy < block_.copies; ++copy)
    addCopy(copy);
  // Step 2: anchors
  findAnchors();
  // Step 3: issue
  uses_.assign(registers_.size(), 0);
  for (const Node& node : nodes_)
    for (const int value : node.operands)
      ++uses_[std::size_t(value)];
  for (const unsigned value : block_.before.set_bits())
    live_ += registers_[value];
  for (const llvm::PHINode& phi : block_.block.phis())
    if (const auto found = values_.numbers.find(&phi); found != values_.numbers.end())
      live_ += registers_[std::size_t(found->second)];
  peak_.registers = live_;
  list_.run([&](int number) { issue(number); },
            [&](int best) {
              return live_ + growth(nodes_[std::size_t(best)]) > free_ ? chooseForRegisters()
                                                                       : best;
            });
  return peak_;
}

} // namespace

SchedulePeak scheduleBlock(const BlockToSchedule& block, const NumberedValues& values,
                           RegisterCost& cost, int free) {
  return Scheduler(block, values, cost, free).run();
}

} // namespace heddle::lowering
