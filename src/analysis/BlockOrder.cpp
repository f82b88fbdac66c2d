// SPDX-License-Identifier: Apache-2.0
//
// Steps:
//   1. note each access to global memory: what it does, which objects its address may belong to,
//      and whether the address is the block's own
//   2. look at each access by itself, then at each two that may touch the same object
#include "analysis/BlockOrder.h"

#include "analysis/AddressRoots.h"
#include "ptx/ReadPtx.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/CycleInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <set>
#include <tuple>

namespace heddle::analysis {
namespace {

using llvm::AtomicRMWInst;

enum class Use { Load, Store, Atomic };

/// What one or several instructions do.
struct Access {
  Use use;
  int kind;     ///< of an atomic, see kindInAnyOrder
  bool inOrder; ///< all blocks before have ended
  Address address;

  /// The same one for all blocks, and always.
  bool isOnePlace() const { return address.reach.isCommon() && address.base != nullptr; }

  bool operator<(const Access& other) const {
    return std::tie(use, kind, inOrder, address) <
           std::tie(other.use, other.kind, other.inOrder, other.address);
  }
};

Use useOf(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::LoadInst>(instruction))
    return Use::Load;
  return llvm::isa<llvm::StoreInst>(instruction) ? Use::Store : Use::Atomic;
}

/// What comes to the same in any order, while nothing else is done to the place: a number for each
/// kind; 0 for the rest.
int kindInAnyOrder(const AtomicRMWInst& atomic) {
  if (!atomic.use_empty() || atomic.isVolatile() ||
      atomic.getMetadata(ptx::smallAtomicMetadata) != nullptr)
    return 0;
  switch (atomic.getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
    return 1;
  case AtomicRMWInst::FAdd: // but for rounding
  case AtomicRMWInst::FSub:
    return 2;
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
  case AtomicRMWInst::FMax:
  case AtomicRMWInst::FMin:
    return 3 + int(atomic.getOperation());
  default:
    return 0;
  }
}

/// A call of a function that nobody defines: the engine does.
bool calls(const llvm::Instruction& instruction, llvm::StringRef name) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call != nullptr && call->getCalledFunction() != nullptr &&
         call->getCalledFunction()->getName() == name;
}

bool isInSharedMemory(const llvm::Instruction& instruction) {
  const auto* atomic = llvm::dyn_cast<AtomicRMWInst>(&instruction);
  const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
  constexpr unsigned sharedSpace = 3;
  return (atomic != nullptr && atomic->getPointerAddressSpace() == sharedSpace) ||
         (exchange != nullptr && exchange->getPointerAddressSpace() == sharedSpace);
}

/// An atomic that settles or shows an order.
bool isOrdered(const llvm::Instruction& instruction) {
  const auto* atomic = llvm::dyn_cast<AtomicRMWInst>(&instruction);
  return !isInSharedMemory(instruction) && ((atomic != nullptr && !isInAnyOrder(*atomic)) ||
                                            llvm::isa<llvm::AtomicCmpXchgInst>(instruction));
}

/// An atomic that shows an order, or the device's heap.
bool showsOrder(const llvm::Instruction& instruction) {
  return isOrdered(instruction) || calls(instruction, "malloc") || calls(instruction, "free");
}

bool endsInOrder(const llvm::Instruction& instruction) {
  const auto* atomic = llvm::dyn_cast<AtomicRMWInst>(&instruction);
  const bool sumsFloats = atomic != nullptr && (atomic->getOperation() == AtomicRMWInst::FAdd ||
                                                atomic->getOperation() == AtomicRMWInst::FSub);
  return showsOrder(instruction) || (sumsFloats && !isInSharedMemory(instruction)) ||
         calls(instruction, "vprintf");
}

bool mayPoll(const llvm::Instruction& instruction) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return load != nullptr && (load->isVolatile() || load->isAtomic());
}

