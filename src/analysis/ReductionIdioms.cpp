// SPDX-License-Identifier: Apache-2.0
//
// A fold is a store to shared memory of something computed from another place there. Steps:
//   1. in each loop whose counter doubles or halves: how the threads that fold are chosen, how
//      their places are computed, whether anything orders the turns
//   2. in each basic block: folds one after the other with nothing between them
#include "analysis/ReductionIdioms.h"

#include "analysis/DivergentBarriers.h"
#include "analysis/SharedAddresses.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>

namespace heddle::analysis {
namespace {

using namespace llvm::PatternMatch;

constexpr int searchDepth = 6; ///< of operands; a fold is a short expression

const llvm::Value* withoutCasts(const llvm::Value* value) {
  while (const auto* cast = llvm::dyn_cast<llvm::CastInst>(value))
    value = cast->getOperand(0);
  return value;
}

/// Whether a value is computed from one for which `is` holds, in a few steps.
template <class Predicate>
const llvm::Value* findOperand(const llvm::Value* value, Predicate is, int depth = searchDepth) {
  if (is(value))
    return value;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction == nullptr || depth == 0 || llvm::isa<llvm::PHINode, llvm::LoadInst>(value))
    return nullptr;
  for (const llvm::Value* operand : instruction->operands())
    if (const llvm::Value* found = findOperand(operand, is, depth - 1))
      return found;
  return nullptr;
}

bool dependsOn(const llvm::Value* value, const llvm::Value* origin) {
  return findOperand(value, [&](const llvm::Value* at) { return at == origin; }) != nullptr;
}

bool isShared(const llvm::Value& pointer) {
  return addressSpaceOf(pointer) == AddressSpace::Shared;
}

/// x[a] = f(..., x[b])
struct Fold {
  const llvm::StoreInst* store = nullptr;
  const llvm::LoadInst* other = nullptr; ///< of x[b]

  bool isVolatile() const { return store->isVolatile() || other->isVolatile(); }
};

std::optional<Fold> foldAt(const ThreadDependence& threads, const llvm::Instruction& instruction) {
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  if (store == nullptr || !isShared(*store->getPointerOperand()))
    return std::nullopt;
  const llvm::Value* own = store->getPointerOperand();
  const llvm::LoadInst* other =
      nullptr; // the last: x[a] may still be in a register since the first
  const auto visit = [&](const llvm::Value* value) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
    if (load != nullptr && load->getPointerOperand() != own &&
        isShared(*load->getPointerOperand()) &&
        (other == nullptr || (load->getParent() == other->getParent() && other->comesBefore(load))))
      other = load;
    return false;
  };
  findOperand(store->getValueOperand(), visit);
  const bool folds = other != nullptr && other != store->getValueOperand(); // not a mere copy
  const bool byThread = threads.of(own).spread() > Spread::Warp;
  if (!folds || !byThread)
    return std::nullopt;
  return Fold{store, other};
}

/// Whether it orders what the lanes of a warp do.
bool synchronizes(const llvm::Instruction& instruction) {
  if (isBlockBarrier(instruction))
    return true;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (call == nullptr)
    return false;
  if (call->isInlineAsm() || call->getIntrinsicID() == llvm::Intrinsic::nvvm_bar_warp_sync)
    return true;
  const llvm::Function* callee = call->getCalledFunction();
  return callee == nullptr || !callee->isDeclaration() || callee->getName().contains("membar") ||
         callee->getName().contains(".sync");
}

/// A counter of the loop that doubles or halves.
const llvm::PHINode* strideOf(const llvm::Loop& loop) {
  const llvm::BasicBlock* latch = loop.getLoopLatch();
  for (const llvm::PHINode& phi : loop.getHeader()->phis()) {
    const llvm::Value* next = latch == nullptr ? nullptr : phi.getIncomingValueForBlock(latch);
    const bool isStride =
        next != nullptr && (match(next, m_c_Mul(m_Specific(&phi), m_SpecificInt(2))) ||
                            match(next, m_Shl(m_Specific(&phi), m_One())) ||
                            match(next, m_Shr(m_Specific(&phi), m_One())) ||
                            match(next, m_UDiv(m_Specific(&phi), m_SpecificInt(2))) ||
                            match(next, m_SDiv(m_Specific(&phi), m_SpecificInt(2))));
    if (isStride)
      return &phi;
  }
  return nullptr;
}

class LoopReduction {
public:
  LoopReduction(const ThreadDependence& threads, const llvm::Loop& loop,
                const llvm::PHINode& stride)
      : threads_(threads), loop_(loop), stride_(stride) {
    for (const llvm::BasicBlock* block : loop.blocks())
      for (const llvm::Instruction& instruction : *block) {
        isOrdered_ = isOrdered_ || synchronizes(instruction);
        const auto fold = foldAt(threads, instruction);
        if (fold && dependsOn(fold->other->getPointerOperand(), &stride))
          folds_.push_back(*fold);
      }
  }

  /// `if (tid % (2 * s) == 0)`
  const llvm::Instruction* divergentBranch() const {
    return guard([&](const llvm::Value& condition) { return choosesByRemainder(condition); });
  }

  /// `if (lane < s)`, as it should be
  const llvm::Instruction* orderlyBranch() const {
    return guard([&](const llvm::Value& condition) {
      const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&condition);
      return compare != nullptr && compare->isRelational() &&
             (dependsOn(compare->getOperand(0), &stride_) ||
              dependsOn(compare->getOperand(1), &stride_));
    });
  }

  /// `x[2 * s * tid] += ...`
  const llvm::Instruction* conflictingStore() const {
    for (const Fold& fold : folds_) {
      const auto* address =
          llvm::dyn_cast<llvm::GetElementPtrInst>(fold.store->getPointerOperand());
      if (address == nullptr)
        continue;
      for (const llvm::Value* index : address->indices())
        if (isStridden(*withoutCasts(index)))
          return fold.store;
    }
    return nullptr;
  }

  const llvm::Instruction* unorderedStore() const {
    const auto plain = std::ranges::find_if(folds_, [](const Fold& f) { return !f.isVolatile(); });
    return isOrdered_ || plain == folds_.end() ? nullptr : plain->store;
  }

