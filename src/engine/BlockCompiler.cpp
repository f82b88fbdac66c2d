// SPDX-License-Identifier: Apache-2.0
#include "engine/BlockCompiler.h"

#include "engine/WarpFrame.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/Support/raw_ostream.h>

namespace heddle::engine {

using namespace llvm;

BlockCompiler::BlockCompiler(Function& kernel, FrameLayout& layout)
    : kernel_(kernel), layout_(layout),
      module_(std::make_unique<Module>("heddle." + kernel.getName().str(), kernel.getContext())),
      builder_(kernel.getContext()) {}

Expected<std::unique_ptr<Module>> BlockCompiler::compile() {
  for (std::size_t number = 0; number < layout_.blocks().size(); ++number)
    compileBlock(number);
  if (error_)
    return tl::unexpected(*error_);
  return std::move(module_);
}

void BlockCompiler::refuse(const Instruction& instruction, const std::string& what) {
  if (error_)
    return;
  std::string place = kernel_.getName().str();
  if (const DILocation* where = instruction.getDebugLoc())
    place = fmt::format("{}:{}", where->getFilename().str(), where->getLine());
  error_ =
      Error{ErrorKind::Unsupported, fmt::format("{}: the engine does not run {} yet", place, what)};
}

void BlockCompiler::compileBlock(std::size_t number) {
  FunctionType* type =
      FunctionType::get(builder_.getInt32Ty(), {builder_.getPtrTy(), builder_.getInt32Ty()}, false);
  function_ = Function::Create(type, GlobalValue::ExternalLinkage, blockSymbol(number), *module_);
  builder_.SetInsertPoint(BasicBlock::Create(kernel_.getContext(), "entry", function_));
  frame_ = function_->getArg(0);
  activeMask_ = function_->getArg(1);
  activeLanes_ = builder_.CreateBitCast(activeMask_, vectorType(builder_.getInt1Ty()), "active");
  scalars_.clear();
  vectors_.clear();
  pairs_.clear();
  for (Instruction& instruction : *layout_.blocks()[number])
    compileInstruction(instruction);
}

Type* BlockCompiler::laneType(Type* type) const {
  return type->isPointerTy() ? PointerType::get(type->getContext(), 0) : type;
}

Type* BlockCompiler::vectorType(Type* type) const {
  return FixedVectorType::get(laneType(type), warpSize);
}

Value* BlockCompiler::framePlace(unsigned offset) {
  return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), frame_, offset);
}

Value* BlockCompiler::contextField(unsigned offset, Type* type) {
  return builder_.CreateLoad(type, framePlace(offset));
}

Value* BlockCompiler::bits(Value* lanes) {
  return builder_.CreateBitCast(lanes, builder_.getInt32Ty());
}

/// A variable of the program: in the block's shared memory, or one of our own module's.
Value* BlockCompiler::global(GlobalVariable& variable) {
  if (layout_.isShared(&variable)) {
    Value* base = contextField(offsetof(WarpContext, shared), builder_.getPtrTy());
    return builder_.CreateConstGEP1_64(builder_.getInt8Ty(), base, layout_.sharedOffset(&variable));
  }
  if (GlobalVariable* known = module_->getGlobalVariable(variable.getName(), true))
    return known;
  Constant* initial = variable.hasInitializer() ? variable.getInitializer()
                                                : Constant::getNullValue(variable.getValueType());
  return new GlobalVariable(*module_, variable.getValueType(), false, GlobalValue::ExternalLinkage,
                            initial, variable.getName());
}

Value* BlockCompiler::constant(Constant* value) {
  if (auto* variable = dyn_cast<GlobalVariable>(value))
    return global(*variable);
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
  Instruction* instruction = expression->getAsInstruction();
  for (Use& operand : instruction->operands())
    operand.set(constant(cast<Constant>(operand.get())));
  return builder_.Insert(instruction);
}

