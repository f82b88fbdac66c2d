// SPDX-License-Identifier: Apache-2.0
//
// Intrinsics and libdevice functions: who a thread is, what a warp does together, and math.
#include "engine/BlockCompiler.h"
#include "engine/WarpFrame.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <map>
#include <string_view>

namespace heddle::engine {

using namespace llvm;

namespace {

/// 0, 1, 2, ... 31
Constant* laneNumbers(LLVMContext& context) {
  SmallVector<std::uint32_t, warpSize> numbers;
  for (std::uint32_t number = 0; number < std::uint32_t(warpSize); ++number)
    numbers.push_back(number);
  return ConstantDataVector::get(context, numbers);
}

struct ContextField {
  unsigned offset;
  bool perLane;
};

/// Where the context holds what a special register says.
std::optional<ContextField> fieldOf(Intrinsic::ID id) {
  constexpr unsigned lanes = warpSize * sizeof(std::int32_t);
  constexpr unsigned word = sizeof(std::int32_t);
  switch (id) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
    return ContextField{offsetof(WarpContext, threadIdx), true};
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
    return ContextField{offsetof(WarpContext, threadIdx) + lanes, true};
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
    return ContextField{offsetof(WarpContext, threadIdx) + 2 * lanes, true};
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    return ContextField{offsetof(WarpContext, blockDim), false};
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
    return ContextField{offsetof(WarpContext, blockDim) + word, false};
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
    return ContextField{offsetof(WarpContext, blockDim) + 2 * word, false};
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
    return ContextField{offsetof(WarpContext, blockIdx), false};
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
    return ContextField{offsetof(WarpContext, blockIdx) + word, false};
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
    return ContextField{offsetof(WarpContext, blockIdx) + 2 * word, false};
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
    return ContextField{offsetof(WarpContext, gridDim), false};
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
    return ContextField{offsetof(WarpContext, gridDim) + word, false};
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    return ContextField{offsetof(WarpContext, gridDim) + 2 * word, false};
  default:
    return std::nullopt;
  }
}

/// libdevice functions that are an intrinsic of LLVM, by their name without __nv_.
std::optional<Intrinsic::ID> intrinsicOf(std::string_view name) {
  static const std::map<std::string_view, Intrinsic::ID> known = {
      {"sqrtf", Intrinsic::sqrt},   {"sqrt", Intrinsic::sqrt},    {"fabsf", Intrinsic::fabs},
      {"fabs", Intrinsic::fabs},    {"fmaf", Intrinsic::fma},     {"fma", Intrinsic::fma},
      {"fminf", Intrinsic::minnum}, {"fmin", Intrinsic::minnum},  {"fmaxf", Intrinsic::maxnum},
      {"fmax", Intrinsic::maxnum},  {"floorf", Intrinsic::floor}, {"floor", Intrinsic::floor},
      {"ceilf", Intrinsic::ceil},   {"ceil", Intrinsic::ceil},    {"truncf", Intrinsic::trunc},
      {"trunc", Intrinsic::trunc},  {"rintf", Intrinsic::rint},   {"rint", Intrinsic::rint},
      {"min", Intrinsic::smin},     {"max", Intrinsic::smax},     {"umin", Intrinsic::umin},
      {"umax", Intrinsic::umax},    {"popc", Intrinsic::ctpop},   {"brev", Intrinsic::bitreverse},
      {"llmin", Intrinsic::smin},   {"llmax", Intrinsic::smax},
  };
  const auto found = known.find(name);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

/// libdevice functions that the C library has under the same name.
bool isLibraryFunction(std::string_view name) {
  static const char* const functions[] = {
      "sin",   "cos",   "tan",   "asin",      "acos",      "atan",     "atan2",
      "sinh",  "cosh",  "tanh",  "exp",       "exp2",      "expm1",    "log",
      "log2",  "log10", "log1p", "pow",       "cbrt",      "hypot",    "fmod",
      "round", "erf",   "erfc",  "tgamma",    "lgamma",    "copysign", "asinh",
      "acosh", "atanh", "fdim",  "nextafter", "remainder", "logb",     "nearbyint"};
  for (const std::string_view function : functions)
    if (name == function ||
        (name.size() == function.size() + 1 && name.starts_with(function) && name.ends_with('f')))
      return true;
  return false;
}

} // namespace

void BlockCompiler::compileCall(CallInst& call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::nvvm_barrier0: // the last thing its block does: the run of the warp waits
  case Intrinsic::nvvm_bar_warp_sync:
  case Intrinsic::nvvm_membar_cta:
  case Intrinsic::nvvm_membar_gl:
  case Intrinsic::nvvm_membar_sys:
  case Intrinsic::assume:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::experimental_noalias_scope_decl:
    return;
  default:
    break;
  }
  if (compileThreadIdentity(call) || compileWarpFunction(call) || compileMath(call))
    return;
  refuse(call, fmt::format("'{}'", call.getCalledFunction()->getName().str()));
}

bool BlockCompiler::compileThreadIdentity(CallInst& call) {
  const Intrinsic::ID id = call.getIntrinsicID();
  if (const auto field = fieldOf(id)) {
    Type* type = field->perLane ? vectorType(call.getType()) : call.getType();
    define(call, builder_.CreateAlignedLoad(type, framePlace(field->offset), Align(4)));
    return true;
  }
  if (id == Intrinsic::nvvm_read_ptx_sreg_warpsize) {
    define(call, builder_.CreateVectorSplat(warpSize, builder_.getInt32(warpSize)));
    return true;
  }
  if (id == Intrinsic::nvvm_read_ptx_sreg_laneid) {
    define(call, laneNumbers(kernel_.getContext()));
    return true;
  }
  return false;
}

