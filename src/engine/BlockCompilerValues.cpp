// SPDX-License-Identifier: Apache-2.0
//
// Where a value is: a register of the block, a slot of the frame, an argument, a constant.
#include "engine/BlockCompilerAccess.h"
#include "engine/WarpContext.h"

#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

namespace heddle::engine {

using namespace llvm;

Type* BlockCompiler::laneType(Type* type) const {
  return type->isPointerTy() ? PointerType::get(type->getContext(), 0) : type;
}

Type* BlockCompiler::vectorType(Type* type) const {
  return lane_ != nullptr ? laneType(type) : FixedVectorType::get(laneType(type), warpSize);
}

Value* BlockCompiler::place(Value* base, unsigned offset) {
  return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), base, offset);
}

Value* BlockCompiler::contextField(std::size_t offset, Type* type) {
  return builder_.CreateLoad(type, place(warp_, unsigned(offset)));
}

/// LLVM takes 32 bits apart and puts them together one by one for NEON, which has neither registers
/// for masks nor gathers. Both functions below say it so that a few instructions do.
bool isForNeon() {
  static const bool is = Triple(sys::getProcessTriple()).isAArch64();
  return is;
}

/// Each lane's bit of a word.
Value* BlockCompiler::lanesOf(Value* mask) {
  if (!isForNeon())
    return builder_.CreateBitCast(mask, vectorType(builder_.getInt1Ty()));
  SmallVector<Constant*, warpSize> ones;
  for (unsigned lane = 0; lane < unsigned(warpSize); ++lane)
    ones.push_back(builder_.getInt32(1u << lane));
  return builder_.CreateIsNotNull(
      builder_.CreateAnd(builder_.CreateVectorSplat(warpSize, mask), ConstantVector::get(ones)));
}

/// A bit for each lane.
Value* BlockCompiler::bits(Value* lanes) {
  Type* word = builder_.getInt32Ty();
  if (!isForNeon())
    return builder_.CreateBitCast(lanes, word);
  const auto halfOf = [&](unsigned first) {
    Value* some = builder_.CreateShuffleVector(lanes, halfFrom(first));
    return builder_.CreateZExt(builder_.CreateBitCast(some, builder_.getInt16Ty()), word);
  };
  return builder_.CreateOr(halfOf(0), builder_.CreateShl(halfOf(half), half));
}

Value* BlockCompiler::splat(Value* value) {
  return lane_ != nullptr ? value : builder_.CreateVectorSplat(warpSize, value);
}

Value* BlockCompiler::laneNumbers() {
  if (lane_ != nullptr)
    return lane_;
  SmallVector<Constant*, warpSize> numbers;
  for (unsigned lane = 0; lane < unsigned(warpSize); ++lane)
    numbers.push_back(builder_.getInt32(lane));
  return ConstantVector::get(numbers);
}

/// A variable of the program: in the block's shared memory, or one that the program's module holds.
Value* BlockCompiler::global(GlobalVariable& variable) {
  if (const auto found = kernel_.shared.offsets.find(&variable);
      found != kernel_.shared.offsets.end()) {
    Value* base = contextField(offsetof(WarpContext, shared), builder_.getPtrTy());
    return builder_.CreateConstGEP1_64(builder_.getInt8Ty(), base, found->second);
  }
  return kernel_.module.getOrInsertGlobal(variable.getName(), builder_.getInt8Ty());
}

Value* BlockCompiler::constant(Constant* value) {
  if (auto* variable = dyn_cast<GlobalVariable>(value))
    return global(*variable);
  if (auto* function = dyn_cast<Function>(value)) // its handle stands for it
    return kernel_.module.getOrInsertGlobal(functionHandleSymbol(function->getName()),
                                            builder_.getInt8Ty());
  if (isa<ConstantPointerNull>(value) || isa<UndefValue>(value))
    return Constant::getNullValue(laneType(value->getType()));
  auto* expression = dyn_cast<ConstantExpr>(value);
  if (expression == nullptr)
    return value;
  if (expression->getOpcode() == Instruction::AddrSpaceCast)
    return constant(expression->getOperand(0));
  if (auto* address = dyn_cast<GEPOperator>(expression)) {
    Values indices(address->indices());
    return builder_.CreateGEP(address->getSourceElementType(),
                              constant(cast<Constant>(address->getPointerOperand())), indices);
  }
  if (expression->getOpcode() == Instruction::PtrToInt &&
      expression->getOperand(0)->getType()->getPointerAddressSpace() == sharedAddressSpace) {
    Type* word = builder_.getInt64Ty(); // as compileSharedAddress does
    Value* base = contextField(offsetof(WarpContext, shared), word);
    Value* offset = builder_.CreateSub(
        builder_.CreatePtrToInt(constant(expression->getOperand(0)), word), base);
    return builder_.CreateZExtOrTrunc(offset, expression->getType());
  }
  if (expression->getOpcode() == Instruction::IntToPtr) {
    Value* number = constant(expression->getOperand(0));
    if (expression->getType()->getPointerAddressSpace() != sharedAddressSpace)
      return builder_.CreateIntToPtr(number, laneType(expression->getType()));
    return builder_.CreateGEP(builder_.getInt8Ty(),
                              contextField(offsetof(WarpContext, shared), builder_.getPtrTy()),
                              builder_.CreateZExtOrTrunc(number, builder_.getInt64Ty()));
  }
  Instruction* instruction = expression->getAsInstruction();
  for (Use& operand : instruction->operands())
    operand.set(constant(cast<Constant>(operand.get())));
  return builder_.Insert(instruction);
}