Value* BlockCompiler::scalar(Value* value) {
  if (auto* known = dyn_cast<Constant>(value))
    return constant(known);
  Value*& cached = scalars_[value];
  if (cached != nullptr)
    return cached;
  if (auto* argument = dyn_cast<Argument>(value)) {
    Value* base = contextField(offsetof(WarpContext, arguments), builder_.getPtrTy());
    Value* place =
        builder_.CreateConstGEP1_64(builder_.getInt8Ty(), base, layout_.argumentOffset(argument));
    return scalars_[value] = argument->hasByValAttr()
                                 ? place
                                 : builder_.CreateLoad(laneType(value->getType()), place);
  }
  return scalars_[value] =
             builder_.CreateLoad(laneType(value->getType()), framePlace(layout_.slotOf(value)));
}

Value* BlockCompiler::vector(Value* value) {
  if (layout_.isUniform(value))
    return builder_.CreateVectorSplat(warpSize, scalar(value));
  if (Value* cached = vectors_.lookup(value))
    return cached;
  Value* place = framePlace(layout_.slotOf(value));
  Value* loaded = value->getType()->isIntegerTy(1)
                      ? builder_.CreateBitCast(builder_.CreateLoad(builder_.getInt32Ty(), place),
                                               vectorType(value->getType()))
                      : builder_.CreateAlignedLoad(vectorType(value->getType()), place,
                                                   Align(FrameLayout::alignment));
  return vectors_[value] = loaded;
}

/// Writes the given lanes of a value's slot and leaves the others.
void BlockCompiler::keep(const Value* value, Value* fresh, Value* lanes) {
  Value* place = framePlace(layout_.slotOf(value));
  if (value->getType()->isIntegerTy(1)) {
    Value* old =
        builder_.CreateBitCast(builder_.CreateLoad(builder_.getInt32Ty(), place), fresh->getType());
    builder_.CreateStore(bits(builder_.CreateSelect(lanes, fresh, old)), place);
    return;
  }
  const Align aligned(FrameLayout::alignment);
  Value* old = builder_.CreateAlignedLoad(fresh->getType(), place, aligned);
  builder_.CreateAlignedStore(builder_.CreateSelect(lanes, fresh, old), place, aligned);
}

void BlockCompiler::define(Instruction& instruction, Value* value) {
  if (layout_.isUniform(&instruction)) {
    scalars_[&instruction] = value;
    if (layout_.hasSlot(&instruction))
      builder_.CreateStore(value, framePlace(layout_.slotOf(&instruction)));
    return;
  }
  vectors_[&instruction] = value;
  if (layout_.hasSlot(&instruction))
    keep(&instruction, value, activeLanes_);
}

void BlockCompiler::compileInstruction(Instruction& instruction) {
  if (isa<PHINode>(instruction) || instruction.isDebugOrPseudoInst())
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
  if (auto* branch = dyn_cast<BranchInst>(&instruction))
    return compileBranch(*branch);
  if (isa<ReturnInst, UnreachableInst>(instruction)) {
    builder_.CreateRet(builder_.getInt32(0));
    return;
  }
  if (isa<FenceInst>(instruction))
    return; // lanes run in lockstep, and blocks share memory in order
  compileArithmetic(instruction);
}

