// SPDX-License-Identifier: Apache-2.0
#include "analysis/AddressRoots.h"

#include "analysis/ClusterRegisters.h"
#include "ptx/ReadPtx.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <utility>

namespace heddle::analysis {
namespace {

// Of NVPTX
constexpr unsigned sharedSpace = 3, constantSpace = 4, localSpace = 5;

bool isShort(unsigned space) {
  return space == sharedSpace || space == localSpace;
}

/// What a special register tells; nothing for other calls.
std::optional<Reach> ofRegister(llvm::Intrinsic::ID id) {
  namespace Intrinsic = llvm::Intrinsic;
  if (isClusterRegister(id))
    return Reach{.block = true};
  switch (id) {
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
    return Reach{.block = true};
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
  case Intrinsic::nvvm_read_ptx_sreg_laneid:
  case Intrinsic::nvvm_read_ptx_sreg_warpid:
    return Reach{.thread = true};
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
  case Intrinsic::nvvm_read_ptx_sreg_warpsize:
  case Intrinsic::nvvm_read_ptx_sreg_gridid:
  case Intrinsic::nvvm_read_ptx_sreg_nsmid:
    return Reach{};
  case Intrinsic::nvvm_read_ptx_sreg_smid: // several blocks have the same
  case Intrinsic::nvvm_read_ptx_sreg_clock:
  case Intrinsic::nvvm_read_ptx_sreg_clock64:
  case Intrinsic::nvvm_read_ptx_sreg_globaltimer:
    return Reach{.data = true};
  default:
    return std::nullopt;
  }
}

struct Operand {
  const llvm::Value* pointer = nullptr;
  const llvm::Type* type = nullptr;
};

Operand operandOf(const llvm::Instruction& access) {
  if (const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&access))
    return {atomic->getPointerOperand(), atomic->getType()};
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&access))
    return {exchange->getPointerOperand(), exchange->getNewValOperand()->getType()};
  if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&access))
    return {pointer, llvm::getLoadStoreType(const_cast<llvm::Instruction*>(&access))};
  return {};
}

/// An address in the shared memory of a block of the cluster.
bool isMapped(const llvm::Value* value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(value);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee != nullptr && callee->getName() == ptx::mapSharedName;
}

/// A number that may be an address, not an offset: those are products, or were shorter.
bool mayBeAddress(const llvm::Value* value) {
  if (!value->getType()->isIntegerTy(64))
    return false;
  if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value))
    return operation->getOpcode() == llvm::Instruction::Add ||
           operation->getOpcode() == llvm::Instruction::Sub ||
           operation->getOpcode() == llvm::Instruction::Or ||
           operation->getOpcode() == llvm::Instruction::And;
  return llvm::isa<llvm::Argument, llvm::LoadInst, llvm::PHINode, llvm::SelectInst, llvm::CallInst,
                   llvm::FreezeInst, llvm::ExtractValueInst>(value) ||
         llvm::isa<llvm::PtrToIntOperator>(value);
}

} // namespace

std::optional<ArgumentPlace> Root::argument() const {
  const auto* argument = llvm::dyn_cast_or_null<llvm::Argument>(object);
  if (argument == nullptr || holdsAny || argument->hasByValAttr() != held.has_value())
    return std::nullopt;
  return ArgumentPlace{argument->getArgNo(), held.value_or(0)};
}

bool Address::mayBe(const Address& other) const {
  return !isApartFrom(other) && llvm::any_of(roots, [&](const Root& one) {
    return llvm::any_of(other.roots, [&](const Root& two) { return one.mayBe(two); });
  });
}

AddressRoots::AddressRoots(const std::vector<llvm::Function*>& functions,
                           std::function<bool(const llvm::Instruction&)> isOrdered)
    : functions_(functions), types_(functions.front()->getParent()->getDataLayout()),
      isOrdered_(std::move(isOrdered)) {
  noteCalls();
  for (const llvm::Function* function : functions_)
    for (const llvm::Instruction& instruction : llvm::instructions(*function))
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        stored_[llvm::getUnderlyingObject(store->getPointerOperand())].push_back(store);
  spread();
}

