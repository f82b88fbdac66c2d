// SPDX-License-Identifier: Apache-2.0
//
// Loads, stores and atomics. Every access is checked: lanes outside the range that this instruction
// hit last go to heddleCheckAccess, and lanes whose access is not fine do not make it.
#include "engine/AddressMap.h"
#include "engine/BlockCompiler.h"
#include "engine/WarpFrame.h"

namespace heddle::engine {

using namespace llvm;

/// Room on the stack of the block's function, taken once however often control passes.
AllocaInst* BlockCompiler::stackPlace(Type* type) {
  IRBuilder<> atEntry(&function_->getEntryBlock(), function_->getEntryBlock().begin());
  return atEntry.CreateAlloca(type);
}

/// The active lanes whose access is fine, as a vector of 32.
Value* BlockCompiler::checkedLanes(Instruction& access, Value* pointers, Type* type) {
  const auto size = unsigned(kernel_.getParent()->getDataLayout().getTypeStoreSize(type));
  const auto site = unsigned(accessSites_.size());
  accessSites_.push_back(&access);
  Value* cache = framePlace(layout_.addSiteCache());
  Type* word = builder_.getInt64Ty();
  Value* addresses = builder_.CreatePtrToInt(pointers, vectorType(word));
  Value* begin = builder_.CreateLoad(word, cache);
  Value* lastOffset =
      builder_.CreateLoad(word, builder_.CreateConstGEP1_64(builder_.getInt8Ty(), cache,
                                                            offsetof(SiteCache, lastOffset)));
  Value* offsets = builder_.CreateSub(addresses, builder_.CreateVectorSplat(warpSize, begin));
  Value* inside = builder_.CreateICmpULE(offsets, builder_.CreateVectorSplat(warpSize, lastOffset));
  Value* fine = builder_.CreateAnd(bits(inside), activeMask_);
  Value* outside = builder_.CreateAnd(activeMask_, builder_.CreateNot(fine));

  AllocaInst* memory = stackPlace(addresses->getType());
  BasicBlock* before = builder_.GetInsertBlock();
  BasicBlock* look = BasicBlock::Create(kernel_.getContext(), "look", function_);
  BasicBlock* go = BasicBlock::Create(kernel_.getContext(), "access", function_);
  builder_.CreateCondBr(builder_.CreateIsNull(outside), go, look);

  builder_.SetInsertPoint(look);
  builder_.CreateStore(addresses, memory);
  Type* mask = builder_.getInt32Ty();
  Type* pointer = builder_.getPtrTy();
  FunctionCallee check = module_->getOrInsertFunction("heddleCheckAccess", mask, pointer, pointer,
                                                      pointer, mask, mask, mask);
  Value* found = builder_.CreateCall(
      check, {frame_, cache, memory, outside, builder_.getInt32(size), builder_.getInt32(site)});
  Value* all = builder_.CreateOr(fine, found);
  builder_.CreateBr(go);

  builder_.SetInsertPoint(go);
  PHINode* lanes = builder_.CreatePHI(mask, 2, "checked");
  lanes->addIncoming(fine, before);
  lanes->addIncoming(all, look);
  return builder_.CreateBitCast(lanes, vectorType(builder_.getInt1Ty()));
}

void BlockCompiler::compileLoad(LoadInst& load) {
  Type* type = laneType(load.getType());
  Value* pointers = vector(load.getPointerOperand());
  Value* lanes = checkedLanes(load, pointers, type);
  Value* zeros = Constant::getNullValue(vectorType(type));
  define(load,
         builder_.CreateMaskedGather(vectorType(type), pointers, load.getAlign(), lanes, zeros));
}

void BlockCompiler::compileStore(StoreInst& store) {
  Value* value = vector(store.getValueOperand());
  Type* type = cast<VectorType>(value->getType())->getElementType();
  Value* pointers = vector(store.getPointerOperand());
  Value* lanes = checkedLanes(store, pointers, type);
  builder_.CreateMaskedScatter(value, pointers, store.getAlign(), lanes);
}

/// A loop over the given lanes in ascending order; operands and results go through memory.
Value* BlockCompiler::forEachLane(Value* lanes, Type* result, ArrayRef<Value*> operands,
                                  LaneBody body) {
  SmallVector<AllocaInst*, 4> memory;
  for (Value* operand : operands) {
    memory.push_back(stackPlace(operand->getType()));
    builder_.CreateStore(operand, memory.back());
  }
  AllocaInst* results = stackPlace(vectorType(result));
  builder_.CreateStore(Constant::getNullValue(vectorType(result)), results);
  Type* mask = builder_.getInt32Ty();
  BasicBlock* before = builder_.GetInsertBlock();
  BasicBlock* each = BasicBlock::Create(kernel_.getContext(), "lane", function_);
  BasicBlock* done = BasicBlock::Create(kernel_.getContext(), "lanes.done", function_);
  builder_.CreateCondBr(builder_.CreateIsNull(lanes), done, each);

  builder_.SetInsertPoint(each);
  PHINode* rest = builder_.CreatePHI(mask, 2, "rest");
  rest->addIncoming(lanes, before);
  Value* lane = builder_.CreateIntrinsic(Intrinsic::cttz, {mask}, {rest, builder_.getTrue()});
  Values values;
  for (std::size_t index = 0; index < operands.size(); ++index) {
    Type* type = cast<VectorType>(operands[index]->getType())->getElementType();
    values.push_back(builder_.CreateLoad(type, builder_.CreateGEP(type, memory[index], lane)));
  }
  Value* made = body(values);
  builder_.CreateStore(made, builder_.CreateGEP(laneType(result), results, lane));
  Value* next = builder_.CreateAnd(rest, builder_.CreateSub(rest, builder_.getInt32(1)));
  rest->addIncoming(next, builder_.GetInsertBlock());
  builder_.CreateCondBr(builder_.CreateIsNull(next), done, each);

  builder_.SetInsertPoint(done);
  return builder_.CreateLoad(vectorType(result), results);
}

void BlockCompiler::compileAtomic(AtomicRMWInst& atomic) {
  Type* type = laneType(atomic.getType());
  Value* pointers = vector(atomic.getPointerOperand());
  Value* values = vector(atomic.getValOperand());
  Value* lanes = bits(checkedLanes(atomic, pointers, type));
  define(atomic, forEachLane(lanes, type, {pointers, values}, [&](ArrayRef<Value*> lane) -> Value* {
           return builder_.CreateAtomicRMW(atomic.getOperation(), lane[0], lane[1], MaybeAlign(),
                                           AtomicOrdering::Monotonic);
         }));
}

void BlockCompiler::compileExchange(AtomicCmpXchgInst& exchange) {
  Type* type = laneType(exchange.getNewValOperand()->getType());
  Value* pointers = vector(exchange.getPointerOperand());
  Value* expected = vector(exchange.getCompareOperand());
  Value* values = vector(exchange.getNewValOperand());
  Value* lanes = bits(checkedLanes(exchange, pointers, type));
  Value* old =
      forEachLane(lanes, type, {pointers, expected, values}, [&](ArrayRef<Value*> lane) -> Value* {
        Value* pair =
            builder_.CreateAtomicCmpXchg(lane[0], lane[1], lane[2], MaybeAlign(),
                                         AtomicOrdering::Monotonic, AtomicOrdering::Monotonic);
        return builder_.CreateExtractValue(pair, 0);
      });
  pairs_[&exchange] = {old, builder_.CreateICmpEQ(old, expected)};
}

} // namespace heddle::engine
