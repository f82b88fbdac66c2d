// SPDX-License-Identifier: Apache-2.0
#include "lowering/registers/RegisterCost.h"

#include "lowering/Calls.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <vector>

namespace heddle::lowering {
namespace {

using analysis::AddressSpace;
using analysis::addressSpaceOf;

constexpr int firstUniformDatapath = 75;
constexpr int firstWidePointers = 20;
constexpr int uniformAddresses = 75; ///< Turing alone accesses memory by uniform registers
constexpr int firstWithoutConstantAddends = 90; ///< before, an address is index * size + parameter

/// Special registers that are parameters of the launch: the constant bank holds them.
bool isLaunchConstant(const llvm::Value& value) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&value);
  if (call == nullptr)
    return false;
  switch (call->getIntrinsicID()) {
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_y:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_z:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_warpsize:
    return true;
  default:
    return false;
  }
}

bool isBlockIndex(const llvm::Value& value) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&value);
  if (call == nullptr)
    return false;
  switch (call->getIntrinsicID()) {
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
    return true;
  default:
    return false;
  }
}

/// A load that an instruction does by itself: from the constant bank, at an address known when the
/// program is compiled. Arguments passed by value are there, too.
bool isConstantBankLoad(const llvm::Instruction& instruction, bool isKernel) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  if (load == nullptr)
    return false;
  const llvm::Value* base = load->getPointerOperand()->stripInBoundsConstantOffsets();
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(base))
    return isKernel && argument->hasByValAttr();
  return llvm::isa<llvm::GlobalVariable>(base) && addressSpaceOf(*base) == AddressSpace::Constant;
}

bool isOnlyForAddresses(const llvm::Instruction& instruction) {
  return llvm::all_of(instruction.users(), [](const llvm::User* user) {
    return llvm::isa<llvm::GetElementPtrInst>(user);
  });
}

bool takesPointers(const llvm::Instruction& instruction) {
  return llvm::any_of(llvm::cast<llvm::CallInst>(instruction).args(),
                      [](const llvm::Use& argument) { return argument->getType()->isPointerTy(); });
}

bool isIgnored(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return instruction.isDebugOrPseudoInst() || instruction.isLifetimeStartOrEnd() ||
         (call != nullptr && call->isAssumeLikeIntrinsic());
}

const llvm::Value* addressOperand(const llvm::Instruction& instruction) {
  if (const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return atomic->getPointerOperand();
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  return llvm::getLoadStorePointerOperand(&instruction);
}

} // namespace

bool hasEffect(const llvm::Instruction& instruction) {
  return instruction.mayHaveSideEffects() && !isIgnored(instruction) &&
         (!isMathCall(instruction) || takesPointers(instruction));
}

RegisterCost::RegisterCost(const llvm::Function& function, bool isKernel, int computeCapability)
    : isKernel_(isKernel), computeCapability_(computeCapability), addresses_(function) {
  findUniform(function);
  findNarrowPointers(function);
  findExecuted(function);
}

void RegisterCost::findUniform(const llvm::Function& function) {
  for (const llvm::BasicBlock* block : llvm::ReversePostOrderTraversal(&function))
    for (const llvm::Instruction& instruction : *block)
      if (computesUniform(instruction))
        uniform_.insert(&instruction);
}

bool RegisterCost::isUniform(const llvm::Value& value) const {
  if (llvm::isa<llvm::Constant>(value))
    return true;
  if (llvm::isa<llvm::Argument>(value))
    return isKernel_;
  return uniform_.contains(&value);
}

/// Integers that the warp computes once, in the uniform registers that 7.5 brought.
bool RegisterCost::computesUniform(const llvm::Instruction& instruction) const {
  if (isLaunchConstant(instruction) || isConstantBankLoad(instruction, isKernel_))
    return true;
  if (computeCapability_ < firstUniformDatapath)
    return false;
  if (isBlockIndex(instruction))
    return true;
  const llvm::Type& type = *instruction.getType();
  const bool isInteger = llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::ICmpInst,
                                   llvm::SelectInst, llvm::GetElementPtrInst>(instruction) &&
                         (type.isIntegerTy() || type.isPointerTy());
  return isInteger && llvm::all_of(instruction.operands(), [&](const llvm::Use& operand) {
           return isUniform(*operand) && !operand->getType()->isFPOrFPVectorTy();
         });
}

/// Taken for narrow until an operand turns out not to be: pointers go around loops.
void RegisterCost::findNarrowPointers(const llvm::Function& function) {
  const auto isNarrow = [&](const llvm::Value& value) {
    return narrow_.contains(&value) || llvm::isa<llvm::UndefValue>(value) ||
           (!llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::GetElementPtrInst>(value) &&
            (addressSpaceOf(value) == AddressSpace::Shared ||
             addressSpaceOf(value) == AddressSpace::Local));
  };
  std::vector<const llvm::Instruction*> candidates;
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block)
      if (instruction.getType()->isPointerTy() &&
          llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::GetElementPtrInst>(instruction)) {
        candidates.push_back(&instruction);
        narrow_.insert(&instruction);
      }
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::Instruction* candidate : candidates)
      if (narrow_.contains(candidate) &&
          llvm::any_of(candidate->operands(), [&](const llvm::Use& operand) {
            return operand->getType()->isPointerTy() && !isNarrow(*operand);
          })) {
        narrow_.erase(candidate);
        changed = true;
      }
  }
}

