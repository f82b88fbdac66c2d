// SPDX-License-Identifier: Apache-2.0
#include "engine/BlockCompiler.h"

#include "analysis/SourceSite.h"
#include "engine/PrepareKernel.h"
#include "engine/VectorMath.h"
#include "engine/WarpContext.h"
#include "ptx/ReadPtx.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IntrinsicInst.h>

namespace heddle::engine {

using namespace llvm;

namespace {

/// The device function that a conversion from float to int is; nothing for other casts.
const char* gpuConversion(const CastInst& cast) {
  const bool isSigned = cast.getOpcode() == Instruction::FPToSI;
  if (!isSigned && cast.getOpcode() != Instruction::FPToUI)
    return nullptr;
  const bool isDouble = cast.getSrcTy()->isDoubleTy();
  if (!isDouble && !cast.getSrcTy()->isFloatTy())
    return nullptr;
  if (cast.getType()->isIntegerTy(32))
    return isDouble ? (isSigned ? "__nv_double2int_rz" : "__nv_double2uint_rz")
                    : (isSigned ? "__nv_float2int_rz" : "__nv_float2uint_rz");
  if (cast.getType()->isIntegerTy(64))
    return isDouble ? (isSigned ? "__nv_double2ll_rz" : "__nv_double2ull_rz")
                    : (isSigned ? "__nv_float2ll_rz" : "__nv_float2ull_rz");
  return nullptr;
}

} // namespace

BlockCompiler::BlockCompiler(Function& function, const FrameLayout& layout,
                             KernelCompilation& kernel)
    : function_(function), layout_(layout), kernel_(kernel), builder_(function.getContext()) {}

Expected<void> BlockCompiler::compile(std::size_t functionNumber) {
  for (std::size_t number = 0; number < layout_.flow().blocks.size(); ++number)
    compileBlock(number, kernel_.blockSymbol(functionNumber, number));
  if (error_)
    return tl::unexpected(*error_);
  return {};
}

void BlockCompiler::refuse(const Instruction& instruction, const std::string& what) {
  refuseWith(instruction, fmt::format("the engine does not run {} yet", what));
}

void BlockCompiler::refuseWith(const Instruction& instruction, const std::string& message) {
  if (error_)
    return;
  const profile::Site site = analysis::siteOf(instruction);
  const std::string place = site.where.file.empty()
                                ? site.function
                                : fmt::format("{}:{}", site.where.file, site.where.line);
  error_ = Error{ErrorKind::Unsupported, fmt::format("{}: {}", place, message)};
}

/// A function of the block's type, and its entry to write to.
Function* BlockCompiler::begin(const Twine& symbol, std::size_t number) {
  FunctionType* type =
      FunctionType::get(builder_.getInt32Ty(),
                        {builder_.getPtrTy(), builder_.getPtrTy(), builder_.getInt32Ty()}, false);
  code_ = Function::Create(type, GlobalValue::ExternalLinkage, symbol, kernel_.module);
  code_->addFnAttr(Attribute::NoUnwind);
  for (const unsigned pointer : {0u, 1u}) {
    code_->addParamAttr(pointer, Attribute::NoAlias);
    code_->addParamAttr(pointer, Attribute::getWithAlignment(code_->getContext(), Align(64)));
  }
  builder_.SetInsertPoint(BasicBlock::Create(function_.getContext(), "entry", code_));
  frame_ = code_->getArg(0);
  warp_ = code_->getArg(1);
  activeMask_ = code_->getArg(2);
  helperPlace_ = nullptr;
  helperValues_.clear();
  scalars_.clear();
  vectors_.clear();
  groups_.emplace(*layout_.flow().blocks[number], types());
  groupStates_.assign(groups_->size(), {});
  return code_;
}

void BlockCompiler::compileBlock(std::size_t number, const std::string& symbol) {
  Function* wide = begin(symbol, number);
  activeLanes_ = lanesOf(activeMask_);
  compileBody(number);
  Function* lanes = error_ ? nullptr : compileLanes(number, symbol + ".lanes");
  if (lanes != nullptr && kernel_.form == CodeForm::LaneByLane) {
    wide->eraseFromParent();
    lanes->setName(symbol);
    return;
  }
  Function* full = layout_.joins().loopOf(int(number)) > 0 ? compileFull(number, symbol) : nullptr;
  if (full != nullptr || lanes != nullptr)
    dispatch(symbol, {wide, full, lanes});
}

void BlockCompiler::compileBody(std::size_t number) {
  for (Instruction& instruction : *layout_.flow().blocks[number])
    if (!error_)
      compileInstruction(instruction);
}

/// For all 32 lanes: nothing of what is in the frame must be kept. Worth its compilation in loops.
Function* BlockCompiler::compileFull(std::size_t number, const std::string& symbol) {
  Function* code = begin(symbol + ".full", number);
  activeMask_ = builder_.getInt32(allLanes);
  activeLanes_ = Constant::getAllOnesValue(vectorType(builder_.getInt1Ty()));
  compileBody(number);
  return code;
}

void BlockCompiler::compileInstruction(Instruction& instruction) {
  if (isa<PHINode>(instruction) || instruction.isDebugOrPseudoInst() || isLate(&instruction))
    return;
  if (auto* call = dyn_cast<CallInst>(&instruction))
    return compileCall(*call);
  if (auto* load = dyn_cast<LoadInst>(&instruction))
    return compileLoad(*load);
  if (auto* store = dyn_cast<StoreInst>(&instruction))
    return compileStore(*store);
  if (auto* atomic = dyn_cast<AtomicRMWInst>(&instruction))
    return compileAtomic(*atomic);
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return compileExchange(*exchange);
  if (compileControl(instruction) || compileParts(instruction))
    return;
  compileArithmetic(instruction);
}

bool BlockCompiler::compileControl(Instruction& instruction) {
  if (auto* branch = dyn_cast<BranchInst>(&instruction)) {
    compileBranch(*branch);
    return true;
  }
  if (auto* end = dyn_cast<ReturnInst>(&instruction)) {
    compileReturn(*end);
    return true;
  }
  if (isa<UnreachableInst>(instruction)) {
    builder_.CreateRet(builder_.getInt32(0));
    return true;
  }
  return isa<FenceInst>(instruction); // lanes run in lockstep, and blocks share memory in order
}

/// An operand as its user wants it: scalar for a uniform one.
Value* BlockCompiler::operand(const Instruction& user, unsigned index) {
  Value* value = user.getOperand(index);
  return layout_.isUniform(&user) ? scalar(value) : vector(value);
}

void BlockCompiler::compileArithmetic(Instruction& instruction) {
  const bool uniform = layout_.isUniform(&instruction);
  const auto get = [&](unsigned index) { return operand(instruction, index); };
  Type* type = uniform ? laneType(instruction.getType()) : vectorType(instruction.getType());
  if (auto* binary = dyn_cast<BinaryOperator>(&instruction)) {
    if (binary->isIntDivRem())
      return compileDivision(*binary);
    Value* result = builder_.CreateBinOp(binary->getOpcode(), get(0), get(1));
    if (auto* made = dyn_cast<Instruction>(result); made != nullptr && isa<FPMathOperator>(made))
      made->setFastMathFlags(instruction.getFastMathFlags());
    return define(instruction, result);
  }
  if (auto* unary = dyn_cast<UnaryOperator>(&instruction))
    return define(instruction, builder_.CreateUnOp(unary->getOpcode(), get(0)));
  if (isa<AddrSpaceCastInst, FreezeInst>(instruction)) // one address space here; no value is poison
    return define(instruction, get(0));
  if (auto* cast = dyn_cast<CastInst>(&instruction)) {
    if (const char* name = gpuConversion(*cast)) // out of range a CPU gives something else
      return define(instruction, buildVectorMath(builder_, name, {get(0)}, type));
    if (Value* shared = compileSharedAddress(*cast))
      return define(instruction, shared);
    return define(instruction, builder_.CreateCast(cast->getOpcode(), get(0), type));
  }
  if (auto* compare = dyn_cast<CmpInst>(&instruction))
    return define(instruction, builder_.CreateCmp(compare->getPredicate(), get(0), get(1)));
  if (isa<SelectInst>(instruction))
    return define(instruction, builder_.CreateSelect(get(0), get(1), get(2)));
  if (auto* address = dyn_cast<GetElementPtrInst>(&instruction))
    return define(instruction, addressOf(*address));
  if (auto* variable = dyn_cast<AllocaInst>(&instruction))
    return compileLocal(*variable);
  refuse(instruction, fmt::format("'{}'", instruction.getOpcodeName()));
}

/// The number of an address in shared memory is its distance from where that begins: it fits 32
/// bits, as on a GPU. Nothing for other casts.
Value* BlockCompiler::compileSharedAddress(CastInst& cast) {
  const bool toNumber = isa<PtrToIntInst>(cast);
  Type* pointer = toNumber ? cast.getSrcTy() : cast.getType();
  if ((!toNumber && !isa<IntToPtrInst>(cast)) ||
      pointer->getPointerAddressSpace() != sharedAddressSpace)
    return nullptr;
  Value* from = operand(cast, 0);
  const auto shaped = [&](Type* type) -> Type* {
    return from->getType()->isVectorTy() ? vectorType(type) : type;
  };
  Value* base = contextField(offsetof(WarpContext, shared), builder_.getPtrTy());
  Type* word = shaped(builder_.getInt64Ty());
  if (!toNumber) {
    Value* offset = builder_.CreateZExtOrTrunc(from, word);
    return builder_.CreateGEP(builder_.getInt8Ty(), base, offset);
  }
  Value* address = builder_.CreatePtrToInt(from, word);
  if (cast.getModule()->getFunction(ptx::mapSharedName) != nullptr)
    return builder_.CreateZExtOrTrunc(shortAddress(address), shaped(cast.getType()));
  Value* begin = builder_.CreatePtrToInt(base, builder_.getInt64Ty());
  if (word->isVectorTy())
    begin = splat(begin);
  return builder_.CreateZExtOrTrunc(builder_.CreateSub(address, begin), shaped(cast.getType()));
}

/// A lane that is not active, and one that divides by zero, divides by one: the CPU would trap. So
/// would the smallest number divided by -1, which is its own negative here as on a GPU.
void BlockCompiler::compileDivision(BinaryOperator& division) {
  Value* dividend = operand(division, 0);
  Value* divisor = operand(division, 1);
  Type* type = divisor->getType();
  Value* one = ConstantInt::get(type, 1);
  const auto* known = dyn_cast<ConstantInt>(division.getOperand(1));
  if (known != nullptr && !known->isZero() && !known->isMinusOne()) // becomes a multiplication
    return define(division, builder_.CreateBinOp(division.getOpcode(), dividend, divisor));
  const bool isSigned =
      division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
  Value* safe = builder_.CreateIsNotNull(divisor);
  if (type->isVectorTy())
    safe = builder_.CreateAnd(activeLanes_, safe);
  Value* minusOne = nullptr;
  if (isSigned) {
    minusOne = builder_.CreateICmpEQ(divisor, Constant::getAllOnesValue(type));
    safe = builder_.CreateAnd(safe, builder_.CreateNot(minusOne));
  }
  Value* result = builder_.CreateBinOp(division.getOpcode(), dividend,
                                       builder_.CreateSelect(safe, divisor, one));
  if (isSigned) {
    Value* byMinusOne = division.getOpcode() == Instruction::SDiv ? builder_.CreateNeg(dividend)
                                                                  : Constant::getNullValue(type);
    result = builder_.CreateSelect(minusOne, byMinusOne, result);
  }
  define(division, result);
}

Value* BlockCompiler::addressOf(GetElementPtrInst& address) {
  const auto either = [&](Value* value) {
    return layout_.isUniform(value) ? scalar(value) : vector(value);
  };
  Values indices;
  for (Value* index : address.indices())
    indices.push_back(either(index));
  Value* result = builder_.CreateGEP(address.getSourceElementType(),
                                     either(address.getPointerOperand()), indices);
  if (!layout_.isUniform(&address) && !result->getType()->isVectorTy())
    result = splat(result);
  return result;
}

/// A variable in local memory: each lane has its own.
void BlockCompiler::compileLocal(AllocaInst& variable) {
  if (!variable.isStaticAlloca())
    return refuse(variable, "local memory of a size known only at run time");
  SmallVector<Constant*, warpSize> offsets;
  for (unsigned lane = 0; lane < unsigned(warpSize); ++lane)
    offsets.push_back(
        builder_.getInt64(lane * layout_.localSize() + layout_.localOffset(&variable)));
  Value* base =
      builder_.CreateLoad(builder_.getPtrTy(), place(frame_, offsetof(FrameHeader, local)));
  if (lane_ != nullptr) {
    Value* offset = builder_.CreateMul(builder_.CreateZExt(lane_, builder_.getInt64Ty()),
                                       builder_.getInt64(layout_.localSize()));
    base = builder_.CreateGEP(builder_.getInt8Ty(), base, offset);
    return define(variable, place(base, layout_.localOffset(&variable)));
  }
  define(variable, builder_.CreateGEP(builder_.getInt8Ty(), base, ConstantVector::get(offsets)));
}

/// What the phis of an edge's target will hold. All values are read before any is written: phis may
/// exchange them, and lanes of the other edge need what was there.
BlockCompiler::PhiWrites BlockCompiler::readPhis(const BasicBlock* from, BasicBlock* to) {
  PhiWrites writes;
  for (PHINode& phi : to->phis()) {
    Value* value = phi.getIncomingValueForBlock(from);
    if (layout_.isUniform(&phi)) {
      writes.push_back({&phi, 0, scalar(value)});
      continue;
    }
    const std::vector<Part> parts = partsOf(phi.getType());
    for (unsigned part = 0; part < parts.size(); ++part)
      writes.push_back({&phi, parts[part].offset, vector(value, part)});
  }
  return writes;
}

void BlockCompiler::writePhis(const PhiWrites& writes, Value* edgeMask) {
  for (const PhiWrite& write : writes) {
    Value* slot = place(frame_, layout_.slotOf(write.phi) + write.offset);
    if (layout_.isUniform(write.phi))
      builder_.CreateStore(write.value, slot);
    else
      storeSlot(slot, write.value, edgeMask);
  }
}

void BlockCompiler::compileBranch(BranchInst& branch) {
  const BasicBlock* from = branch.getParent();
  if (branch.isUnconditional()) {
    writePhis(readPhis(from, branch.getSuccessor(0)), activeLanes_);
    builder_.CreateRet(builder_.getInt32(0));
    return;
  }
  if (layout_.isUniform(branch.getCondition())) {
    Value* condition = scalar(branch.getCondition());
    const auto write = [&](unsigned side) {
      writePhis(readPhis(from, branch.getSuccessor(side)), activeLanes_);
    };
    ifThenElse(condition, [&] { write(0); }, [&] { write(1); });
    builder_.CreateRet(builder_.CreateSelect(condition, activeMask_, builder_.getInt32(0)));
    return;
  }
  Value* condition = vector(branch.getCondition());
  Value* taken = builder_.CreateAnd(activeLanes_, condition, "edge.taken");
  Value* other = builder_.CreateAnd(activeLanes_, builder_.CreateNot(condition), "edge.other");
  const PhiWrites first = readPhis(from, branch.getSuccessor(0));
  const PhiWrites second = readPhis(from, branch.getSuccessor(1));
  writePhis(first, taken);
  writePhis(second, other);
  builder_.CreateRet(builder_.CreateAnd(bits(condition), activeMask_));
}

/// The result goes to the caller's slot, for the lanes that return here.
void BlockCompiler::compileReturn(ReturnInst& end) {
  if (Value* value = end.getReturnValue(); value != nullptr && !layout_.isKernel()) {
    Value* to = builder_.CreateLoad(builder_.getPtrTy(), frame_);
    const std::vector<Part> parts = partsOf(value->getType());
    for (unsigned part = 0; part < parts.size(); ++part)
      storeSlot(place(to, parts[part].offset), vector(value, part), activeLanes_);
  }
  if (lane_ == nullptr)
    builder_.CreateRet(builder_.getInt32(0));
}

} // namespace heddle::engine
