// SPDX-License-Identifier: Apache-2.0
//
//   1. liveness of the values that take registers, backwards through the blocks
//   2. each block in the order of a compiler, with what is live around it
//   3. calls, and what every kernel has
#include "lowering/registers/RegisterPressure.h"

#include "lowering/Fusion.h"
#include "lowering/registers/RegisterSchedule.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <map>
#include <set>

namespace heddle::lowering {
namespace {

constexpr int fermi = 20, volta = 70;

/// From Fermi on R1 is the stack pointer; from Volta on the driver keeps two more.
int fixedRegisters(int computeCapability) {
  return computeCapability >= volta ? 3 : computeCapability >= fermi ? 1 : 0;
}

/// What is left unused while there is room: pairs start at even numbers, and a register is not
/// reused at once while an instruction in flight still reads it. Before Fermi there were no pairs
/// for addresses, and room was scarce.
int slackRegisters(int computeCapability) {
  return computeCapability >= fermi ? 3 : 0;
}

/// A call to code that is not known when the caller is compiled goes by the ABI: the callee may use
/// the first 16, values that live on are above them.
constexpr int abiRegisters = 24, abiScratch = 16;

/// The highest register of a callee that goes by the ABI. It leaves alone what belongs to its
/// caller, as saving it costs time: 16 to 31, before Hopper also 40 to 63.
int withoutCallers(int own, int computeCapability) {
  if (own <= abiRegisters)
    return own;
  const int above = own + 16;
  return computeCapability < 90 && above > 40 ? above + 24 : above;
}

/// ptxas unrolls small counting loops by this much.
constexpr int unrollFactor = 4, largestUnrolled = 40;

class Liveness {
public:
  Liveness(const llvm::Function& function, RegisterCost& cost);

  const NumberedValues& values() const { return values_; }
  const llvm::BitVector& before(const llvm::BasicBlock& block) const { return before_.at(&block); }
  llvm::BitVector after(const llvm::BasicBlock& block);

private:
  void number(const llvm::Value& value);
  llvm::BitVector through(const llvm::BasicBlock& block);

  RegisterCost& cost_;
  NumberedValues values_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BitVector> before_;
};

void Liveness::number(const llvm::Value& value) {
  const int registers = cost_.of(value);
  if (registers == 0)
    return;
  values_.numbers[&value] = int(values_.registers.size());
  values_.registers.push_back(registers);
}

/// Values live at the end of a block: what its successors need, phis by what comes from here.
llvm::BitVector Liveness::after(const llvm::BasicBlock& block) {
  llvm::BitVector live(unsigned(values_.registers.size()));
  for (const llvm::BasicBlock* next : llvm::successors(&block)) {
    live |= before_[next];
    for (const llvm::PHINode& phi : next->phis())
      if (cost_.isExecuted(phi))
        for (const llvm::Value* value : cost_.heldFor(*phi.getIncomingValueForBlock(&block)))
          live.set(unsigned(values_.numbers.at(value)));
  }
  return live;
}

llvm::BitVector Liveness::through(const llvm::BasicBlock& block) {
  llvm::BitVector live = after(block);
  for (const llvm::Instruction& instruction : llvm::reverse(block)) {
    if (const auto own = values_.numbers.find(&instruction); own != values_.numbers.end())
      live.reset(unsigned(own->second));
    if (llvm::isa<llvm::PHINode>(instruction) || !cost_.isExecuted(instruction))
      continue;
    for (const llvm::Value* value : cost_.needs(instruction))
      live.set(unsigned(values_.numbers.at(value)));
  }
  return live;
}

Liveness::Liveness(const llvm::Function& function, RegisterCost& cost) : cost_(cost) {
  for (const llvm::Argument& argument : function.args())
    number(argument);
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block)
      if (cost.isExecuted(instruction))
        number(instruction);
  const std::vector<const llvm::BasicBlock*> order(llvm::po_begin(&function),
                                                   llvm::po_end(&function));
  for (const llvm::BasicBlock& block : function)
    before_[&block] = llvm::BitVector(unsigned(values_.registers.size()));
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::BasicBlock* block : order) {
      llvm::BitVector live = through(*block);
      changed |= live != before_[block];
      before_[block] = std::move(live);
    }
  }
}

/// A variable that goes up or down by a constant in a loop of one block.
bool isCounter(const llvm::Value& value, const llvm::BasicBlock& loop) {
  const auto* step = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (step == nullptr || step->getOpcode() != llvm::Instruction::Add ||
      !llvm::isa<llvm::ConstantInt>(step->getOperand(1)))
    return false;
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(step->getOperand(0));
  return phi != nullptr && phi->getParent() == &loop &&
         phi->getIncomingValueForBlock(&loop) == step;
}