void RegisterCost::findExecuted(const llvm::Function& function) {
  std::vector<const llvm::Instruction*> work;
  const auto want = [&](const llvm::Value* value) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction != nullptr && executed_.insert(instruction).second)
      work.push_back(instruction);
  };
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block)
      if (instruction.isTerminator() || hasEffect(instruction))
        want(&instruction);
  while (!work.empty()) {
    const llvm::Instruction* instruction = work.back();
    work.pop_back();
    for (const llvm::Value* value : needs(*instruction))
      want(value);
    for (const llvm::Value* operand : instruction->operands())
      if (const auto* test = llvm::dyn_cast<llvm::Instruction>(operand);
          test != nullptr && test->getType()->isIntegerTy(1) && !isUniform(*test))
        want(test);
  }
}

bool RegisterCost::isExecuted(const llvm::Instruction& instruction) const {
  return executed_.contains(&instruction);
}

int RegisterCost::pointerRegisters() const {
  return computeCapability_ < firstWidePointers ? 1 : 2;
}

int RegisterCost::ofType(const llvm::Type& type) const {
  if (type.isPointerTy())
    return pointerRegisters();
  if (const auto* structure = llvm::dyn_cast<llvm::StructType>(&type)) {
    int sum = 0;
    for (const llvm::Type* element : structure->elements())
      sum += ofType(*element);
    return sum;
  }
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(&type))
    return static_cast<int>(array->getNumElements()) * ofType(*array->getElementType());
  const auto bits = static_cast<int>(type.getPrimitiveSizeInBits().getFixedValue());
  return bits == 1 ? 0 : (bits + 31) / 32;
}

bool RegisterCost::isTakenIn(const llvm::Instruction& instruction) const {
  using llvm::Instruction;
  switch (instruction.getOpcode()) {
  case Instruction::BitCast:
  case Instruction::AddrSpaceCast:
  case Instruction::IntToPtr:
  case Instruction::PtrToInt:
  case Instruction::Freeze:
  case Instruction::FNeg:
  case Instruction::ExtractElement:
  case Instruction::ExtractValue:
  case Instruction::InsertElement:
  case Instruction::InsertValue:
  case Instruction::ShuffleVector:
  case Instruction::Alloca:
    return true;
  case Instruction::ZExt: // but a predicate has to become a number
    return !instruction.getOperand(0)->getType()->isIntegerTy(1);
  case Instruction::Trunc: // half of a pair is another value, part of a register is not
    return instruction.getOperand(0)->getType()->getScalarSizeInBits() <= 32;
  case Instruction::SExt:
    return isOnlyForAddresses(instruction);
  case Instruction::GetElementPtr: {
    const auto& address = llvm::cast<llvm::GetElementPtrInst>(instruction);
    return address.hasAllConstantIndices() || addresses_.representative(address) != &address;
  }
  default:
    return false;
  }
}

int RegisterCost::of(const llvm::Value& value) const {
  if (llvm::isa<llvm::Argument>(value))
    return isKernel_ ? 0 : ofType(*value.getType());
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr || isUniform(value) || isTakenIn(*instruction))
    return 0;
  return narrow_.contains(&value) ? 1 : ofType(*value.getType());
}

const RegisterCost::Values& RegisterCost::heldFor(const llvm::Value& value) {
  if (const auto known = held_.find(&value); known != held_.end())
    return known->second;
  Values held;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&value);
  if (of(value) > 0)
    held.push_back(&value);
  else if (address != nullptr && !isUniform(value) &&
           addresses_.representative(*address) != address)
    held = heldFor(*addresses_.representative(*address));
  else if (instruction != nullptr && !isUniform(value) && isTakenIn(*instruction))
    held = needs(*instruction);
  return held_[&value] = std::move(held);
}

RegisterCost::Values RegisterCost::needs(const llvm::Instruction& instruction) {
  Values needed;
  const auto add = [&](const llvm::Value& value) {
    for (const llvm::Value* part : heldFor(value))
      if (!llvm::is_contained(needed, part))
        needed.push_back(part);
  };
  const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
  if (address != nullptr && !addresses_.parts(*address).empty()) {
    for (const llvm::Value* part : addresses_.parts(*address))
      add(*part);
    return needed;
  }
  for (const llvm::Value* operand : instruction.operands())
    if (!llvm::isa<llvm::BasicBlock, llvm::MetadataAsValue>(operand))
      add(*operand);
  return needed;
}

llvm::SmallVector<std::pair<const llvm::Value*, int>, 2>
RegisterCost::copies(const llvm::Instruction& instruction) const {
  llvm::SmallVector<std::pair<const llvm::Value*, int>, 2> result;
  if (const llvm::Value* base = copiedBase(instruction))
    result.emplace_back(base, pointerRegisters());
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  const llvm::Value* stored = store == nullptr ? nullptr : store->getValueOperand();
  const auto* constant = llvm::dyn_cast_or_null<llvm::Constant>(stored);
  if (stored != nullptr && isUniform(*stored) && (constant == nullptr || !constant->isNullValue()))
    result.emplace_back(stored, ofType(*stored->getType()));
  return result;
}

/// The pointer that must be copied from the constant bank to registers for an instruction to use it
/// as an address, or null.
const llvm::Value* RegisterCost::copiedBase(const llvm::Instruction& instruction) const {
  const llvm::Value* address =
      computeCapability_ == uniformAddresses ? nullptr : addressOperand(instruction);
  if (const auto* computed = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      computed != nullptr && computeCapability_ >= firstWithoutConstantAddends)
    address = computed->getPointerOperand();
  if (address == nullptr || addressSpaceOf(*address) != AddressSpace::Global)
    return nullptr;
  const llvm::Value* base = address->stripInBoundsConstantOffsets();
  return isUniform(*base) ? base : nullptr;
}

} // namespace heddle::lowering