bool AddressRoots::isKernelArgument(const llvm::Value* value) const {
  const auto* argument = llvm::dyn_cast<llvm::Argument>(value);
  return argument != nullptr && argument->getParent() == functions_.front();
}

/// A call through a pointer may call each function of that type whose address is taken.
void AddressRoots::noteCalls() {
  for (const llvm::Function* from : functions_)
    for (const llvm::Instruction& instruction : llvm::instructions(*from)) {
      const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call == nullptr)
        continue;
      for (const llvm::Function* to : functions_) {
        const bool mayCall = call->getCalledFunction() != nullptr
                                 ? call->getCalledFunction() == to
                                 : to->hasAddressTaken() && to->arg_size() == call->arg_size();
        for (unsigned i = 0; mayCall && i < std::min<unsigned>(to->arg_size(), call->arg_size());
             ++i)
          passed_[to->getArg(i)].push_back(call->getArgOperand(i));
      }
    }
}

/// Until nothing changes: what reaches a value only grows.
void AddressRoots::spread() {
  for (bool changed = true; changed;) {
    changed = false;
    const auto grow = [&](const llvm::Value* value, const Reach& found) {
      Reach& known = reach_[value];
      changed = changed || known != (known | found);
      known = known | found;
    };
    for (const auto& [argument, values] : passed_)
      for (const llvm::Value* value : values)
        grow(argument, reach(value));
    for (const llvm::Function* function : functions_)
      for (const llvm::Instruction& instruction : llvm::instructions(*function))
        if (!instruction.getType()->isVoidTy())
          grow(&instruction, reachOf(instruction));
  }
}

Reach AddressRoots::reach(const llvm::Value* value) const {
  return reach_.lookup(value);
}

/// Whether a load reads a shared variable in which nobody but an atomic's result is stored, as that
/// a block is the last one.
bool AddressRoots::holdsTurn(const llvm::LoadInst& load) const {
  const llvm::Value* object = llvm::getUnderlyingObject(load.getPointerOperand());
  const auto stores = stored_.find(object);
  return llvm::isa<llvm::GlobalVariable>(object) &&
         isShort(object->getType()->getPointerAddressSpace()) && stores != stored_.end() &&
         llvm::all_of(stores->second, [&](const llvm::StoreInst* store) {
           return reach(store->getValueOperand()).turn;
         });
}

Reach AddressRoots::reachOf(const llvm::Instruction& instruction) const {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return isConstantMemory(load->getPointerOperand())
               ? reach(load->getPointerOperand())
               : Reach{.data = true, .turn = holdsTurn(*load)};
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
    return {.data = true, .turn = isOrdered_(instruction)};
  if (llvm::isa<llvm::AllocaInst>(instruction))
    return {.thread = true};
  Reach found;
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
    found = ofCall(*call);
    for (const llvm::Use& argument : call->args())
      found = found | reach(argument.get());
    return found;
  }
  for (const llvm::Use& operand : instruction.operands())
    found = found | reach(operand.get());
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
    found.way = true;
    found.turn = llvm::all_of(phi->incoming_values(),
                              [&](const llvm::Use& value) { return reach(value.get()).turn; });
  }
  return found;
}

Reach AddressRoots::ofCall(const llvm::CallInst& call) const {
  const llvm::Function* callee = call.getCalledFunction();
  if (callee == nullptr || llvm::is_contained(functions_, callee))
    return {.data = true};
  if (const std::optional<Reach> known = ofRegister(callee->getIntrinsicID()))
    return *known;
  // Other lanes tell something, and so do functions of the engine that read no memory.
  return {.thread = true, .data = !callee->isIntrinsic() && !callee->doesNotAccessMemory()};
}

/// Arguments, and variables that no kernel writes.
bool AddressRoots::isConstantMemory(const llvm::Value* pointer) const {
  if (pointer->getType()->getPointerAddressSpace() == constantSpace)
    return true;
  while (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer->stripPointerCasts()))
    pointer = step->getPointerOperand();
  pointer = pointer->stripPointerCasts();
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(pointer))
    return variable->isConstant() || variable->getAddressSpace() == constantSpace;
  return isKernelArgument(pointer) && llvm::cast<llvm::Argument>(pointer)->hasByValAttr();
}