bool BlockCompiler::compileWarpFunction(CallInst& call) {
  const auto votes = [&] {
    return builder_.CreateAnd(bits(vector(call.getArgOperand(1))), activeMask_);
  };
  const auto give = [&](Value* value) {
    define(call, builder_.CreateVectorSplat(warpSize, value));
    return true;
  };
  switch (call.getIntrinsicID()) {
  case Intrinsic::nvvm_vote_ballot_sync:
    return give(votes());
  case Intrinsic::nvvm_vote_any_sync:
    return give(builder_.CreateIsNotNull(votes()));
  case Intrinsic::nvvm_vote_all_sync:
    return give(builder_.CreateICmpEQ(votes(), activeMask_));
  case Intrinsic::nvvm_activemask:
    return give(activeMask_);
  case Intrinsic::nvvm_shfl_sync_idx_i32:
  case Intrinsic::nvvm_shfl_sync_idx_f32:
  case Intrinsic::nvvm_shfl_sync_up_i32:
  case Intrinsic::nvvm_shfl_sync_up_f32:
  case Intrinsic::nvvm_shfl_sync_down_i32:
  case Intrinsic::nvvm_shfl_sync_down_f32:
  case Intrinsic::nvvm_shfl_sync_bfly_i32:
  case Intrinsic::nvvm_shfl_sync_bfly_f32:
    compileShuffle(call);
    return true;
  default:
    return false;
  }
}

/// PTX's definition: the clamp operand holds the last lane of a segment and a mask that forms
/// segments.
///
///   segment = lane & segmask; maxLane = segment | (clamp & ~segmask); minLane = segment
///   up:   from = lane - b, if from >= maxLane     (maxLane is the first lane here)
///   down: from = lane + b, if from <= maxLane     bfly: from = lane ^ b      idx: from = minLane |
///   b
void BlockCompiler::compileShuffle(CallInst& call) {
  const Intrinsic::ID id = call.getIntrinsicID();
  Value* value = vector(call.getArgOperand(1));
  Value* distance = vector(call.getArgOperand(2));
  Value* control = vector(call.getArgOperand(3));
  Type* type = distance->getType();
  Value* lane = laneNumbers(kernel_.getContext());
  Value* low = ConstantInt::get(type, 31);
  Value* clamp = builder_.CreateAnd(control, low);
  Value* segments = builder_.CreateAnd(builder_.CreateLShr(control, 8), low);
  Value* first = builder_.CreateAnd(lane, segments);
  Value* last = builder_.CreateOr(first, builder_.CreateAnd(clamp, builder_.CreateNot(segments)));
  distance = builder_.CreateAnd(distance, low);
  Value* from = nullptr;
  Value* reachable = nullptr;
  if (id == Intrinsic::nvvm_shfl_sync_up_i32 || id == Intrinsic::nvvm_shfl_sync_up_f32) {
    from = builder_.CreateSub(lane, distance);
    reachable = builder_.CreateICmpSGE(from, last);
  } else {
    if (id == Intrinsic::nvvm_shfl_sync_down_i32 || id == Intrinsic::nvvm_shfl_sync_down_f32)
      from = builder_.CreateAdd(lane, distance);
    else if (id == Intrinsic::nvvm_shfl_sync_bfly_i32 || id == Intrinsic::nvvm_shfl_sync_bfly_f32)
      from = builder_.CreateXor(lane, distance);
    else
      from = builder_.CreateOr(first, builder_.CreateAnd(distance, builder_.CreateNot(segments)));
    reachable = builder_.CreateICmpSLE(from, last);
  }
  from = builder_.CreateAnd(builder_.CreateSelect(reachable, from, lane), low);
  AllocaInst* memory = stackPlace(value->getType());
  builder_.CreateStore(value, memory);
  Type* element = cast<VectorType>(value->getType())->getElementType();
  Value* places = builder_.CreateGEP(element, memory, from);
  define(call, builder_.CreateMaskedGather(value->getType(), places, Align(4), activeLanes_,
                                           Constant::getNullValue(value->getType())));
}

bool BlockCompiler::compileMath(CallInst& call) {
  Values operands;
  for (Value* operand : call.args())
    operands.push_back(vector(operand));
  Type* type = vectorType(call.getType());
  if (const Intrinsic::ID id = call.getIntrinsicID();
      id != Intrinsic::not_intrinsic && isTriviallyVectorizable(id)) {
    for (unsigned index = 0; index < call.arg_size(); ++index)
      if (isVectorIntrinsicWithScalarOpAtArg(id, index))
        operands[index] = scalar(call.getArgOperand(index));
    define(call, builder_.CreateIntrinsic(id, {type}, operands));
    return true;
  }
  StringRef name = call.getCalledFunction()->getName();
  if (!name.consume_front("__nv_"))
    return false;
  if (const auto id = intrinsicOf(name.str())) {
    define(call, builder_.CreateIntrinsic(*id, {type}, operands));
    return true;
  }
  if (!isLibraryFunction(name.str()))
    return false;
  FunctionCallee function =
      module_->getOrInsertFunction(name, call.getCalledFunction()->getFunctionType());
  define(call,
         forEachLane(activeMask_, call.getType(), operands, [&](ArrayRef<Value*> lane) -> Value* {
           return builder_.CreateCall(function, lane);
         }));
  return true;
}

} // namespace heddle::engine
