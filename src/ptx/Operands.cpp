// SPDX-License-Identifier: Apache-2.0
//
// Operands of instructions: registers, special registers, constants, addresses of variables.
#include "ptx/FunctionLowering.h"
#include "ptx/ReadPtx.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <algorithm>

namespace heddle::ptx {

using namespace llvm;

namespace {

/// What CUDA keeps of each block's shared memory for cooperative groups of several warps, which
/// count on 288 bytes.
GlobalVariable* reservedShared(Module& module) {
  constexpr const char* name = "heddle.reserved.shared";
  constexpr unsigned shared = 3;
  if (GlobalVariable* known = module.getGlobalVariable(name, true))
    return known;
  auto* type = ArrayType::get(Type::getInt8Ty(module.getContext()), 288);
  auto* made =
      new GlobalVariable(module, type, false, GlobalValue::InternalLinkage, UndefValue::get(type),
                         name, nullptr, GlobalValue::NotThreadLocal, shared);
  made->setAlignment(Align(16));
  return made;
}

Intrinsic::ID specialIntrinsic(std::string_view name) {
  static const std::map<std::string_view, Intrinsic::ID> known = {
      {"%tid.x", Intrinsic::nvvm_read_ptx_sreg_tid_x},
      {"%tid.y", Intrinsic::nvvm_read_ptx_sreg_tid_y},
      {"%tid.z", Intrinsic::nvvm_read_ptx_sreg_tid_z},
      {"%ntid.x", Intrinsic::nvvm_read_ptx_sreg_ntid_x},
      {"%ntid.y", Intrinsic::nvvm_read_ptx_sreg_ntid_y},
      {"%ntid.z", Intrinsic::nvvm_read_ptx_sreg_ntid_z},
      {"%ctaid.x", Intrinsic::nvvm_read_ptx_sreg_ctaid_x},
      {"%ctaid.y", Intrinsic::nvvm_read_ptx_sreg_ctaid_y},
      {"%ctaid.z", Intrinsic::nvvm_read_ptx_sreg_ctaid_z},
      {"%nctaid.x", Intrinsic::nvvm_read_ptx_sreg_nctaid_x},
      {"%nctaid.y", Intrinsic::nvvm_read_ptx_sreg_nctaid_y},
      {"%nctaid.z", Intrinsic::nvvm_read_ptx_sreg_nctaid_z},
      {"%clusterid.x", Intrinsic::nvvm_read_ptx_sreg_clusterid_x},
      {"%clusterid.y", Intrinsic::nvvm_read_ptx_sreg_clusterid_y},
      {"%clusterid.z", Intrinsic::nvvm_read_ptx_sreg_clusterid_z},
      {"%nclusterid.x", Intrinsic::nvvm_read_ptx_sreg_nclusterid_x},
      {"%nclusterid.y", Intrinsic::nvvm_read_ptx_sreg_nclusterid_y},
      {"%nclusterid.z", Intrinsic::nvvm_read_ptx_sreg_nclusterid_z},
      {"%cluster_ctaid.x", Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_x},
      {"%cluster_ctaid.y", Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_y},
      {"%cluster_ctaid.z", Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_z},
      {"%cluster_nctaid.x", Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_x},
      {"%cluster_nctaid.y", Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_y},
      {"%cluster_nctaid.z", Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_z},
      {"%cluster_ctarank", Intrinsic::nvvm_read_ptx_sreg_cluster_ctarank},
      {"%cluster_nctarank", Intrinsic::nvvm_read_ptx_sreg_cluster_nctarank},
      {"%laneid", Intrinsic::nvvm_read_ptx_sreg_laneid},
      {"%lanemask_eq", Intrinsic::nvvm_read_ptx_sreg_lanemask_eq},
      {"%lanemask_lt", Intrinsic::nvvm_read_ptx_sreg_lanemask_lt},
      {"%clock", Intrinsic::nvvm_read_ptx_sreg_clock},
      {"%clock64", Intrinsic::nvvm_read_ptx_sreg_clock64},
      {"%globaltimer", Intrinsic::nvvm_read_ptx_sreg_globaltimer},
      {"%smid", Intrinsic::nvvm_read_ptx_sreg_smid},
      {"%nsmid", Intrinsic::nvvm_read_ptx_sreg_nsmid},
      {"%gridid", Intrinsic::nvvm_read_ptx_sreg_gridid},
      {"WARP_SZ", Intrinsic::nvvm_read_ptx_sreg_warpsize}};
  const auto found = known.find(name);
  return found == known.end() ? Intrinsic::ID(Intrinsic::not_intrinsic) : found->second;
}

} // namespace

Type* FunctionLowering::typeOf(ScalarType type) const {
  return ptx::typeOf(type, function_.getContext());
}

Value* FunctionLowering::warpNumber() {
  Value* thread = specialRegister("%tid.z");
  for (const char* axis : {"y", "x"}) {
    Value* width = specialRegister(axis[0] == 'y' ? "%ntid.y" : "%ntid.x");
    Value* index = specialRegister(axis[0] == 'y' ? "%tid.y" : "%tid.x");
    thread = builder_.CreateAdd(builder_.CreateMul(thread, width), index);
  }
  return builder_.CreateLShr(thread, 5);
}

/// The address of what the driver would keep for a grid: a size and a counter, which is as it was
/// once all blocks have passed it.
Value* FunctionLowering::gridWorkspace() {
  Module& module = *function_.getParent();
  constexpr const char* name = "heddle.grid_workspace";
  GlobalVariable* workspace = module.getGlobalVariable(name, true);
  if (workspace == nullptr) {
    Type* type = ArrayType::get(builder_.getInt32Ty(), 4);
    workspace = new GlobalVariable(module, type, false, GlobalValue::InternalLinkage,
                                   Constant::getNullValue(type), name, nullptr,
                                   GlobalValue::NotThreadLocal, addressSpaceOf(Space::Global));
  }
  return builder_.CreatePtrToInt(builder_.CreateAddrSpaceCast(workspace, builder_.getPtrTy()),
                                 builder_.getInt64Ty());
}

/// Nothing where the name is no special register that is known.
Value* FunctionLowering::specialRegister(std::string_view name) {
  if (const Intrinsic::ID id = specialIntrinsic(name); id != Intrinsic::not_intrinsic)
    return builder_.CreateIntrinsic(id, {}, {});
  if (name == "%warpid")
    return warpNumber();
  if (name == "%nwarpid") {
    Value* threads = builder_.CreateMul(specialRegister("%ntid.x"), specialRegister("%ntid.y"));
    threads = builder_.CreateMul(threads, specialRegister("%ntid.z"));
    return builder_.CreateLShr(builder_.CreateAdd(threads, builder_.getInt32(31)), 5);
  }
  if (name == "%is_explicit_cluster")
    return isExplicitCluster(*this);
  if (name == "%envreg1" || name == "%envreg2") // cooperative groups: where blocks of a grid meet
    return builder_.CreateTrunc(builder_.CreateLShr(gridWorkspace(), name == "%envreg1" ? 32 : 0),
                                builder_.getInt32Ty());
  if (name == "%globaltimer_lo")
    return specialRegister("%globaltimer");
  if (name == "%globaltimer_hi")
    return builder_.CreateLShr(specialRegister("%globaltimer"), 32);
  // Counters and what a driver may set: none does here.
  if (name.starts_with("%pm") || name.starts_with("%envreg") || name == "%current_graph_exec")
    return builder_.getInt64(0);
  if (name == "%clock_hi")
    return builder_.CreateLShr(specialRegister("%clock64"), 32);
  if (name == "%reserved_smem_offset_1")
    return builder_.CreatePtrToInt(reservedShared(*function_.getParent()), builder_.getInt32Ty());
  if (name == "%lanemask_ge")
    return builder_.CreateNot(specialRegister("%lanemask_lt"));
  if (name == "%lanemask_le")
    return builder_.CreateOr(specialRegister("%lanemask_lt"), specialRegister("%lanemask_eq"));
  if (name == "%lanemask_gt")
    return builder_.CreateNot(specialRegister("%lanemask_le"));
  return nullptr;
}

Value* FunctionLowering::constantOf(const Operand& operand, ScalarType type) {
  const bool isBits = operand.kind == Operand::Kind::Integer || !type.isFloat();
  if (type.kind == 'p')
    return builder_.getInt1(operand.bits != 0);
  if (isBits && !type.isFloat())
    return ConstantInt::get(builder_.getIntNTy(type.bits), operand.bits);
  if (isBits)
    return ConstantFP::get(typeOf(type), double(std::int64_t(operand.bits)));
  const fltSemantics& format = operand.single ? APFloat::IEEEsingle() : APFloat::IEEEdouble();
  APFloat value(format, APInt(operand.single ? 32 : 64, operand.bits));
  bool inexact = false;
  value.convert(typeOf(type)->getFltSemantics(), APFloat::rmNearestTiesToEven, &inexact);
  return ConstantFP::get(function_.getContext(), value);
}

Value* FunctionLowering::readRegister(const Name& name, ScalarType type) {
  auto* memory = cast<AllocaInst>(name.value);
  Value* value = builder_.CreateLoad(memory->getAllocatedType(), memory);
  if (type.kind == 'p' || value->getType()->isIntegerTy(1))
    return type.kind == 'p' && !value->getType()->isIntegerTy(1) ? builder_.CreateIsNotNull(value)
                                                                 : value;
  value = builder_.CreateZExtOrTrunc(value, builder_.getIntNTy(type.bits));
  return type.isFloat() ? builder_.CreateBitCast(value, typeOf(type)) : value;
}

/// A variable, function or parameter in memory; nothing where there is none of that name.
Value* FunctionLowering::pointerNamed(std::string_view name) {
  if (const Name* local = find(name); local != nullptr && !local->isRegister)
    return local->isScalarParameter ? nullptr : local->value;
  if (const auto variable = symbols_.variables.find(name); variable != symbols_.variables.end())
    return variable->second;
  const auto function = symbols_.functions.find(name);
  return function == symbols_.functions.end() ? nullptr : function->second;
}

Value* FunctionLowering::readName(const Operand& operand, ScalarType type) {
  const Name* name = find(operand.name);
  if (name != nullptr && name->isRegister) {
    Value* value = readRegister(*name, type);
    return operand.negated ? builder_.CreateNot(value) : value;
  }
  Type* number = builder_.getIntNTy(type.kind == 'p' ? 32 : type.bits);
  if (Value* special = specialRegister(operand.name)) {
    special = builder_.CreateZExtOrTrunc(special, number);
    if (type.kind == 'p')
      return builder_.CreateIsNotNull(special);
    return type.isFloat() ? builder_.CreateBitCast(special, typeOf(type)) : special;
  }
  Value* pointer = pointerNamed(operand.name);
  if (pointer == nullptr)
    return nullptr;
  Value* address = builder_.CreatePtrToInt(pointer, number);
  return operand.offset == 0
             ? address
             : builder_.CreateAdd(address, ConstantInt::getSigned(number, operand.offset));
}

Value* FunctionLowering::read(const Operand& operand, ScalarType type) {
  Value* value = nullptr;
  if (operand.kind == Operand::Kind::Integer || operand.kind == Operand::Kind::Float)
    value = constantOf(operand, type);
  else if (operand.kind == Operand::Kind::Name)
    value = readName(operand, type);
  if (value != nullptr && value->getType() == typeOf(type))
    return value;
  Instruction what; // an operand that no instruction can have here
  what.opcode = operand.name.empty() ? "operand" : operand.name;
  refuse(Form(what), "no operand of this kind is known");
  return Constant::getNullValue(typeOf(type));
}

void FunctionLowering::write(const Operand& operand, Value* value, bool isSigned) {
  if (operand.kind == Operand::Kind::Name && operand.name == "_")
    return;
  const Name* name = operand.kind == Operand::Kind::Name ? find(operand.name) : nullptr;
  if (name == nullptr || !name->isRegister) {
    Instruction what;
    what.opcode = operand.name.empty() ? "operand" : operand.name;
    return refuse(Form(what), "this is no register");
  }
  auto* memory = cast<AllocaInst>(name->value);
  Type* type = memory->getAllocatedType();
  if (!value->getType()->isIntegerTy())
    value = builder_.CreateBitCast(
        value, builder_.getIntNTy(unsigned(value->getType()->getPrimitiveSizeInBits())));
  value =
      isSigned ? builder_.CreateSExtOrTrunc(value, type) : builder_.CreateZExtOrTrunc(value, type);
  if (guard_ != nullptr)
    value = builder_.CreateSelect(guard_, value, builder_.CreateLoad(type, memory));
  builder_.CreateStore(value, memory);
}

Value* FunctionLowering::address(const Operand& operand, Space space) {
  Type* pointerType = PointerType::get(function_.getContext(), addressSpaceOf(space));
  const Name* name = operand.name.empty() ? nullptr : find(operand.name);
  Value* pointer = nullptr;
  if (space == Space::Cluster && name != nullptr && name->isRegister) {
    auto* memory = cast<AllocaInst>(name->value);
    Value* number = builder_.CreateZExtOrTrunc(
        builder_.CreateLoad(memory->getAllocatedType(), memory), builder_.getInt32Ty());
    number = builder_.CreateAdd(number, builder_.getInt32(std::uint32_t(operand.offset)));
    return builder_.CreateIntToPtr(clusterAddress(*this, number), pointerType);
  }
  if (operand.name.empty()) {
    pointer = builder_.CreateIntToPtr(builder_.getInt64(0), pointerType);
  } else if (name != nullptr && name->isRegister) {
    auto* memory = cast<AllocaInst>(name->value);
    // A short address may be below zero before the offset is added to it.
    Value* number = builder_.CreateSExt(builder_.CreateLoad(memory->getAllocatedType(), memory),
                                        builder_.getInt64Ty());
    pointer = builder_.CreateIntToPtr(number, pointerType);
  } else {
    pointer = pointerNamed(operand.name);
    if (pointer != nullptr && space == Space::Cluster)
      pointer = builder_.CreateAddrSpaceCast(pointer, pointerType);
  }
  if (pointer == nullptr) {
    Instruction what;
    what.opcode = operand.name;
    refuse(Form(what), "this is no address");
    pointer = ConstantPointerNull::get(cast<PointerType>(pointerType));
  }
  return operand.offset == 0 ? pointer
                             : builder_.CreateConstGEP1_64(builder_.getInt8Ty(), pointer,
                                                           std::uint64_t(operand.offset));
}

unsigned FunctionLowering::bitsOf(const Operand& operand) const {
  const Name* name = operand.kind == Operand::Kind::Name ? find(operand.name) : nullptr;
  if (name == nullptr || !name->isRegister)
    return 0;
  return cast<AllocaInst>(name->value)->getAllocatedType()->getIntegerBitWidth();
}

bool FunctionLowering::isRead(const Operand& operand) const {
  return reads_.contains(operand.name) ||
         std::ranges::find(returned_, operand.name) != returned_.end();
}

Value* FunctionLowering::scalarParameter(std::string_view name) const {
  const Name* found = find(name);
  return found != nullptr && found->isScalarParameter ? found->value : nullptr;
}

Value* FunctionLowering::call(const Twine& name, Type* result, ArrayRef<Value*> operands) {
  SmallString<64> buffer;
  const StringRef text = name.toStringRef(buffer);
  SmallVector<Type*, 4> types;
  for (Value* operand : operands)
    types.push_back(operand->getType());
  FunctionCallee callee =
      function_.getParent()->getOrInsertFunction(text, FunctionType::get(result, types, false));
  if (auto* made = dyn_cast<llvm::Function>(callee.getCallee());
      made != nullptr && !made->isIntrinsic()) {
    made->setDoesNotThrow();
    made->setDoesNotAccessMemory();
    made->setWillReturn();
    made->setMustProgress();
  }
  return builder_.CreateCall(callee, operands);
}

Value* FunctionLowering::small(std::string_view operation, std::string_view format,
                               ArrayRef<std::string_view> words, Type* result,
                               ArrayRef<Value*> operands) {
  std::string name = fmt::format("{}small.{}.{}", operationPrefix, operation, format);
  for (const std::string_view word : words)
    name += fmt::format(".{}", word);
  if (operands[0]->getType()->getPrimitiveSizeInBits() == 64) // one name, one type
    name += ".wide";
  return call(name, result, operands);
}

/// Adding -0 flushes, and changes nothing else.
Value* FunctionLowering::flushed(Value* value) {
  Type* type = value->getType();
  return type->isFloatTy()
             ? call("llvm.nvvm.add.rn.ftz.f", type, {value, ConstantFP::get(type, -0.0)})
             : value;
}

Value* FunctionLowering::readCarry() {
  if (carry_ == nullptr)
    carry_ = variable(builder_.getInt1Ty(), "carry");
  return builder_.CreateLoad(builder_.getInt1Ty(), carry_);
}

void FunctionLowering::writeCarry(Value* carry) {
  if (carry_ == nullptr)
    carry_ = variable(builder_.getInt1Ty(), "carry");
  if (guard_ != nullptr)
    carry = builder_.CreateSelect(guard_, carry, readCarry());
  builder_.CreateStore(carry, carry_);
}

} // namespace heddle::ptx
