// SPDX-License-Identifier: Apache-2.0
//
// Votes, matches, reductions and shuffles: what the lanes of a warp tell each other. Lanes wait for
// those that their mask names.
#include "engine/BlockCompiler.h"
#include "engine/MatrixMultiply.h"
#include "engine/WarpContext.h"
#include "ptx/ReadPtx.h"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

namespace heddle::engine {

using namespace llvm;

bool BlockCompiler::compileWarpFunction(CallInst& call) {
  if (call.getCalledFunction()->getName().starts_with(ptx::warpPrefix)) {
    compileMatrix(call);
    return true;
  }
  switch (call.getIntrinsicID()) {
  case Intrinsic::nvvm_vote_ballot_sync:
  case Intrinsic::nvvm_vote_any_sync:
  case Intrinsic::nvvm_vote_all_sync:
  case Intrinsic::nvvm_vote_uni_sync:
  case Intrinsic::nvvm_activemask:
    compileVote(call);
    return true;
  case Intrinsic::nvvm_match_any_sync_i32:
  case Intrinsic::nvvm_match_any_sync_i64:
  case Intrinsic::nvvm_match_all_sync_i32p:
  case Intrinsic::nvvm_match_all_sync_i64p:
    compileMatch(call);
    return true;
  case Intrinsic::nvvm_redux_sync_add:
  case Intrinsic::nvvm_redux_sync_and:
  case Intrinsic::nvvm_redux_sync_or:
  case Intrinsic::nvvm_redux_sync_xor:
  case Intrinsic::nvvm_redux_sync_min:
  case Intrinsic::nvvm_redux_sync_max:
  case Intrinsic::nvvm_redux_sync_umin:
  case Intrinsic::nvvm_redux_sync_umax:
    compileReduction(call);
    return true;
  case Intrinsic::nvvm_shfl_sync_idx_i32:
  case Intrinsic::nvvm_shfl_sync_idx_f32:
  case Intrinsic::nvvm_shfl_sync_idx_i32p:
  case Intrinsic::nvvm_shfl_sync_up_i32:
  case Intrinsic::nvvm_shfl_sync_up_f32:
  case Intrinsic::nvvm_shfl_sync_up_i32p:
  case Intrinsic::nvvm_shfl_sync_down_i32:
  case Intrinsic::nvvm_shfl_sync_down_f32:
  case Intrinsic::nvvm_shfl_sync_down_i32p:
  case Intrinsic::nvvm_shfl_sync_bfly_i32:
  case Intrinsic::nvvm_shfl_sync_bfly_f32:
  case Intrinsic::nvvm_shfl_sync_bfly_i32p:
    compileShuffle(call);
    return true;
  default:
    return false;
  }
}

/// All lanes that the active lanes' masks name.
Value* BlockCompiler::orOfLanes(Value* mask) {
  if (layout_.isUniform(mask))
    return scalar(mask);
  Value* lanes = vector(mask);
  return builder_.CreateOrReduce(
      builder_.CreateSelect(activeLanes_, lanes, Constant::getNullValue(lanes->getType())));
}

/// The active lanes whose own mask does not name them.
Value* BlockCompiler::unnamedLanes(Value* mask) {
  if (layout_.isUniform(mask))
    return builder_.CreateAnd(activeMask_, builder_.CreateNot(scalar(mask)));
  Value* own = builder_.CreateShl(splat(builder_.getInt32(1)), laneNumbers());
  Value* named = builder_.CreateIsNotNull(builder_.CreateAnd(vector(mask), own));
  return builder_.CreateAnd(activeMask_, builder_.CreateNot(bits(named)));
}

/// A mask has to name the lanes that call with it; what a GPU does otherwise is not defined.
/// If the mask names lanes that live and are elsewhere, the block ends here and runs again when
/// they have come. PrepareKernel has put a function of the warp that names other lanes than the one
/// before at the beginning of its block.
void BlockCompiler::awaitLanes(CallInst& call, Value* mask) {
  if (&call != call.getParent()->getFirstNonPHIOrDbg())
    return;
  Value* live = contextField(offsetof(WarpContext, live), builder_.getInt32Ty());
  Value* named = orOfLanes(mask);
  Value* missing =
      builder_.CreateAnd(builder_.CreateAnd(named, live), builder_.CreateNot(activeMask_));
  Value* unnamed = unnamedLanes(mask);
  const unsigned site = kernel_.sites.add(call);
  BasicBlock* wait = BasicBlock::Create(code_->getContext(), "wait", code_);
  BasicBlock* together = BasicBlock::Create(code_->getContext(), "together", code_);
  builder_.CreateCondBr(builder_.CreateIsNull(builder_.CreateOr(missing, unnamed)), together, wait);
  builder_.SetInsertPoint(wait);
  callHelper("heddleAwaitLanes", builder_.getVoidTy(),
             {warp_, builder_.getInt32(site), named, unnamed});
  builder_.CreateRet(builder_.getInt32(0));
  builder_.SetInsertPoint(together);
}

void BlockCompiler::compileVote(CallInst& call) {
  const Intrinsic::ID id = call.getIntrinsicID();
  const bool uniform = layout_.isUniform(&call);
  const auto give = [&](Value* value) {
    define(call, !uniform && !value->getType()->isVectorTy() ? splat(value) : value);
  };
  if (id == Intrinsic::nvvm_activemask)
    return give(activeMask_);
  awaitLanes(call, call.getArgOperand(0));
  Value* votes = builder_.CreateAnd(bits(vector(call.getArgOperand(1))), activeMask_);
  Value* mask = uniform ? scalar(call.getArgOperand(0)) : vector(call.getArgOperand(0));
  const auto spread = [&](Value* value) { return uniform ? value : splat(value); };
  Value* yes = builder_.CreateAnd(spread(votes), mask);
  Value* asked = builder_.CreateAnd(spread(activeMask_), mask);
  if (id == Intrinsic::nvvm_vote_ballot_sync)
    return give(yes);
  Value* any = builder_.CreateIsNotNull(yes);
  Value* all = builder_.CreateICmpEQ(yes, asked);
  if (id == Intrinsic::nvvm_vote_any_sync)
    return give(any);
  if (id == Intrinsic::nvvm_vote_all_sync)
    return give(all);
  give(builder_.CreateOr(all, builder_.CreateNot(any)));
}

void BlockCompiler::compileMatch(CallInst& call) {
  const Intrinsic::ID id = call.getIntrinsicID();
  awaitLanes(call, call.getArgOperand(0));
  Value* values = vector(call.getArgOperand(1));
  Value* masks = vector(call.getArgOperand(0));
  Value* same =
      forEachLane(activeMask_, builder_.getInt32Ty(), {values, masks},
                  [&](Value*, ArrayRef<Value*> lane) -> Value* {
                    Value* equal = bits(builder_.CreateICmpEQ(values, splat(lane[0])));
                    return builder_.CreateAnd(builder_.CreateAnd(equal, activeMask_), lane[1]);
                  });
  if (id == Intrinsic::nvvm_match_any_sync_i32 || id == Intrinsic::nvvm_match_any_sync_i64)
    return define(call, same);
  Value* asked = builder_.CreateAnd(masks, splat(activeMask_));
  Value* all = builder_.CreateICmpEQ(same, asked);
  defineParts(call,
              {builder_.CreateSelect(all, asked, Constant::getNullValue(same->getType())), all});
}

void BlockCompiler::compileReduction(CallInst& call) {
  Value* values = vector(call.getArgOperand(0));
  awaitLanes(call, call.getArgOperand(1));
  Type* type = values->getType();
  const auto reduce = [&](Value* lanes) -> Value* {
    const auto others = [&](const APInt& neutral) {
      return builder_.CreateSelect(lanes, values, ConstantInt::get(type, neutral));
    };
    switch (call.getIntrinsicID()) {
    case Intrinsic::nvvm_redux_sync_add:
      return builder_.CreateAddReduce(others(APInt::getZero(32)));
    case Intrinsic::nvvm_redux_sync_and:
      return builder_.CreateAndReduce(others(APInt::getAllOnes(32)));
    case Intrinsic::nvvm_redux_sync_or:
      return builder_.CreateOrReduce(others(APInt::getZero(32)));
    case Intrinsic::nvvm_redux_sync_xor:
      return builder_.CreateXorReduce(others(APInt::getZero(32)));
    case Intrinsic::nvvm_redux_sync_min:
      return builder_.CreateIntMinReduce(others(APInt::getSignedMaxValue(32)), true);
    case Intrinsic::nvvm_redux_sync_max:
      return builder_.CreateIntMaxReduce(others(APInt::getSignedMinValue(32)), true);
    case Intrinsic::nvvm_redux_sync_umin:
      return builder_.CreateIntMinReduce(others(APInt::getAllOnes(32)), false);
    default:
      return builder_.CreateIntMaxReduce(others(APInt::getZero(32)), false);
    }
  };
  const auto named = [&](Value* mask) { return lanesOf(builder_.CreateAnd(mask, activeMask_)); };
  if (layout_.isUniform(call.getArgOperand(1)))
    return define(call, splat(reduce(named(scalar(call.getArgOperand(1))))));
  define(call, forEachLane(activeMask_, builder_.getInt32Ty(), {vector(call.getArgOperand(1))},
                           [&](Value*, ArrayRef<Value*> lane) -> Value* {
                             return reduce(named(lane[0]));
                           }));
}

/// What tensor cores do is done outside, on the registers of all lanes in memory.
void BlockCompiler::compileMatrix(CallInst& call) {
  const StringRef name = call.getCalledFunction()->getName();
  const auto operation = matrixOperation(name.drop_front(StringRef(ptx::warpPrefix).size()));
  if (!operation)
    return refuse(call, fmt::format("the tensor core instruction '{}'", name.str()));
  awaitLanes(call, call.getArgOperand(0));
  Type* type = vectorType(builder_.getInt32Ty());
  const unsigned inputs = call.arg_size() - 1;
  const unsigned results = call.getType()->getStructNumElements();
  AllocaInst* in = stackPlace(ArrayType::get(type, inputs));
  AllocaInst* out = stackPlace(ArrayType::get(type, results));
  for (unsigned i = 0; i < inputs; ++i)
    builder_.CreateStore(vector(call.getArgOperand(i + 1)),
                         builder_.CreateConstGEP1_32(type, in, i));
  callHelper("heddleMatrix", builder_.getVoidTy(), {builder_.getInt64(*operation), in, out});
  Values parts;
  for (unsigned i = 0; i < results; ++i)
    parts.push_back(builder_.CreateLoad(type, builder_.CreateConstGEP1_32(type, out, i)));
  defineParts(call, parts);
}

/// PTX's definition: the clamp operand holds the last lane of a segment and a mask that forms
/// segments.
///
///   segment = lane & segmask; maxLane = segment | (clamp & ~segmask); minLane = segment
///   up:   from = lane - b, if from >= maxLane     (maxLane is the first lane here)
///   down: from = lane + b, if from <= maxLane
///   bfly: from = lane ^ b                          idx: from = minLane | b
void BlockCompiler::compileShuffle(CallInst& call) {
  const auto isMode = [name = call.getCalledFunction()->getName()](StringRef mode) {
    return name.contains(mode);
  };
  awaitLanes(call, call.getArgOperand(0));
  Value* value = vector(call.getArgOperand(1));
  Value* distance = vector(call.getArgOperand(2));
  Value* control = vector(call.getArgOperand(3));
  Type* type = distance->getType();
  Value* lane = laneNumbers();
  Value* low = ConstantInt::get(type, 31);
  Value* clamp = builder_.CreateAnd(control, low);
  Value* segments = builder_.CreateAnd(builder_.CreateLShr(control, 8), low);
  Value* first = builder_.CreateAnd(lane, segments);
  Value* last = builder_.CreateOr(first, builder_.CreateAnd(clamp, builder_.CreateNot(segments)));
  distance = builder_.CreateAnd(distance, low);
  Value* from = nullptr;
  Value* reachable = nullptr;
  if (isMode("up")) {
    from = builder_.CreateSub(lane, distance);
    reachable = builder_.CreateICmpSGE(from, last);
  } else {
    if (isMode("down"))
      from = builder_.CreateAdd(lane, distance);
    else if (isMode("bfly"))
      from = builder_.CreateXor(lane, distance);
    else
      from = builder_.CreateOr(first, builder_.CreateAnd(distance, builder_.CreateNot(segments)));
    reachable = builder_.CreateICmpSLE(from, last);
  }
  from = builder_.CreateAnd(builder_.CreateSelect(reachable, from, lane), low);
  AllocaInst* memory = spill(value);
  Type* element = cast<VectorType>(value->getType())->getElementType();
  Value* places = builder_.CreateGEP(element, memory, from);
  Value* got = builder_.CreateMaskedGather(value->getType(), places, Align(4), activeLanes_,
                                           Constant::getNullValue(value->getType()));
  if (call.getType()->isStructTy())
    return defineParts(call, {got, reachable});
  define(call, got);
}

} // namespace heddle::engine