/// Of a pointer that is loaded: who holds it.
void AddressRoots::addHeld(const llvm::LoadInst& load, std::vector<Root>& roots) const {
  const llvm::Value* from = load.getPointerOperand();
  if (!isConstantMemory(from))
    return roots.push_back({});
  llvm::APInt offset(types_.getIndexTypeSizeInBits(from->getType()), 0);
  const llvm::Value* holder = from->stripAndAccumulateConstantOffsets(types_, offset, true);
  if (llvm::isa<llvm::Argument, llvm::GlobalVariable>(holder))
    return roots.push_back({holder, offset.getZExtValue()});
  while (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(holder->stripPointerCasts()))
    holder = step->getPointerOperand();
  roots.push_back({holder->stripPointerCasts(), std::nullopt, true});
}

void AddressRoots::addRoots(const llvm::Value* value, Seen& seen, std::vector<Root>& roots) const {
  if (!seen.insert(value).second)
    return;
  const auto follow = [&](const llvm::Value* to) {
    if (to->getType()->isPointerTy() || mayBeAddress(to))
      addRoots(to, seen, roots);
  };
  if (value->getType()->isPointerTy() && isShort(value->getType()->getPointerAddressSpace()))
    return;
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(value))
    return roots.push_back({variable});
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(value)) {
    if (isKernelArgument(argument)) {
      if (!argument->hasByValAttr())
        roots.push_back({argument});
    } else if (const auto found = passed_.find(argument); found != passed_.end()) {
      for (const llvm::Value* passed : found->second)
        follow(passed);
    }
    return;
  }
  if (llvm::isa<llvm::AllocaInst, llvm::Constant>(value) && !llvm::isa<llvm::ConstantExpr>(value))
    return;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value))
    return addHeld(*load, roots);
  if (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(value))
    return follow(step->getPointerOperand());
  const auto* operation = llvm::dyn_cast<llvm::Operator>(value);
  if (llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::FreezeInst, llvm::BinaryOperator>(value) ||
      (operation != nullptr && (operation->getOpcode() == llvm::Instruction::IntToPtr ||
                                operation->getOpcode() == llvm::Instruction::PtrToInt ||
                                operation->getOpcode() == llvm::Instruction::AddrSpaceCast))) {
    for (const llvm::Use& operand : llvm::cast<llvm::User>(value)->operands())
      follow(operand.get());
    return;
  }
  if (!isMapped(value))
    roots.push_back({});
}

/// A root and an offset that is always the same, if it is that.
void AddressRoots::placeOf(const llvm::Value* pointer, const llvm::Type* type,
                           Address& address) const {
  llvm::APInt offset(types_.getIndexTypeSizeInBits(pointer->getType()), 0);
  const llvm::Value* base = pointer->stripAndAccumulateConstantOffsets(types_, offset, true);
  if (const auto* number = llvm::dyn_cast<llvm::IntToPtrInst>(base))
    base = number->getOperand(0);
  if (isKernelArgument(base) || llvm::isa<llvm::GlobalVariable>(base)) {
    address.base = base;
    address.offset = offset.getSExtValue();
    address.bytes = std::int64_t(types_.getTypeStoreSize(const_cast<llvm::Type*>(type)));
  }
}

Address AddressRoots::addressOf(const llvm::Instruction& access) const {
  const auto [pointer, type] = operandOf(access);
  Address address;
  if (pointer == nullptr || isConstantMemory(pointer))
    return address;
  Seen seen;
  addRoots(pointer, seen, address.roots);
  std::ranges::sort(address.roots, {}, &Root::key);
  const auto isSame = [](const Root& one, const Root& other) { return one.key() == other.key(); };
  address.roots.erase(std::unique(address.roots.begin(), address.roots.end(), isSame),
                      address.roots.end());
  address.reach = reach(pointer);
  placeOf(pointer, type, address);
  return address;
}

} // namespace heddle::analysis