/// One scalar of a constant struct, array or vector.
Value* BlockCompiler::constantPart(Constant* value, unsigned part) {
  Type* type = value->getType();
  if (!type->isAggregateType() && !type->isVectorTy())
    return constant(value);
  unsigned before = 0;
  for (unsigned element = 0;; ++element) {
    Constant* inner = value->getAggregateElement(element);
    const auto count = unsigned(partsOf(inner->getType()).size());
    if (part < before + count)
      return constantPart(inner, part - before);
    before += count;
  }
}

Value* BlockCompiler::scalar(Value* value) {
  if (auto* known = dyn_cast<Constant>(value))
    return constant(known);
  if (Value* cached = scalars_.lookup(value))
    return cached;
  const IRBuilder<>::InsertPointGuard guard(builder_);
  if (inLane_)
    builder_.SetInsertPoint(shared_);
  if (auto* argument = dyn_cast<Argument>(value)) {
    Value* base = contextField(offsetof(WarpContext, arguments), builder_.getPtrTy());
    Value* where = place(base, kernel_.arguments.offsets[argument->getArgNo()]);
    return scalars_[value] = argument->hasByValAttr() ? where : loadScalar(value->getType(), where);
  }
  return scalars_[value] = loadScalar(value->getType(), place(frame_, layout_.slotOf(value)));
}

/// LLVM's fast code generator for arm64 takes the sign of a loaded i1 for 0 (LLVM 19), so a bit is
/// loaded as the byte that it is.
Value* BlockCompiler::loadScalar(Type* type, Value* where) {
  if (!type->isIntegerTy(1))
    return builder_.CreateLoad(laneType(type), where);
  return builder_.CreateTrunc(builder_.CreateLoad(builder_.getInt8Ty(), where), type);
}

Value* BlockCompiler::loadSlot(Value* where, Type* type) {
  if (lane_ != nullptr)
    return loadLane(where, type);
  if (type->isIntegerTy(1))
    return lanesOf(builder_.CreateLoad(builder_.getInt32Ty(), where));
  return builder_.CreateAlignedLoad(vectorType(type), where, Align(slotAlignment));
}

/// Writes the given lanes of a slot and leaves the others.
void BlockCompiler::storeSlot(Value* where, Value* fresh, Value* lanes) {
  if (lane_ != nullptr)
    return storeLane(where, fresh);
  Type* lane = cast<VectorType>(fresh->getType())->getElementType();
  if (lane->isIntegerTy(1)) {
    Value* written = lanes == activeLanes_ ? activeMask_ : bits(lanes);
    Value* others = builder_.CreateAnd(builder_.CreateLoad(builder_.getInt32Ty(), where),
                                       builder_.CreateNot(written));
    builder_.CreateStore(builder_.CreateOr(others, builder_.CreateAnd(bits(fresh), written)),
                         where);
    return;
  }
  Value* value = builder_.CreateSelect(lanes, fresh, loadSlot(where, lane));
  builder_.CreateAlignedStore(value, where, Align(slotAlignment));
}

Value* BlockCompiler::vector(Value* value, unsigned part) {
  if (auto* known = dyn_cast<Constant>(value))
    return splat(constantPart(known, part));
  if (Value* cached = vectors_.lookup({value, part}))
    return cached;
  if (layout_.isUniform(value))
    return vectors_[{value, part}] = splat(scalar(value));
  if (isLate(value))
    return vectors_[{value, part}] = makeLate(*cast<Instruction>(value));
  const Part wanted = partsOf(value->getType())[part];
  return vectors_[{value, part}] =
             loadSlot(place(frame_, layout_.slotOf(value) + wanted.offset), wanted.type);
}

/// Whether a value is made where it is used: most addresses of 32 lanes are not needed, since the
/// first ones of a row say it all.
bool BlockCompiler::isLate(const Value* value) const {
  if (lane_ != nullptr || !isa<GetElementPtrInst, SExtInst, ZExtInst, AddrSpaceCastInst>(value) ||
      layout_.isUniform(value) || layout_.hasSlot(value))
    return false;
  return value->getType()->isPointerTy() || value->getType()->isIntegerTy(64);
}