/// Whether different numbers stay different: not where a remainder or bits of them are taken.
bool keepsApart(const llvm::Value* value) {
  const auto* made = llvm::dyn_cast<llvm::Instruction>(value);
  if (made == nullptr)
    return true;
  switch (made->getOpcode()) {
  case llvm::Instruction::URem:
  case llvm::Instruction::SRem:
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SDiv:
  case llvm::Instruction::And:
  case llvm::Instruction::LShr:
  case llvm::Instruction::AShr:
  case llvm::Instruction::Select:
  case llvm::Instruction::PHI:
    return false;
  default:
    break;
  }
  return !(made->isBinaryOp() || made->isCast()) ||
         llvm::all_of(made->operands(), [](const llvm::Use& use) { return keepsApart(use.get()); });
}

/// `x == y` where the condition holds, or does not, and the rest of a conjunction.
bool tellsBlocksApart(const llvm::Value* condition, bool holds, const AddressRoots& roots) {
  using namespace llvm::PatternMatch;
  const llvm::Value* left = nullptr;
  const llvm::Value* right = nullptr;
  if (holds ? match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))
            : match(condition, m_LogicalOr(m_Value(left), m_Value(right))))
    return tellsBlocksApart(left, holds, roots) || tellsBlocksApart(right, holds, roots);
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(condition);
  if (compare == nullptr ||
      compare->getPredicate() != (holds ? llvm::ICmpInst::ICMP_EQ : llvm::ICmpInst::ICMP_NE))
    return false;
  return llvm::any_of(compare->operands(), [&](const llvm::Use& side) {
    return roots.reach(side.get()).block && !roots.reach(side.get()).data && keepsApart(side.get());
  });
}

/// Conditions that hold where an instruction is, with what they are there.
template <class Ask>
bool isBehind(const llvm::Instruction& instruction, const llvm::DominatorTree& dominators,
              Ask&& ask) {
  const llvm::BasicBlock* const here = instruction.getParent();
  const llvm::DomTreeNode* node = dominators.getNode(here);
  for (node = node == nullptr ? nullptr : node->getIDom(); node != nullptr;
       node = node->getIDom()) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(node->getBlock()->getTerminator());
    if (branch == nullptr || !branch->isConditional())
      continue;
    for (const unsigned side : {0u, 1u}) {
      const llvm::BasicBlockEdge edge(node->getBlock(), branch->getSuccessor(side));
      if (dominators.dominates(edge, here) && ask(branch->getCondition(), side == 0))
        return true;
    }
  }
  return false;
}

class Finder {
public:
  explicit Finder(const std::vector<llvm::Function*>& functions)
      : functions_(functions), roots_(functions, isOrdered) {}

  BlockOrder find() {
    for (llvm::Function* function : functions_) {
      llvm::CycleInfo cycles;
      cycles.compute(*function);
      const llvm::DominatorTree dominators(*function);
      for (llvm::Instruction& instruction : llvm::instructions(*function))
        note(instruction, cycles, dominators);
    }
    for (const CommonStore& store : commonStores_)
      noteCommonStore(store);
    for (const Access& one : accesses_)
      for (const Access& other : accesses_)
        if (!found_.needsTurns && meet(one, other))
          compare(one.address, other.address);
    found_.needsTurnsIfTogether.assign(together_.begin(), together_.end());
    return found_;
  }

private:
  /// To a place that is the same for all blocks.
  struct CommonStore {
    llvm::StoreInst* store;
    Address address;
    bool inOrder;
    bool isOfOneBlock; ///< as behind `if (i == 0)`
  };

