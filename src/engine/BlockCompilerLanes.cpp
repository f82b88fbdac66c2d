// SPDX-License-Identifier: Apache-2.0
//
// A block for few lanes: the same as plain code for one lane, in a loop over those that are active.
// Vectors of 32 lanes cost as much for one lane as for all.
//
//   block(frame, warp, mask)          all lanes: block.full(...), few: block.lanes(...), else
//                                     block.wide(...)
//
// What is uniform is computed once, before the loop. Lanes go one after the other through the whole
// block, so none may see what another one does in it: a block that stores, and touches memory of
// others in any other way too, goes so only for a single lane. Blocks whose lanes need each other
// have no such code, and warps that count what memory instructions move do not use it.
#include "analysis/BlockOrder.h"
#include "engine/BlockCompilerAccess.h"
#include "engine/PrepareKernel.h"
#include "engine/WarpContext.h"

#include <llvm/IR/IntrinsicInst.h>

namespace heddle::engine {

using namespace llvm;

namespace {

/// The most lanes that are faster one by one; wider registers make them fewer.
std::uint64_t fewLanes() {
  return isForNeon() ? 12 : 2;
}

/// Whether no lane can see in memory what another one does in the block.
bool isSeparable(const BasicBlock& block) {
  unsigned accesses = 0;
  bool stores = false;
  for (const Instruction& instruction : block) {
    const MemoryOperand operand = memoryOperand(instruction);
    if (operand.pointer == nullptr || memorySpaceOf(operand.pointer) == profile::MemorySpace::Local)
      continue;
    ++accesses;
    stores = stores || !isa<LoadInst>(instruction);
  }
  return !stores || accesses == 1;
}

/// Whether a load cannot be made before the rest of its block.
bool mayNotMove(const Instruction& load) {
  return load.isVolatile() || load.isAtomic() ||
         std::any_of(load.getParent()->begin(), load.getIterator(),
                     [](const Instruction& other) { return isa<StoreInst>(other); });
}

} // namespace

/// Null where the block cannot run lane by lane.
Function* BlockCompiler::compileLanes(std::size_t number, const std::string& symbol) {
  BasicBlock& block = *layout_.flow().blocks[number];
  Function* code = begin(symbol, number);
  LLVMContext& context = function_.getContext();
  shared_ = BasicBlock::Create(context, "shared", code);
  builder_.CreateBr(shared_);
  BasicBlock* each = BasicBlock::Create(context, "lane", code);
  BasicBlock* done = BasicBlock::Create(context, "done", code);
  builder_.SetInsertPoint(each);
  Type* word = builder_.getInt32Ty();
  PHINode* rest = builder_.CreatePHI(word, 2, "rest");
  PHINode* before = builder_.CreatePHI(word, 2, "before");
  lane_ = builder_.CreateIntrinsic(Intrinsic::cttz, {word}, {rest, builder_.getTrue()});
  activeLanes_ = builder_.getTrue();
  laneTaken_ = builder_.getInt32(0);
  inLane_ = true;
  unfit_ = false;
  for (Instruction& instruction : block) {
    compileForLane(instruction);
    if (unfit_)
      break;
  }
  Value* taken = builder_.CreateOr(before, builder_.CreateShl(laneTaken_, lane_));
  Value* next = builder_.CreateAnd(rest, builder_.CreateSub(rest, builder_.getInt32(1)));
  rest->addIncoming(activeMask_, shared_);
  rest->addIncoming(next, builder_.GetInsertBlock());
  before->addIncoming(builder_.getInt32(0), shared_);
  before->addIncoming(taken, builder_.GetInsertBlock());
  builder_.CreateCondBr(builder_.CreateIsNull(next), done, each);
  builder_.SetInsertPoint(shared_);
  builder_.CreateBr(each);
  builder_.SetInsertPoint(done);
  builder_.CreateRet(taken);
  lane_ = nullptr;
  inLane_ = false;
  separable_ = isSeparable(block);
  if (unfit_) {
    code->eraseFromParent();
    return nullptr;
  }
  return code;
}

void BlockCompiler::compileForLane(Instruction& instruction) {
  if (isa<PHINode>(instruction) || instruction.isDebugOrPseudoInst() || isa<FenceInst>(instruction))
    return;
  if (auto* branch = dyn_cast<BranchInst>(&instruction))
    return branchForLane(*branch);
  if (auto* load = dyn_cast<LoadInst>(&instruction); load != nullptr && !layout_.isUniform(load))
    return loadForLane(*load);
  if (auto* store = dyn_cast<StoreInst>(&instruction))
    return storeForLane(*store);
  if (auto* call = dyn_cast<CallInst>(&instruction); call != nullptr && isRealCall(*call))
    return compileCall(*call);
  if ((isa<LoadInst>(instruction) && mayNotMove(instruction)) ||
      isa<AtomicRMWInst, AtomicCmpXchgInst, UnreachableInst>(instruction)) {
    unfit_ = true;
    return;
  }
  if (!layout_.isUniform(&instruction) || instruction.isTerminator())
    return compileInstruction(instruction);
  const IRBuilder<>::InsertPointGuard guard(builder_);
  builder_.SetInsertPoint(shared_);
  inLane_ = false;
  compileInstruction(instruction);
  inLane_ = true;
  shared_ = builder_.GetInsertBlock();
}

Value* BlockCompiler::loadLane(Value* slot, Type* type) {
  if (!type->isIntegerTy(1))
    return builder_.CreateLoad(laneType(type), builder_.CreateGEP(laneType(type), slot, lane_));
  Value* all = builder_.CreateLoad(builder_.getInt32Ty(), slot);
  return builder_.CreateTrunc(builder_.CreateLShr(all, lane_), type);
}

void BlockCompiler::storeLane(Value* slot, Value* fresh) {
  Type* type = fresh->getType();
  if (!type->isIntegerTy(1)) {
    builder_.CreateStore(fresh, builder_.CreateGEP(type, slot, lane_));
    return;
  }
  Type* word = builder_.getInt32Ty();
  Value* others =
      builder_.CreateAnd(builder_.CreateLoad(word, slot),
                         builder_.CreateNot(builder_.CreateShl(builder_.getInt32(1), lane_)));
  Value* own = builder_.CreateShl(builder_.CreateZExt(fresh, word), lane_);
  builder_.CreateStore(builder_.CreateOr(others, own), slot);
}

/// Checks the lane's address and uses it where it is fine.
void BlockCompiler::checkForLane(const Instruction& instruction, function_ref<void(Value*)> use) {
  const MemoryOperand operand = memoryOperand(instruction);
  const auto number = unsigned(kernel_.sites.accesses.lookup(&instruction));
  const Access access{number, unsigned(types().getTypeStoreSize(operand.type)), operand.alignment,
                      memorySpaceOf(operand.pointer), siteState(number)};
  Value* pointer = vector(operand.pointer);
  Value* address = builder_.CreatePtrToInt(pointer, builder_.getInt64Ty());
  const unsigned shift = Log2(access.alignment);
  Value* offset = builder_.CreateSub(address, rangeBegin(access));
  Value* unit = builder_.CreateIntrinsic(Intrinsic::fshr, {offset->getType()},
                                         {offset, offset, builder_.getInt64(shift)});
  Value* fine = builder_.CreateICmpULE(unit, builder_.CreateLShr(rangeLastOffset(access), shift));
  LLVMContext& context = function_.getContext();
  BasicBlock* look = BasicBlock::Create(context, "look", code_);
  BasicBlock* yes = BasicBlock::Create(context, "fine", code_);
  BasicBlock* done = BasicBlock::Create(context, "done", code_);
  builder_.CreateCondBr(fine, yes, look);
  builder_.SetInsertPoint(look);
  Value* found =
      callHelper("heddleCheckOne", builder_.getInt32Ty(),
                 {warp_, builder_.getInt32(access.number), address,
                  builder_.CreateShl(builder_.getInt32(1), lane_), builder_.getInt32(access.bytes),
                  builder_.getInt32(unsigned(access.alignment.value()))});
  builder_.CreateCondBr(builder_.CreateIsNotNull(found), yes, done);
  builder_.SetInsertPoint(yes);
  use(pointer);
  builder_.CreateBr(done);
  builder_.SetInsertPoint(done);
}

void BlockCompiler::loadForLane(LoadInst& load) {
  unfit_ = !load.isSimple();
  const std::vector<Part> parts = partsOf(load.getType());
  const std::vector<unsigned> offsets = memoryOffsets(load.getType(), types());
  SmallVector<AllocaInst*, 4> results;
  for (const Part& part : parts)
    results.push_back(spill(Constant::getNullValue(laneType(part.type))));
  checkForLane(load, [&](Value* pointer) {
    for (std::size_t i = 0; i < parts.size(); ++i)
      builder_.CreateStore(builder_.CreateAlignedLoad(laneType(parts[i].type),
                                                      place(pointer, offsets[i]),
                                                      commonAlignment(load.getAlign(), offsets[i])),
                           results[i]);
  });
  Values made;
  for (std::size_t i = 0; i < parts.size(); ++i)
    made.push_back(builder_.CreateLoad(laneType(parts[i].type), results[i]));
  defineParts(load, made);
}

void BlockCompiler::storeForLane(StoreInst& store) {
  unfit_ = !store.isSimple() || store.hasMetadata(analysis::inOrderMetadata);
  Value* value = store.getValueOperand();
  const std::vector<unsigned> offsets = memoryOffsets(value->getType(), types());
  Values parts;
  for (unsigned part = 0; part < offsets.size(); ++part)
    parts.push_back(vector(value, part));
  checkForLane(store, [&](Value* pointer) {
    for (std::size_t i = 0; i < parts.size(); ++i)
      builder_.CreateAlignedStore(parts[i], place(pointer, offsets[i]),
                                  commonAlignment(store.getAlign(), offsets[i]));
  });
}

void BlockCompiler::branchForLane(BranchInst& branch) {
  const BasicBlock* from = branch.getParent();
  const auto write = [&](unsigned side) {
    writePhis(readPhis(from, branch.getSuccessor(side)), activeLanes_);
  };
  if (branch.isUnconditional())
    return write(0);
  Value* condition = vector(branch.getCondition());
  ifThenElse(condition, [&] { write(0); }, [&] { write(1); });
  laneTaken_ = builder_.CreateZExt(condition, builder_.getInt32Ty());
}

/// Makes the block's function of its forms.
void BlockCompiler::dispatch(const std::string& symbol, const Forms& forms) {
  forms.wide->setName(symbol + ".wide");
  Function* code = Function::Create(forms.wide->getFunctionType(), GlobalValue::ExternalLinkage,
                                    symbol, kernel_.module);
  code->addFnAttr(Attribute::NoUnwind);
  code_ = code;
  warp_ = code->getArg(1);
  LLVMContext& context = function_.getContext();
  builder_.SetInsertPoint(BasicBlock::Create(context, "entry", code));
  Value* mask = code->getArg(2);
  const auto runIf = [&](Value* condition, Function* form) {
    BasicBlock* yes = BasicBlock::Create(context, "yes", code);
    BasicBlock* no = BasicBlock::Create(context, "no", code);
    builder_.CreateCondBr(condition, yes, no);
    builder_.SetInsertPoint(yes);
    runForm(form);
    builder_.SetInsertPoint(no);
  };
  if (forms.full != nullptr)
    runIf(builder_.CreateICmpEQ(mask, builder_.getInt32(allLanes)), forms.full);
  if (forms.lanes != nullptr)
    runIf(areFew(mask), forms.lanes);
  runForm(forms.wide);
}

/// Ends the code being written with a form of the block.
void BlockCompiler::runForm(Function* form) {
  form->setLinkage(GlobalValue::InternalLinkage);
  CallInst* call =
      builder_.CreateCall(form, {code_->getArg(0), code_->getArg(1), code_->getArg(2)});
  call->setTailCall();
  builder_.CreateRet(call);
}

/// Whether these lanes are to run one by one.
Value* BlockCompiler::areFew(Value* mask) {
  Value* few = nullptr;
  if (separable_)
    few =
        builder_.CreateICmpULE(contextField(offsetof(WarpContext, runLanes), builder_.getInt64Ty()),
                               builder_.getInt64(fewLanes()));
  else
    few = builder_.CreateIsNull(
        builder_.CreateAnd(mask, builder_.CreateSub(mask, builder_.getInt32(1))));
  if (kernel_.account)
    few = builder_.CreateAnd(few, builder_.CreateIsNull(contextField(offsetof(WarpContext, counts),
                                                                     builder_.getInt32Ty())));
  return few;
}

} // namespace heddle::engine
