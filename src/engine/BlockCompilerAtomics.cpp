// SPDX-License-Identifier: Apache-2.0
//
// Atomics: lane after lane, in ascending order. Additions of integers whose result no one reads are
// put together where they can be, and kept from memory for a while where several workers run
// (PrivateSums.h). Those of floats take effect in the order of blocks then (LaterSums.h), and where
// that order can be seen an atomic waits for its block's turn (BlockSequence.h).
#include "analysis/BlockOrder.h"
#include "engine/BlockCompilerAccess.h"
#include "engine/VectorMath.h"
#include "engine/WarpContext.h"
#include "ptx/ReadPtx.h"

#include <llvm/Transforms/Utils/LowerAtomic.h>

namespace heddle::engine {

using namespace llvm;

namespace {

/// What an atomic leaves in memory: of halves, what the note on it says.
Value* newValue(IRBuilder<>& builder, const AtomicRMWInst& atomic, Value* old, Value* value) {
  const MDNode* small = atomic.getMetadata(ptx::smallAtomicMetadata);
  if (small == nullptr)
    return buildAtomicRMWValue(atomic.getOperation(), builder, old, value);
  const std::string name =
      "heddle.ptx.small." + cast<MDString>(small->getOperand(0))->getString().str();
  Value* made = buildVectorMath(builder, name, {old, value}, old->getType());
  assert(made != nullptr && "the front end notes only what there is");
  return made;
}

/// An increment or decrement that wraps, or an operation on halves, as a loop that exchanges the
/// value until no one else came in between. Few machines have an instruction for it, and LLVM does
/// not expand it for all of the others.
Value* exchangeWrapped(IRBuilder<>& builder, const AtomicRMWInst& atomic, Value* place,
                       Value* limit) {
  const Align align(limit->getType()->getIntegerBitWidth() / 8);
  LoadInst* first = builder.CreateAlignedLoad(limit->getType(), place, align, "wrap.first");
  first->setAtomic(AtomicOrdering::Monotonic);
  BasicBlock* before = builder.GetInsertBlock();
  Function* function = before->getParent();
  BasicBlock* attempt = BasicBlock::Create(function->getContext(), "wrap", function);
  BasicBlock* done = BasicBlock::Create(function->getContext(), "wrap.done", function);
  builder.CreateBr(attempt);

  builder.SetInsertPoint(attempt);
  PHINode* old = builder.CreatePHI(limit->getType(), 2, "wrap.old");
  old->addIncoming(first, before);
  Value* wanted = newValue(builder, atomic, old, limit);
  Value* pair = builder.CreateAtomicCmpXchg(place, old, wanted, align, AtomicOrdering::Monotonic,
                                            AtomicOrdering::Monotonic);
  old->addIncoming(builder.CreateExtractValue(pair, 0), builder.GetInsertBlock());
  builder.CreateCondBr(builder.CreateExtractValue(pair, 1), done, attempt);

  builder.SetInsertPoint(done);
  return old;
}

} // namespace

/// A loop over the given lanes in ascending order; operands and results go through memory.
Value* BlockCompiler::forEachLane(Value* lanes, Type* result, ArrayRef<Value*> operands,
                                  LaneBody body) {
  SmallVector<AllocaInst*, 4> memory;
  for (Value* operand : operands)
    memory.push_back(spill(operand));
  AllocaInst* results = nullptr;
  if (!result->isVoidTy())
    results = spill(Constant::getNullValue(vectorType(result)));
  Type* mask = builder_.getInt32Ty();
  BasicBlock* before = builder_.GetInsertBlock();
  BasicBlock* each = BasicBlock::Create(function_.getContext(), "lane", code_);
  BasicBlock* done = BasicBlock::Create(function_.getContext(), "lanes.done", code_);
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
  Value* made = body(lane, values);
  if (results != nullptr)
    builder_.CreateStore(made, builder_.CreateGEP(laneType(result), results, lane));
  Value* next = builder_.CreateAnd(rest, builder_.CreateSub(rest, builder_.getInt32(1)));
  rest->addIncoming(next, builder_.GetInsertBlock());
  builder_.CreateCondBr(builder_.CreateIsNull(next), done, each);

  builder_.SetInsertPoint(done);
  return results == nullptr ? nullptr : builder_.CreateLoad(vectorType(result), results);
}

/// The lanes of an atomic that are fine.
Value* BlockCompiler::atomicLanes(const Access& access) {
  AllocaInst* result = spill(activeMask_);
  ifThenElse(
      builder_.CreateICmpEQ(access.group->way, builder_.getInt32(Careful)),
      [&] {
        builder_.CreateStore(callCarefully("heddleCarefulAtomic", access,
                                           Constant::getNullValue(builder_.getPtrTy())),
                             result);
      },
      [] {});
  return builder_.CreateLoad(builder_.getInt32Ty(), result);
}

/// What the lanes of an addition add, and where.
struct BlockCompiler::LaneSums {
  AtomicRMWInst::BinOp operation;
  Type* type;
  Value* pointers;
  Value* values;
  Value* lanes; ///< that add
};

/// Where each half of the warp adds to one place, its first lane adds for all.
void BlockCompiler::sumHalves(const Access& access, LaneSums& sums) {
  AllocaInst* values = spill(sums.values);
  AllocaInst* lanes = spill(sums.lanes);
  ifThenElse(
      builder_.CreateICmpEQ(access.group->way, builder_.getInt32(Points)),
      [&] {
        Value* whole = sums.values;
        for (const unsigned first : {0u, half})
          whole = builder_.CreateInsertElement(
              whole,
              builder_.CreateAddReduce(builder_.CreateShuffleVector(sums.values, halfFrom(first))),
              std::uint64_t{first});
        builder_.CreateStore(whole, values);
        builder_.CreateStore(builder_.getInt32(1u | 1u << half), lanes);
      },
      [] {});
  sums.values = builder_.CreateLoad(sums.values->getType(), values);
  sums.lanes = builder_.CreateLoad(sums.lanes->getType(), lanes);
}

void BlockCompiler::addPlainly(const LaneSums& sums) {
  const auto add = [&](Value* place, Value* value) {
    Value* old = builder_.CreateLoad(sums.type, place);
    builder_.CreateStore(buildAtomicRMWValue(sums.operation, builder_, old, value), place);
  };
  ifThenElse(
      builder_.CreateICmpEQ(sums.lanes, builder_.getInt32(allLanes)),
      [&] {
        for (unsigned lane = 0; lane < unsigned(warpSize); ++lane)
          add(builder_.CreateExtractElement(sums.pointers, std::uint64_t{lane}),
              builder_.CreateExtractElement(sums.values, std::uint64_t{lane}));
      },
      [&] {
        forEachLane(sums.lanes, builder_.getVoidTy(), {sums.pointers, sums.values},
                    [&](Value*, ArrayRef<Value*> lane) -> Value* {
                      add(lane[0], lane[1]);
                      return nullptr;
                    });
      });
}

void BlockCompiler::addLocked(const LaneSums& sums) {
  forEachLane(sums.lanes, builder_.getVoidTy(), {sums.pointers, sums.values},
              [&](Value*, ArrayRef<Value*> lane) -> Value* {
                builder_.CreateAtomicRMW(sums.operation, lane[0], lane[1], MaybeAlign(),
                                         AtomicOrdering::Monotonic);
                return nullptr;
              });
}

/// To the worker's mirror where that holds all the places, else to memory.
void BlockCompiler::addPrivately(const Access& access, const LaneSums& sums) {
  Type* word = builder_.getInt64Ty();
  Value* range = contextField(offsetof(WarpContext, sums), builder_.getPtrTy());
  const auto field = [&](std::size_t offset) {
    return splat(builder_.CreateLoad(word, place(range, unsigned(offset))));
  };
  Value* offsets = builder_.CreateSub(addressesOf(access), field(offsetof(SumRange, begin)));
  Value* inside = bits(builder_.CreateICmpULE(offsets, field(offsetof(SumRange, lastOffset))));
  Value* outside = builder_.CreateAnd(sums.lanes, builder_.CreateNot(inside));
  ifThenElse(
      builder_.CreateIsNull(outside),
      [&] {
        LaneSums mirrored = sums;
        Value* places = builder_.CreateAdd(addressesOf(access), field(offsetof(SumRange, shift)));
        mirrored.pointers = builder_.CreateIntToPtr(places, sums.pointers->getType());
        addPlainly(mirrored);
      },
      [&] {
        addLocked(sums);
        Value* wanted = builder_.CreateLoad(builder_.getInt32Ty(),
                                            place(range, unsigned(offsetof(SumRange, wanted))));
        ifThenElse(
            builder_.CreateIsNull(wanted), [] {},
            [&] {
              Value* lane = builder_.CreateIntrinsic(Intrinsic::cttz, {outside->getType()},
                                                     {outside, builder_.getTrue()});
              callHelper("heddleSumPrivately", builder_.getVoidTy(),
                         {warp_, builder_.CreateExtractElement(addressesOf(access), lane),
                          builder_.getInt32(access.bytes)});
            });
      });
}

/// Additions that no one reads the result of may be put together, and need not be seen at once.
void BlockCompiler::compileSum(AtomicRMWInst& sum) {
  const Access access = makeAccess(sum, profile::AccessKind::Atomic);
  LaneSums sums{sum.getOperation(), laneType(sum.getType()), pointersOf(access),
                vector(sum.getValOperand()), atomicLanes(access)};
  sumHalves(access, sums);
  if (access.space == profile::MemorySpace::Shared)
    return addPlainly(sums);
  ifThenElse(
      builder_.CreateIsNotNull(contextField(offsetof(WarpContext, alone), builder_.getInt32Ty())),
      [&] { addPlainly(sums); },
      [&] { kernel_.sumsPrivately ? addPrivately(access, sums) : addLocked(sums); });
}

/// All blocks before this one are to end before it goes on, if others run beside it.
void BlockCompiler::awaitTurn() {
  ifThenElse(
      builder_.CreateIsNotNull(contextField(offsetof(WarpContext, alone), builder_.getInt32Ty())),
      [] {}, [&] { callHelper("heddleAwaitTurn", builder_.getVoidTy(), {warp_}); });
}

/// In the order of blocks.
void BlockCompiler::addLater(const Access& access, AtomicRMWInst::BinOp operation, Value* values,
                             Value* lanes) {
  if (operation == AtomicRMWInst::FSub)
    values = builder_.CreateFNeg(values);
  callHelper(
      "heddleSumLater", builder_.getVoidTy(),
      {warp_, lanes, spill(addressesOf(access)), spill(values), builder_.getInt32(access.bytes)});
}

/// Lanes one after the other. Shared memory belongs to one thread of ours, and so does all memory
/// when there is only one: then a plain operation does.
void BlockCompiler::compileAtomic(AtomicRMWInst& atomic) {
  if (isSum(atomic))
    return compileSum(atomic);
  Type* type = laneType(atomic.getType());
  const Access access = makeAccess(atomic, profile::AccessKind::Atomic);
  Value* values = vector(atomic.getValOperand());
  Value* lanes = atomicLanes(access);
  const bool wanted = !atomic.use_empty();
  AllocaInst* result = wanted ? stackPlace(vectorType(type)) : nullptr;
  const auto each = [&](LaneBody body) {
    const auto perhaps = [&](Value* lane, ArrayRef<Value*> operands) -> Value* {
      Value* old = body(lane, operands);
      return wanted ? old : nullptr;
    };
    Value* old = forEachLane(lanes, wanted ? type : builder_.getVoidTy(),
                             {pointersOf(access), values}, perhaps);
    if (wanted)
      builder_.CreateStore(old, result);
  };
  const auto plain = [&] {
    each([&](Value*, ArrayRef<Value*> lane) -> Value* {
      Value* old = builder_.CreateLoad(type, lane[0]);
      builder_.CreateStore(newValue(builder_, atomic, old, lane[1]), lane[0]);
      return old;
    });
  };
  const auto locked = [&] {
    if (isLaterSum(atomic))
      return addLater(access, atomic.getOperation(), values, lanes);
    if (!analysis::isInAnyOrder(atomic))
      callHelper("heddleAwaitTurn", builder_.getVoidTy(), {warp_});
    each([&](Value*, ArrayRef<Value*> lane) -> Value* {
      if (atomic.getOperation() == AtomicRMWInst::UIncWrap ||
          atomic.getOperation() == AtomicRMWInst::UDecWrap ||
          atomic.getMetadata(ptx::smallAtomicMetadata) != nullptr)
        return exchangeWrapped(builder_, atomic, lane[0], lane[1]);
      return builder_.CreateAtomicRMW(atomic.getOperation(), lane[0], lane[1], MaybeAlign(),
                                      AtomicOrdering::Monotonic);
    });
  };
  if (access.space == profile::MemorySpace::Shared)
    plain();
  else
    ifThenElse(
        builder_.CreateIsNotNull(contextField(offsetof(WarpContext, alone), builder_.getInt32Ty())),
        plain, locked);
  if (wanted)
    define(atomic, builder_.CreateLoad(vectorType(type), result));
}

void BlockCompiler::compileExchange(AtomicCmpXchgInst& exchange) {
  Type* type = laneType(exchange.getNewValOperand()->getType());
  const Access access = makeAccess(exchange, profile::AccessKind::Atomic);
  Value* expected = vector(exchange.getCompareOperand());
  Value* values = vector(exchange.getNewValOperand());
  Value* lanes = atomicLanes(access);
  if (access.space != profile::MemorySpace::Shared)
    awaitTurn();
  Value* old = forEachLane(lanes, type, {pointersOf(access), expected, values},
                           [&](Value*, ArrayRef<Value*> lane) -> Value* {
                             Value* pair = builder_.CreateAtomicCmpXchg(
                                 lane[0], lane[1], lane[2], MaybeAlign(), AtomicOrdering::Monotonic,
                                 AtomicOrdering::Monotonic);
                             return builder_.CreateExtractValue(pair, 0);
                           });
  defineParts(exchange, {old, builder_.CreateICmpEQ(old, expected)});
}

} // namespace heddle::engine