  // Step 1
  void note(llvm::Instruction& instruction, const llvm::CycleInfo& cycles,
            const llvm::DominatorTree& dominators) {
    found_.endsInOrder = found_.endsInOrder || endsInOrder(instruction);
    found_.showsOrder = found_.showsOrder || showsOrder(instruction);
    Address address = roots_.addressOf(instruction);
    if (!address.isGlobal() || instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load))
      return;
    if (mayPoll(instruction) || (isOrdered(instruction) && mayWait(instruction, cycles)))
      found_.needsTurns = true;
    const bool inOrder = isOrdered(instruction) ||
                         isBehind(instruction, dominators, [&](const llvm::Value* condition, bool) {
                           return roots_.reach(condition).turn;
                         });
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        store != nullptr && address.reach.isCommon()) {
      const bool isOfOneBlock =
          isBehind(instruction, dominators, [&](const llvm::Value* condition, bool holds) {
            return tellsBlocksApart(condition, holds, roots_);
          });
      commonStores_.push_back({store, std::move(address), inOrder, isOfOneBlock});
      return;
    }
    const auto* atomic = llvm::dyn_cast<AtomicRMWInst>(&instruction);
    accesses_.insert({useOf(instruction), atomic == nullptr ? 0 : kindInAnyOrder(*atomic), inOrder,
                      std::move(address)});
  }

  /// Whether it is in a loop that may go on until others have done something. Who calls a function
  /// in a loop is not asked.
  bool mayWait(const llvm::Instruction& instruction, const llvm::CycleInfo& cycles) const {
    if (instruction.getFunction() != functions_.front())
      return true;
    for (const llvm::Cycle* cycle = cycles.getCycle(instruction.getParent()); cycle != nullptr;
         cycle = cycle->getParentCycle()) {
      llvm::SmallVector<llvm::BasicBlock*, 4> exits;
      cycle->getExitingBlocks(exits);
      for (const llvm::BasicBlock* exit : exits) {
        const auto* branch = llvm::dyn_cast<llvm::BranchInst>(exit->getTerminator());
        if (branch == nullptr || roots_.reach(branch->getCondition()).data)
          return true;
      }
    }
    return false;
  }

  // Step 2

  /// Marks one that leaves something else if blocks run in another order.
  void noteCommonStore(const CommonStore& common) {
    const llvm::Value* value = common.store->getValueOperand();
    const bool differs =
        roots_.reach(value).differs() || llvm::any_of(commonStores_, [&](const CommonStore& other) {
          return other.store->getValueOperand() != value && common.address.mayBe(other.address);
        });
    const bool isMarked = differs && !common.inOrder && !common.isOfOneBlock;
    if (isMarked) {
      common.store->setMetadata(inOrderMetadata, llvm::MDNode::get(common.store->getContext(), {}));
      found_.endsInOrder = true;
    }
    accesses_.insert({Use::Store, 0, common.inOrder || isMarked, common.address});
  }

  /// Whether it matters if these two touch the same memory. Of each two one is asked once.
  static bool meet(const Access& one, const Access& other) {
    const Reach& first = one.address.reach;
    const Reach& second = other.address.reach;
    if ((one.inOrder && other.inOrder) || one.address.isApartFrom(other.address))
      return false;
    switch (one.use) {
    case Use::Load:
      return false;
    case Use::Store:
      return other.use == Use::Load && !(first.isOwn() && (second.isOwn() || other.isOnePlace() ||
                                                           (other.inOrder && !second.data)));
    case Use::Atomic:
      break;
    }
    if (other.use == Use::Atomic)
      return one.kind != other.kind;
    return !(first.isOwn() && second.isOwn());
  }

  void compare(const Address& one, const Address& other) {
    for (const Root& first : one.roots)
      for (const Root& second : other.roots) {
        const auto left = first.argument(), right = second.argument();
        if (first.mayBe(second))
          found_.needsTurns = true;
        else if (left && right)
          together_.insert(std::minmax(*left, *right));
      }
  }

  const std::vector<llvm::Function*>& functions_;
  AddressRoots roots_;
  std::set<Access> accesses_;
  std::vector<CommonStore> commonStores_;
  std::set<std::pair<ArgumentPlace, ArgumentPlace>> together_;
  BlockOrder found_;
};

} // namespace

bool isInAnyOrder(const AtomicRMWInst& atomic) {
  return kindInAnyOrder(atomic) != 0;
}

BlockOrder findBlockOrder(const std::vector<llvm::Function*>& functions) {
  return Finder(functions).find();
}

} // namespace heddle::analysis
