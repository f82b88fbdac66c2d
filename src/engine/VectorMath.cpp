// SPDX-License-Identifier: Apache-2.0
//
// The lookup, and the functions of floating point that are one or a few instructions. Integers,
// conversions and rounding modes are in their own files.
#include "engine/VectorMath.h"

#include "engine/VectorMathTable.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Intrinsics.h>

#include <algorithm>

namespace heddle::engine {

using namespace llvm;

namespace {

template <Intrinsic::ID id> Value* intrinsic(const MathCall& call) {
  return call.builder.CreateIntrinsic(id, {call.result}, call.operands);
}

Value* isNan(const MathCall& call, Value* value) {
  return call.builder.CreateFCmpUNO(value, value);
}

/// Combines the bits of two values of floating point.
Value* mixBits(const MathCall& call, Instruction::BinaryOps operation, Value* left, Value* right) {
  Type* bits = bitsType(call.result);
  return call.builder.CreateBitCast(
      call.builder.CreateBinOp(operation, call.builder.CreateBitCast(left, bits),
                               call.builder.CreateBitCast(right, bits)),
      call.result);
}

/// A GPU orders -0 before +0, and takes the other side of any NaN. minnum and maxnum need not:
/// equal values are joined by their bits, and NaNs of all kinds passed over.
template <bool isMin> Value* leastOrMost(const MathCall& call, Value* left, Value* right) {
  IRBuilder<>& builder = call.builder;
  Value* same = mixBits(call, isMin ? Instruction::Or : Instruction::And, left, right);
  Value* isFirst = isMin ? builder.CreateFCmpOLT(left, right) : builder.CreateFCmpOGT(left, right);
  Value* takesLeft = builder.CreateOr(isFirst, builder.CreateFCmpUNO(right, right));
  return builder.CreateSelect(builder.CreateFCmpOEQ(left, right), same,
                              builder.CreateSelect(takesLeft, left, right));
}

template <bool isMin> Value* minMax(const MathCall& call) {
  return leastOrMost<isMin>(call, call.operands[0], call.operands[1]);
}

/// A NaN of either side is the result.
template <bool isMin> Value* minMaxNan(const MathCall& call) {
  Value* either = call.builder.CreateFCmpUNO(call.operands[0], call.operands[1]);
  return call.builder.CreateSelect(either, ConstantFP::getNaN(call.result), minMax<isMin>(call));
}

/// PTX's .xorsign.abs: of the magnitudes, with the product of the signs.
template <bool isMin, bool nan> Value* minMaxMagnitude(const MathCall& call) {
  IRBuilder<>& builder = call.builder;
  Value* magnitudes[] = {builder.CreateUnaryIntrinsic(Intrinsic::fabs, call.operands[0]),
                         builder.CreateUnaryIntrinsic(Intrinsic::fabs, call.operands[1])};
  const MathCall inner{builder, magnitudes, call.result};
  Value* magnitude = nan ? minMaxNan<isMin>(inner) : minMax<isMin>(inner);
  Value* sign = mixBits(call, Instruction::Xor, call.operands[0], call.operands[1]);
  return builder.CreateBinaryIntrinsic(Intrinsic::copysign, magnitude, sign);
}

/// Into [0, 1]; NaN becomes 0.
Value* saturate(const MathCall& call) {
  Value* positive = leastOrMost<false>(call, call.operands[0], ConstantFP::get(call.result, 0.0));
  return leastOrMost<true>(call, positive, ConstantFP::get(call.result, 1.0));
}

Value* positiveDifference(const MathCall& call) {
  Value* left = call.operands[0];
  Value* right = call.operands[1];
  return call.builder.CreateSelect(call.builder.CreateFCmpUGT(left, right),
                                   call.builder.CreateFSub(left, right),
                                   ConstantFP::get(call.result, 0.0));
}

Value* signBit(const MathCall& call) {
  Type* bits = bitsType(call.operands[0]->getType());
  Value* raw = call.builder.CreateBitCast(call.operands[0], bits);
  Value* sign = call.builder.CreateLShr(raw, bits->getScalarSizeInBits() - 1);
  return call.builder.CreateZExtOrTrunc(sign, call.result);
}

Value* nanTest(const MathCall& call) {
  return call.builder.CreateZExt(isNan(call, call.operands[0]), call.result);
}

template <CmpInst::Predicate predicate> Value* infinityTest(const MathCall& call) {
  Value* magnitude = call.builder.CreateUnaryIntrinsic(Intrinsic::fabs, call.operands[0]);
  Value* infinity = ConstantFP::getInfinity(magnitude->getType());
  return call.builder.CreateZExt(call.builder.CreateFCmp(predicate, magnitude, infinity),
                                 call.result);
}

Value* divide(const MathCall& call) {
  return call.builder.CreateFDiv(call.operands[0], call.operands[1]);
}

Value* reciprocal(const MathCall& call) {
  return call.builder.CreateFDiv(ConstantFP::get(call.result, 1.0), call.operands[0]);
}

/// 1/sqrt(x) in double, with one step of Newton's method that makes up for the two roundings. Not
/// where the step has no meaning: at 0, infinity and NaN.
Value* refinedInverseRoot(IRBuilder<>& builder, Value* x) {
  Type* type = x->getType();
  Value* one = ConstantFP::get(type, 1.0);
  Value* guess = builder.CreateFDiv(one, builder.CreateUnaryIntrinsic(Intrinsic::sqrt, x));
  const auto fused = [&](Value* a, Value* b, Value* c) {
    return builder.CreateIntrinsic(Intrinsic::fma, {type}, {a, b, c});
  };
  Value* high = builder.CreateFMul(x, guess); // high + low = x * guess
  Value* low = fused(x, guess, builder.CreateFNeg(high));
  Value* rest = fused(builder.CreateFNeg(high), guess, one); // 1 - x * guess^2
  rest = builder.CreateFSub(rest, builder.CreateFMul(low, guess));
  Value* step = builder.CreateFMul(builder.CreateFMul(guess, ConstantFP::get(type, 0.5)), rest);
  Value* meaningful = builder.CreateFCmpORD(step, step);
  return builder.CreateSelect(meaningful, builder.CreateFAdd(guess, step), guess);
}

Value* inverseRoot(const MathCall& call) {
  IRBuilder<>& builder = call.builder;
  Value* x = call.operands[0];
  if (x->getType()->getScalarType()->isDoubleTy())
    return refinedInverseRoot(builder, x);
  Value* wide = builder.CreateFPExt(x, shapedLike(builder.getDoubleTy(), x->getType()));
  return builder.CreateFPTrunc(refinedInverseRoot(builder, wide), call.result);
}

/// The high word of an approximate reciprocal, of the high word alone.
Value* reciprocalOfHigh(const MathCall& call) {
  IRBuilder<>& builder = call.builder;
  Type* bits = bitsType(call.result);
  const auto highWord = [&](Value* value) {
    Value* kept = builder.CreateAnd(builder.CreateBitCast(value, bits), ~std::uint64_t(UINT32_MAX));
    return builder.CreateBitCast(kept, call.result);
  };
  return highWord(
      builder.CreateFDiv(ConstantFP::get(call.result, 1.0), highWord(call.operands[0])));
}

constexpr MathEntry floats[] = {
    {"__nv_ceil", intrinsic<Intrinsic::ceil>},
    {"__nv_ceilf", intrinsic<Intrinsic::ceil>},
    {"__nv_copysign", intrinsic<Intrinsic::copysign>},
    {"__nv_copysignf", intrinsic<Intrinsic::copysign>},
    {"__nv_fabs", intrinsic<Intrinsic::fabs>},
    {"__nv_fabsf", intrinsic<Intrinsic::fabs>},
    {"__nv_fast_fdividef", divide},
    {"__nv_fdim", positiveDifference},
    {"__nv_fdimf", positiveDifference},
    {"__nv_finitef", infinityTest<CmpInst::FCMP_OLT>},
    {"__nv_floor", intrinsic<Intrinsic::floor>},
    {"__nv_floorf", intrinsic<Intrinsic::floor>},
    {"__nv_fma", intrinsic<Intrinsic::fma>},
    {"__nv_fmaf", intrinsic<Intrinsic::fma>},
    {"__nv_fmax", minMax<false>},
    {"__nv_fmaxf", minMax<false>},
    {"__nv_fmin", minMax<true>},
    {"__nv_fminf", minMax<true>},
    {"__nv_frsqrt_rn", inverseRoot},
    {"__nv_isfinited", infinityTest<CmpInst::FCMP_OLT>},
    {"__nv_isinfd", infinityTest<CmpInst::FCMP_OEQ>},
    {"__nv_isinff", infinityTest<CmpInst::FCMP_OEQ>},
    {"__nv_isnand", nanTest},
    {"__nv_isnanf", nanTest},
    {"__nv_nearbyint", intrinsic<Intrinsic::roundeven>},
    {"__nv_nearbyintf", intrinsic<Intrinsic::roundeven>},
    {"__nv_rcp64h", reciprocalOfHigh},
    {"__nv_rint", intrinsic<Intrinsic::roundeven>},
    {"__nv_rintf", intrinsic<Intrinsic::roundeven>},
    {"__nv_round", intrinsic<Intrinsic::round>},
    {"__nv_roundf", intrinsic<Intrinsic::round>},
    {"__nv_rsqrt", inverseRoot},
    {"__nv_rsqrtf", inverseRoot},
    {"__nv_saturatef", saturate},
    {"__nv_signbitd", signBit},
    {"__nv_signbitf", signBit},
    {"__nv_sqrt", intrinsic<Intrinsic::sqrt>},
    {"__nv_sqrtf", intrinsic<Intrinsic::sqrt>},
    {"__nv_trunc", intrinsic<Intrinsic::trunc>},
    {"__nv_truncf", intrinsic<Intrinsic::trunc>},
    {"llvm.nvvm.ceil.d", intrinsic<Intrinsic::ceil>},
    {"llvm.nvvm.ceil.f", intrinsic<Intrinsic::ceil>},
    {"llvm.nvvm.div.approx.f", divide},
    {"llvm.nvvm.fabs.d", intrinsic<Intrinsic::fabs>},
    {"llvm.nvvm.fabs.f", intrinsic<Intrinsic::fabs>},
    {"llvm.nvvm.floor.d", intrinsic<Intrinsic::floor>},
    {"llvm.nvvm.floor.f", intrinsic<Intrinsic::floor>},
    {"llvm.nvvm.fmax.d", minMax<false>},
    {"llvm.nvvm.fmax.f", minMax<false>},
    {"llvm.nvvm.fmax.nan.f", minMaxNan<false>},
    {"llvm.nvvm.fmax.nan.xorsign.abs.f", minMaxMagnitude<false, true>},
    {"llvm.nvvm.fmax.xorsign.abs.f", minMaxMagnitude<false, false>},
    {"llvm.nvvm.fmin.d", minMax<true>},
    {"llvm.nvvm.fmin.f", minMax<true>},
    {"llvm.nvvm.fmin.nan.f", minMaxNan<true>},
    {"llvm.nvvm.fmin.nan.xorsign.abs.f", minMaxMagnitude<true, true>},
    {"llvm.nvvm.fmin.xorsign.abs.f", minMaxMagnitude<true, false>},
    {"llvm.nvvm.move.double", unchanged},
    {"llvm.nvvm.move.float", unchanged},
    {"llvm.nvvm.rcp.approx.d", reciprocal},
    {"llvm.nvvm.rcp.approx.f", reciprocal},
    {"llvm.nvvm.round.d", intrinsic<Intrinsic::roundeven>},
    {"llvm.nvvm.round.f", intrinsic<Intrinsic::roundeven>},
    {"llvm.nvvm.rsqrt.approx.d", inverseRoot},
    {"llvm.nvvm.rsqrt.approx.f", inverseRoot},
    {"llvm.nvvm.saturate.d", saturate},
    {"llvm.nvvm.saturate.f", saturate},
    {"llvm.nvvm.sqrt.approx.f", intrinsic<Intrinsic::sqrt>},
    {"llvm.nvvm.sqrt.f", intrinsic<Intrinsic::sqrt>},
    {"llvm.nvvm.trunc.d", intrinsic<Intrinsic::trunc>},
    {"llvm.nvvm.trunc.f", intrinsic<Intrinsic::trunc>},
};

const StringMap<MathEntry>& knownMath() {
  static const StringMap<MathEntry> known = [] {
    StringMap<MathEntry> all;
    for (const auto part : {floatMath(), integerMath(), convertMath(), roundingMath(), ptxMath()})
      for (const MathEntry& entry : part)
        all.try_emplace(entry.name, entry);
    return all;
  }();
  return known;
}

/// A zero of a number's sign where the size of another is below a limit.
Value* zeroWhere(IRBuilder<>& builder, Value* size, const APFloat& limit, Value* value) {
  Type* type = value->getType();
  Value* magnitude = builder.CreateUnaryIntrinsic(Intrinsic::fabs, size);
  Value* zero =
      builder.CreateBinaryIntrinsic(Intrinsic::copysign, ConstantFP::get(type, 0.0), value);
  Value* isBelow = builder.CreateFCmpOLT(magnitude, ConstantFP::get(type, limit));
  return builder.CreateSelect(isBelow, zero, value);
}

/// Subnormal numbers become zeros of their sign.
Value* flushed(IRBuilder<>& builder, Value* value) {
  Type* type = value->getType();
  if (!type->isFPOrFPVectorTy())
    return value;
  const fltSemantics& format = type->getScalarType()->getFltSemantics();
  return zeroWhere(builder, value, APFloat::getSmallestNormalized(format), value);
}

/// Operands with which the result is twice as large, if these are not too large themselves; none
/// for functions whose results are exact, or never small.
SmallVector<Value*, 3> doubling(const MathCall& call, StringRef name) {
  if (name.contains("approx"))
    return {};
  const bool isFused = name.starts_with("llvm.nvvm.fma.");
  const bool isInverse = name.starts_with("llvm.nvvm.rcp.");
  if (!isFused && !isInverse && !name.starts_with("llvm.nvvm.mul.") &&
      !name.starts_with("llvm.nvvm.div.") && !name.starts_with("heddle.ptx.mul."))
    return {};
  SmallVector<Value*, 3> scaled(call.operands);
  Value* factor = ConstantFP::get(call.result, isInverse ? 0.5 : 2.0);
  scaled[0] = call.builder.CreateFMul(scaled[0], factor);
  if (isFused)
    scaled[2] = call.builder.CreateFMul(scaled[2], factor);
  return scaled;
}

/// A result with .ftz. It is zero if it is below the normal numbers after rounding to as many bits
/// as those have. The subnormal numbers round up more: 2^-126 (1 - 2^-24) to 2^-126. Twice the
/// result tells, which is normal where there is a question.
Value* flushing(const MathCall& call, const MathEntry& function) {
  Value* made = function.build(call);
  const SmallVector<Value*, 3> scaled = doubling(call, function.name);
  if (scaled.empty())
    return flushed(call.builder, made);
  APFloat limit = APFloat::getSmallestNormalized(APFloat::IEEEsingle());
  limit.add(limit, APFloat::rmNearestTiesToEven);
  return zeroWhere(call.builder, function.build({call.builder, scaled, call.result}), limit, made);
}

} // namespace

std::span<const MathEntry> floatMath() {
  return floats;
}

Value* buildVectorMath(IRBuilder<>& builder, StringRef name, ArrayRef<Value*> operands,
                       Type* result) {
  if (const auto found = knownMath().find(name); found != knownMath().end())
    return found->second.build({builder, operands, result});
  if (unsigned table = 0; name.consume_front("heddle.ptx.lop3.") && !name.getAsInteger(10, table))
    return buildAnyLogic(builder, table, operands);
  if (name.consume_front("heddle.ptx.small."))
    return buildSmallMath(builder, name, operands, result);
  // .ftz is the same function, of operands and with a result that are never subnormal.
  const auto [front, back] = name.split(".ftz");
  if (front.size() == name.size())
    return nullptr;
  const auto plain = knownMath().find((front + back).str());
  if (plain == knownMath().end())
    return nullptr;
  SmallVector<Value*, 3> flushedOperands;
  for (Value* operand : operands)
    flushedOperands.push_back(flushed(builder, operand));
  return flushing({builder, flushedOperands, result}, plain->second);
}

std::vector<StringRef> vectorMathNames() {
  std::vector<StringRef> names;
  for (const StringRef name : knownMath().keys())
    names.push_back(name);
  std::ranges::sort(names);
  return names;
}

} // namespace heddle::engine
