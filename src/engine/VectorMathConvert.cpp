// SPDX-License-Identifier: Apache-2.0
//
// Conversions between integers and floating point in the four rounding modes, between float,
// double and half, and casts of bits.
#include "engine/VectorMathTable.h"

#include <llvm/IR/Intrinsics.h>

namespace heddle::engine {

using namespace llvm;

namespace {

Intrinsic::ID roundingIntrinsic(Rounding rounding) {
  switch (rounding) {
  case Rounding::Nearest:
    return Intrinsic::roundeven;
  case Rounding::Zero:
    return Intrinsic::trunc;
  case Rounding::Down:
    return Intrinsic::floor;
  case Rounding::Up:
    return Intrinsic::ceil;
  }
  llvm_unreachable("all modes are above");
}

/// To the nearest integer the type has. What NaN becomes is up to the GPU's instruction: the result
/// is 0 where float meets 32 bits, and the top bit alone where either side has 64.
Value* saturatingInteger(const MathCall& call, Value* rounded, bool hasSign) {
  IRBuilder<>& builder = call.builder;
  Value* integer = builder.CreateIntrinsic(hasSign ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat,
                                           {call.result, rounded->getType()}, {rounded});
  const unsigned width = call.result->getScalarSizeInBits();
  if (width == 32 && rounded->getType()->getScalarSizeInBits() == 32)
    return integer;
  Constant* ofNan = ConstantInt::get(call.result, APInt::getSignMask(width));
  return builder.CreateSelect(builder.CreateFCmpUNO(rounded, rounded), ofNan, integer);
}

template <bool hasSign, Rounding rounding> Value* toInteger(const MathCall& call) {
  Value* rounded = call.builder.CreateUnaryIntrinsic(roundingIntrinsic(rounding), call.operands[0]);
  return saturatingInteger(call, rounded, hasSign);
}

template <Rounding rounding> Value* toSigned(const MathCall& call) {
  return toInteger<true, rounding>(call);
}

template <Rounding rounding> Value* toUnsigned(const MathCall& call) {
  return toInteger<false, rounding>(call);
}

/// Halves go away from zero.
Value* toSignedAway(const MathCall& call) {
  return saturatingInteger(
      call, call.builder.CreateUnaryIntrinsic(Intrinsic::round, call.operands[0]), true);
}

template <bool hasSign> Value* plainFloat(const MathCall& call) {
  return hasSign ? call.builder.CreateSIToFP(call.operands[0], call.result)
                 : call.builder.CreateUIToFP(call.operands[0], call.result);
}

template <bool hasSign, Rounding rounding> Value* fromInteger(const MathCall& call) {
  IRBuilder<>& builder = call.builder;
  Value* integer = call.operands[0];
  const bool toDouble = call.result->getScalarType()->isDoubleTy();
  const bool wide = integer->getType()->getScalarSizeInBits() > 32;
  if (rounding == Rounding::Nearest || (toDouble && !wide))
    return plainFloat<hasSign>(call);
  if (toDouble)
    return roundToDouble(builder, integer, hasSign, rounding);
  if (wide)
    return roundToFloat(builder, oddDoubleOf(builder, integer, hasSign), rounding);
  const MathCall exact{builder, call.operands, shapedLike(builder.getDoubleTy(), call.result)};
  return roundToFloat(builder, plainFloat<hasSign>(exact), rounding);
}

template <Rounding rounding> Value* fromSigned(const MathCall& call) {
  return fromInteger<true, rounding>(call);
}

template <Rounding rounding> Value* fromUnsigned(const MathCall& call) {
  return fromInteger<false, rounding>(call);
}

template <Rounding rounding> Value* doubleToFloat(const MathCall& call) {
  return roundToFloat(call.builder, call.operands[0], rounding);
}

Value* castBits(const MathCall& call) {
  return call.builder.CreateBitCast(call.operands[0], call.result);
}

Value* highWord(const MathCall& call) {
  Type* wide = bitsType(call.operands[0]->getType());
  Value* bits = call.builder.CreateBitCast(call.operands[0], wide);
  return call.builder.CreateTrunc(call.builder.CreateLShr(bits, 32), call.result);
}

Value* lowWord(const MathCall& call) {
  Type* wide = bitsType(call.operands[0]->getType());
  return call.builder.CreateTrunc(call.builder.CreateBitCast(call.operands[0], wide), call.result);
}

template <unsigned high, unsigned low> Value* joinWords(const MathCall& call) {
  IRBuilder<>& builder = call.builder;
  Type* wide = bitsType(call.result);
  Value* upper = builder.CreateShl(builder.CreateZExt(call.operands[high], wide), 32);
  Value* joined = builder.CreateOr(upper, builder.CreateZExt(call.operands[low], wide));
  return builder.CreateBitCast(joined, call.result);
}

/// Every NaN becomes the GPU's one NaN: the result is an integer, whose bits are seen.
Value* floatToHalf(const MathCall& call) {
  IRBuilder<>& builder = call.builder;
  Value* x = call.operands[0];
  Value* half = builder.CreateFPTrunc(x, shapedLike(builder.getHalfTy(), call.result));
  return builder.CreateSelect(builder.CreateFCmpUNO(x, x), ConstantInt::get(call.result, 0x7FFF),
                              builder.CreateBitCast(half, call.result));
}

Value* halfToFloat(const MathCall& call) {
  Value* half = call.builder.CreateBitCast(call.operands[0],
                                           shapedLike(call.builder.getHalfTy(), call.result));
  return call.builder.CreateFPExt(half, call.result);
}

constexpr MathEntry conversions[] = {
    HEDDLE_LIBDEVICE_MODES("__nv_double2float_", doubleToFloat),
    HEDDLE_LIBDEVICE_MODES("__nv_double2int_", toSigned),
    HEDDLE_LIBDEVICE_MODES("__nv_double2ll_", toSigned),
    HEDDLE_LIBDEVICE_MODES("__nv_double2uint_", toUnsigned),
    HEDDLE_LIBDEVICE_MODES("__nv_double2ull_", toUnsigned),
    HEDDLE_LIBDEVICE_MODES("__nv_float2int_", toSigned),
    HEDDLE_LIBDEVICE_MODES("__nv_float2ll_", toSigned),
    HEDDLE_LIBDEVICE_MODES("__nv_float2uint_", toUnsigned),
    HEDDLE_LIBDEVICE_MODES("__nv_float2ull_", toUnsigned),
    HEDDLE_LIBDEVICE_MODES("__nv_int2float_", fromSigned),
    HEDDLE_LIBDEVICE_MODES("__nv_ll2double_", fromSigned),
    HEDDLE_LIBDEVICE_MODES("__nv_ll2float_", fromSigned),
    HEDDLE_LIBDEVICE_MODES("__nv_uint2float_", fromUnsigned),
    HEDDLE_LIBDEVICE_MODES("__nv_ull2double_", fromUnsigned),
    HEDDLE_LIBDEVICE_MODES("__nv_ull2float_", fromUnsigned),
    HEDDLE_NVVM_MODES("d2f", "", doubleToFloat),
    HEDDLE_NVVM_MODES("d2i", "", toSigned),
    HEDDLE_NVVM_MODES("d2ll", "", toSigned),
    HEDDLE_NVVM_MODES("d2ui", "", toUnsigned),
    HEDDLE_NVVM_MODES("d2ull", "", toUnsigned),
    HEDDLE_NVVM_MODES("f2i", "", toSigned),
    HEDDLE_NVVM_MODES("f2ll", "", toSigned),
    HEDDLE_NVVM_MODES("f2ui", "", toUnsigned),
    HEDDLE_NVVM_MODES("f2ull", "", toUnsigned),
    HEDDLE_NVVM_MODES("i2d", "", fromSigned),
    HEDDLE_NVVM_MODES("i2f", "", fromSigned),
    HEDDLE_NVVM_MODES("ll2d", "", fromSigned),
    HEDDLE_NVVM_MODES("ll2f", "", fromSigned),
    HEDDLE_NVVM_MODES("ui2d", "", fromUnsigned),
    HEDDLE_NVVM_MODES("ui2f", "", fromUnsigned),
    HEDDLE_NVVM_MODES("ull2d", "", fromUnsigned),
    HEDDLE_NVVM_MODES("ull2f", "", fromUnsigned),
    {"__nv_double2hiint", highWord},
    {"__nv_double2loint", lowWord},
    {"__nv_double_as_longlong", castBits},
    {"__nv_float2half_rn", floatToHalf},
    {"__nv_float_as_int", castBits},
    {"__nv_float_as_uint", castBits},
    {"__nv_half2float", halfToFloat},
    {"__nv_hiloint2double", joinWords<0, 1>},
    {"__nv_int2double_rn", plainFloat<true>},
    {"__nv_int_as_float", castBits},
    {"__nv_llrint", toSigned<Rounding::Nearest>},
    {"__nv_llrintf", toSigned<Rounding::Nearest>},
    {"__nv_llround", toSignedAway},
    {"__nv_llroundf", toSignedAway},
    {"__nv_longlong_as_double", castBits},
    {"__nv_uint2double_rn", plainFloat<false>},
    {"__nv_uint_as_float", castBits},
    {"llvm.llround.i64.f32", toSignedAway},
    {"llvm.llround.i64.f64", toSignedAway},
    {"llvm.lround.i64.f32", toSignedAway},
    {"llvm.lround.i64.f64", toSignedAway},
    {"llvm.nvvm.bitcast.d2ll", castBits},
    {"llvm.nvvm.bitcast.f2i", castBits},
    {"llvm.nvvm.bitcast.i2f", castBits},
    {"llvm.nvvm.bitcast.ll2d", castBits},
    {"llvm.nvvm.d2i.hi", highWord},
    {"llvm.nvvm.d2i.lo", lowWord},
    {"llvm.nvvm.f2h.rn", floatToHalf},
    {"llvm.nvvm.lohi.i2d", joinWords<1, 0>},
};

} // namespace

std::span<const MathEntry> convertMath() {
  return conversions;
}

} // namespace heddle::engine