void BlockCompiler::compileArithmetic(Instruction& instruction) {
  const bool uniform = layout_.isUniform(&instruction);
  const auto operand = [&](unsigned index) {
    Value* value = instruction.getOperand(index);
    return uniform ? scalar(value) : vector(value);
  };
  Type* type = uniform ? laneType(instruction.getType()) : vectorType(instruction.getType());
  if (auto* binary = dyn_cast<BinaryOperator>(&instruction)) {
    if (binary->isIntDivRem())
      return compileDivision(*binary);
    Value* result = builder_.CreateBinOp(binary->getOpcode(), operand(0), operand(1));
    if (auto* made = dyn_cast<Instruction>(result); made != nullptr && isa<FPMathOperator>(made))
      made->setFastMathFlags(instruction.getFastMathFlags());
    return define(instruction, result);
  }
  if (auto* unary = dyn_cast<UnaryOperator>(&instruction))
    return define(instruction, builder_.CreateUnOp(unary->getOpcode(), operand(0)));
  if (isa<AddrSpaceCastInst, FreezeInst>(instruction)) // one address space here; no value is poison
    return define(instruction, operand(0));
  if (auto* cast = dyn_cast<CastInst>(&instruction))
    return define(instruction, builder_.CreateCast(cast->getOpcode(), operand(0), type));
  if (auto* compare = dyn_cast<CmpInst>(&instruction))
    return define(instruction, builder_.CreateCmp(compare->getPredicate(), operand(0), operand(1)));
  if (isa<SelectInst>(instruction))
    return define(instruction, builder_.CreateSelect(operand(0), operand(1), operand(2)));
  if (auto* address = dyn_cast<GetElementPtrInst>(&instruction))
    return compileAddress(*address);
  if (auto* variable = dyn_cast<AllocaInst>(&instruction)) {
    SmallVector<Constant*, warpSize> offsets;
    for (unsigned lane = 0; lane < unsigned(warpSize); ++lane)
      offsets.push_back(
          builder_.getInt64(lane * layout_.localSize() + layout_.localOffset(variable)));
    Value* base = contextField(offsetof(WarpContext, local), builder_.getPtrTy());
    return define(instruction,
                  builder_.CreateGEP(builder_.getInt8Ty(), base, ConstantVector::get(offsets)));
  }
  if (auto* extract = dyn_cast<ExtractValueInst>(&instruction);
      extract != nullptr && pairs_.contains(extract->getAggregateOperand())) {
    const auto& [first, second] = pairs_[extract->getAggregateOperand()];
    return define(instruction, extract->getIndices()[0] == 0 ? first : second);
  }
  refuse(instruction, fmt::format("'{}'", instruction.getOpcodeName()));
}

/// A lane that is not active, and one that divides by zero, divides by one: the CPU would trap. So
/// would the smallest number divided by -1, which is its own negative here as on a GPU.
void BlockCompiler::compileDivision(BinaryOperator& division) {
  Value* dividend = vector(division.getOperand(0));
  Value* divisor = vector(division.getOperand(1));
  Type* type = divisor->getType();
  Value* one = ConstantInt::get(type, 1);
  const bool isSigned =
      division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
  Value* safe = builder_.CreateAnd(activeLanes_, builder_.CreateIsNotNull(divisor));
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
  if (layout_.isUniform(&division))
    result = builder_.CreateExtractElement(
        result, builder_.CreateIntrinsic(Intrinsic::cttz, {builder_.getInt32Ty()},
                                         {activeMask_, builder_.getTrue()}));
  define(division, result);
}

void BlockCompiler::compileAddress(GetElementPtrInst& address) {
  const auto either = [&](Value* value) {
    return layout_.isUniform(value) ? scalar(value) : vector(value);
  };
  Values indices;
  for (Value* index : address.indices())
    indices.push_back(either(index));
  Value* result = builder_.CreateGEP(address.getSourceElementType(),
                                     either(address.getPointerOperand()), indices);
  if (!layout_.isUniform(&address) && !result->getType()->isVectorTy())
    result = builder_.CreateVectorSplat(warpSize, result);
  define(address, result);
}

void BlockCompiler::writePhis(const BasicBlock* from, BasicBlock* to, Value* edgeMask) {
  // All values are read before any is written: phis may exchange them.
  SmallVector<std::pair<PHINode*, Value*>, 8> fresh;
  for (PHINode& phi : to->phis())
    fresh.emplace_back(&phi, vector(phi.getIncomingValueForBlock(from)));
  for (const auto& [phi, value] : fresh)
    keep(phi, value, edgeMask);
}

void BlockCompiler::compileBranch(BranchInst& branch) {
  const BasicBlock* from = branch.getParent();
  if (branch.isUnconditional()) {
    writePhis(from, branch.getSuccessor(0), activeLanes_);
    builder_.CreateRet(builder_.getInt32(0));
    return;
  }
  Value* condition = vector(branch.getCondition());
  Value* taken = builder_.CreateAnd(activeLanes_, condition, "edge.taken");
  Value* other = builder_.CreateAnd(activeLanes_, builder_.CreateNot(condition), "edge.other");
  writePhis(from, branch.getSuccessor(0), taken);
  writePhis(from, branch.getSuccessor(1), other);
  builder_.CreateRet(bits(taken));
}

} // namespace heddle::engine