bool mayBeUnrolled(const llvm::Instruction& instruction) {
  return !hasEffect(instruction) || llvm::isa<llvm::StoreInst>(instruction) ||
         (llvm::isa<llvm::LoadInst>(instruction) &&
          !llvm::cast<llvm::LoadInst>(instruction).isVolatile());
}

bool isUnrollingOff(const llvm::Instruction& branch) {
  const llvm::MDNode* loop = branch.getMetadata(llvm::LLVMContext::MD_loop);
  if (loop == nullptr)
    return false;
  return llvm::any_of(llvm::drop_begin(loop->operands()), [](const llvm::MDOperand& operand) {
    const auto* node = llvm::dyn_cast<llvm::MDNode>(operand);
    const auto* name = node == nullptr || node->getNumOperands() == 0
                           ? nullptr
                           : llvm::dyn_cast<llvm::MDString>(node->getOperand(0));
    return name != nullptr && name->getString() == "llvm.loop.unroll.disable";
  });
}

/// How often the compiler repeats the body of a loop: a counting loop of one block, ended by an
/// ordered comparison.
int copiesOf(const llvm::BasicBlock& block, const RegisterCost& cost) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (branch == nullptr || !branch->isConditional() || isUnrollingOff(*branch) ||
      !llvm::is_contained(llvm::successors(&block), &block))
    return 1;
  const auto* test = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  if (test == nullptr || test->isEquality() ||
      !llvm::any_of(test->operands(),
                    [&](const llvm::Use& side) { return isCounter(*side, block); }))
    return 1;
  int executed = 0;
  for (const llvm::Instruction& instruction : block) {
    executed += cost.isExecuted(instruction) && !isFusedProduct(instruction) ? 1 : 0;
    if (!mayBeUnrolled(instruction) && cost.isExecuted(instruction))
      return 1;
  }
  return executed <= largestUnrolled ? unrollFactor : 1;
}

class Demand {
public:
  explicit Demand(const RegisterTarget& target) : target_(target) {}

  /// Without the fixed registers, and without calls that go by the ABI.
  int of(const llvm::Function& function, bool isKernel);

  /// What the calls by the ABI need that were met so far, the fixed registers included.
  int byAbi() const { return byAbi_; }

private:
  int ofCall(const CallPressure& pressure);
  void callAny(const llvm::CallInst& call);

  RegisterTarget target_;
  int byAbi_ = 0;
  std::map<const llvm::Function*, int> known_;
  std::set<const llvm::Function*> open_; ///< being measured: a call to one of them is recursion
};

/// Through a pointer, any function may be called whose address is taken and whose type fits.
void Demand::callAny(const llvm::CallInst& call) {
  for (const llvm::Function& function : *call.getModule())
    if (!function.isDeclaration() && function.hasAddressTaken() && !open_.contains(&function) &&
        function.getFunctionType() == call.getFunctionType()) {
      const int own = of(function, false) + fixedRegisters(target_.computeCapability) +
                      slackRegisters(target_.computeCapability);
      byAbi_ = std::max(byAbi_, withoutCallers(own, target_.computeCapability));
    }
}

int Demand::ofCall(const CallPressure& pressure) {
  const llvm::Function* callee = pressure.call->getCalledFunction();
  const bool isKnown = callee != nullptr && !callee->isDeclaration() && !open_.contains(callee);
  if (isKnown)
    return pressure.across + of(*callee, false);
  const int fixed = fixedRegisters(target_.computeCapability);
  byAbi_ = std::max({byAbi_, abiRegisters, abiScratch + fixed + pressure.across});
  if (callee == nullptr)
    callAny(*pressure.call);
  return 0;
}

int Demand::of(const llvm::Function& function, bool isKernel) {
  if (const auto known = known_.find(&function); known != known_.end())
    return known->second;
  open_.insert(&function);
  RegisterCost cost(function, isKernel, target_.computeCapability);
  Liveness liveness(function, cost);
  const int free = target_.free - fixedRegisters(target_.computeCapability);
  int most = 0;
  for (const llvm::BasicBlock& block : function) {
    const llvm::BitVector after = liveness.after(block);
    const SchedulePeak peak =
        scheduleBlock({block, liveness.before(block), after, copiesOf(block, cost)},
                      liveness.values(), cost, free);
    most = std::max(most, peak.registers);
    for (const CallPressure& call : peak.calls)
      most = std::max(most, ofCall(call));
  }
  open_.erase(&function);
  return known_[&function] = most;
}

} // namespace

int registerDemand(const llvm::Function& kernel, const RegisterTarget& target) {
  Demand demand(target);
  const int needed = demand.of(kernel, true) + fixedRegisters(target.computeCapability);
  const int slack = slackRegisters(target.computeCapability);
  const int used = needed < target.free ? std::min(needed + slack, target.free) : needed;
  return std::max(used, demand.byAbi());
}

} // namespace heddle::lowering