Value* BlockCompiler::makeLate(Instruction& instruction) {
  if (auto* address = dyn_cast<GetElementPtrInst>(&instruction))
    return addressOf(*address);
  Value* from = vector(instruction.getOperand(0));
  return isa<AddrSpaceCastInst>(instruction)
             ? from
             : builder_.CreateCast(cast<CastInst>(instruction).getOpcode(), from,
                                   vectorType(instruction.getType()));
}

/// What one lane has of a value.
Value* BlockCompiler::laneValue(Value* value, unsigned lane) {
  if (auto* known = dyn_cast<Constant>(value))
    return constant(known);
  if (layout_.isUniform(value))
    return scalar(value);
  if (!isLate(value) || vectors_.contains({value, 0}))
    return builder_.CreateExtractElement(vector(value), std::uint64_t{lane});
  if (auto* address = dyn_cast<GetElementPtrInst>(value)) {
    Values indices;
    for (Value* index : address->indices())
      indices.push_back(laneValue(index, lane));
    return builder_.CreateGEP(address->getSourceElementType(),
                              laneValue(address->getPointerOperand(), lane), indices);
  }
  auto* made = cast<CastInst>(value);
  Value* from = laneValue(made->getOperand(0), lane);
  return isa<AddrSpaceCastInst>(made)
             ? from
             : builder_.CreateCast(made->getOpcode(), from, laneType(made->getType()));
}

void BlockCompiler::define(Instruction& instruction, Value* value) {
  if (!layout_.isUniform(&instruction))
    return defineParts(instruction, {value});
  scalars_[&instruction] = value;
  if (layout_.hasSlot(&instruction))
    builder_.CreateStore(value, place(frame_, layout_.slotOf(&instruction)));
}

void BlockCompiler::defineParts(Instruction& instruction, ArrayRef<Value*> values) {
  const std::vector<Part> parts = partsOf(instruction.getType());
  for (unsigned part = 0; part < values.size(); ++part) {
    vectors_[{&instruction, part}] = values[part];
    if (layout_.hasSlot(&instruction))
      storeSlot(place(frame_, layout_.slotOf(&instruction) + parts[part].offset), values[part],
                activeLanes_);
  }
}

Value* BlockCompiler::callHelper(const char* name, Type* result, ArrayRef<Value*> arguments) {
  SmallVector<Type*, 8> types;
  for (Value* argument : arguments)
    types.push_back(argument->getType());
  return builder_.CreateCall(
      kernel_.module.getOrInsertFunction(name, FunctionType::get(result, types, false)), arguments);
}

/// Room on the stack of the block's function, taken once however often control passes.
AllocaInst* BlockCompiler::stackPlace(Type* type) {
  IRBuilder<> atEntry(&code_->getEntryBlock(), code_->getEntryBlock().begin());
  return atEntry.CreateAlloca(type);
}

AllocaInst* BlockCompiler::spill(Value* value) {
  AllocaInst* memory = stackPlace(value->getType());
  builder_.CreateStore(value, memory);
  return memory;
}

/// Addresses of all lanes in memory, until the next helper is called.
AllocaInst* BlockCompiler::forHelper(Value* addresses) {
  if (helperPlace_ == nullptr)
    helperPlace_ = stackPlace(addresses->getType());
  builder_.CreateStore(addresses, helperPlace_);
  return helperPlace_;
}

AllocaInst* BlockCompiler::helperValues(unsigned bytes) {
  AllocaInst*& memory = helperValues_[bytes];
  if (memory == nullptr) {
    memory = stackPlace(ArrayType::get(builder_.getInt8Ty(), bytes));
    memory->setAlignment(Align(slotAlignment));
  }
  return memory;
}

void BlockCompiler::ifThenElse(Value* condition, function_ref<void()> then,
                               function_ref<void()> otherwise) {
  LLVMContext& context = function_.getContext();
  BasicBlock* yes = BasicBlock::Create(context, "then", code_);
  BasicBlock* no = BasicBlock::Create(context, "else", code_);
  BasicBlock* done = BasicBlock::Create(context, "done", code_);
  builder_.CreateCondBr(condition, yes, no);
  // What one side reads from a slot is not known on the other.
  const auto scalars = scalars_;
  const auto vectors = vectors_;
  for (const auto& [block, body] : {std::pair{yes, then}, std::pair{no, otherwise}}) {
    builder_.SetInsertPoint(block);
    body();
    builder_.CreateBr(done);
    scalars_ = scalars;
    vectors_ = vectors;
  }
  builder_.SetInsertPoint(done);
}

} // namespace heddle::engine