private:
  /// The branch of such a condition that a fold depends on.
  const llvm::Instruction* guard(llvm::function_ref<bool(const llvm::Value&)> is) const {
    for (const ThreadDependence::Choice& choice : threads_.choices())
      for (const Fold& fold : folds_) {
        const auto block = std::size_t(threads_.flow().number(fold.store->getParent()));
        const bool guards =
            loop_.contains(choice.branch) && !isLoopTest(*choice.branch) &&
            std::ranges::any_of(choice.sides, [&](const auto& side) { return side[block]; });
        if (guards && is(*choice.condition))
          return choice.branch;
      }
    return nullptr;
  }

  /// The loop's own test; where a compiler has turned the loop round, its header may hold a guard.
  bool isLoopTest(const llvm::Instruction& branch) const {
    return branch.getParent() == loop_.getHeader() && loop_.isLoopExiting(branch.getParent());
  }

  bool variesByThread(const llvm::Value* value) const {
    return threads_.of(value).spread() > Spread::Warp;
  }

  bool choosesByRemainder(const llvm::Value& condition) const {
    llvm::CmpInst::Predicate predicate = llvm::CmpInst::BAD_ICMP_PREDICATE;
    llvm::Value *thread = nullptr, *step = nullptr;
    const auto remainder = m_CombineOr(
        m_URem(m_Value(thread), m_Value(step)),
        m_CombineOr(m_SRem(m_Value(thread), m_Value(step)), m_And(m_Value(thread), m_Value(step))));
    if (!match(&condition, m_ICmp(predicate, remainder, m_Zero())))
      return false;
    if (!variesByThread(thread)) // a mask in front: (2 * s - 1) & tid
      std::swap(thread, step);
    return llvm::CmpInst::isEquality(predicate) && variesByThread(thread) &&
           dependsOn(step, &stride_);
  }

  bool isStridden(const llvm::Value& index) const {
    llvm::Value *a = nullptr, *b = nullptr;
    if (match(&index, m_Shl(m_Value(a), m_ConstantInt()))) // bytes
      return isStridden(*withoutCasts(a));
    if (!match(&index, m_Mul(m_Value(a), m_Value(b))) &&
        !match(&index, m_Shl(m_Value(a), m_Value(b))))
      return false;
    return (variesByThread(a) && !variesByThread(b) && dependsOn(b, &stride_)) ||
           (variesByThread(b) && !variesByThread(a) && dependsOn(a, &stride_));
  }

  const ThreadDependence& threads_;
  const llvm::Loop& loop_;
  const llvm::PHINode& stride_;
  std::vector<Fold> folds_;
  bool isOrdered_ = false;
};

constexpr const char* tailText =
    "lanes read here what others of the warp wrote before, with neither volatile nor __syncwarp() "
    "between; from compute capability 7.0 on they need not run in step";

// Step 1
void judgeLoop(const ThreadDependence& threads, const llvm::Loop& loop,
               llvm::DenseSet<const llvm::Instruction*>& explained, Findings& to) {
  const llvm::PHINode* stride = strideOf(loop);
  if (stride == nullptr)
    return;
  const LoopReduction reduction(threads, loop, *stride);
  if (const llvm::Instruction* branch = reduction.divergentBranch()) {
    explained.insert(branch);
    addFinding(to, *branch, "heddle-divergent-reduction",
               "the threads that add are spread over all warps; let the first ones do it: "
               "halve the stride from blockDim.x / 2 on and test tid < stride");
  }
  if (const llvm::Instruction* branch = reduction.orderlyBranch())
    explained.insert(branch);
  if (const llvm::Instruction* store = reduction.conflictingStore())
    addFinding(
        to, *store, "heddle-conflicting-reduction",
        "the lanes of a warp are a multiple of the stride apart and hit the same banks of "
        "shared memory; halve the stride from blockDim.x / 2 on and add x[tid + stride] to x[tid]");
  if (const llvm::Instruction* store = reduction.unorderedStore())
    addFinding(to, *store, "heddle-reduction-tail", tailText);
}

// Step 2
void judgeBlock(const ThreadDependence& threads, const llvm::BasicBlock& block, Findings& to) {
  const llvm::StoreInst* before = nullptr;
  for (const llvm::Instruction& instruction : block) {
    if (synchronizes(instruction))
      before = nullptr;
    const auto fold = foldAt(threads, instruction);
    if (!fold || fold->isVolatile())
      continue;
    const bool follows = before != nullptr && fold->other->getParent() == &block &&
                         before->comesBefore(fold->other) &&
                         before->getPointerOperand() == fold->store->getPointerOperand();
    if (follows) {
      addFinding(to, *fold->store, "heddle-reduction-tail", tailText);
      return; // once for all steps of the tail
    }
    before = fold->store;
  }
}

} // namespace

void findReductions(const ThreadDependence& threads, llvm::Function& kernel,
                    llvm::DenseSet<const llvm::Instruction*>& explained, Findings& to) {
  const llvm::DominatorTree dominators(kernel);
  const llvm::LoopInfo loops(dominators);
  for (const llvm::Loop* loop : loops.getLoopsInPreorder())
    judgeLoop(threads, *loop, explained, to);
  for (const llvm::BasicBlock* block : threads.flow().blocks)
    judgeBlock(threads, *block, to);
}

} // namespace heddle::analysis
