// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic in the four rounding modes: all of float, and to nearest of double. (The rest of
// double is in ScalarMathRounding.cpp: it needs the processor's rounding mode.)
//
// Float is computed in double without the mode:
//   1. `near`, the result rounded to double, and `error`, a number with the sign of what is missing
//   2. round to odd: where the error is not zero and near is even, near goes one step towards the
//      error. Such a double is never between the right result and a number of float, or halfway
//   3. to float, in the mode asked for
//
//   1 + 2^-60, up:   near = 1, error > 0   ->   1 + 2^-52   ->   1 + 2^-23
#include "engine/VectorMathTable.h"

#include <llvm/IR/Intrinsics.h>

#include <array>

namespace heddle::engine {

using namespace llvm;

namespace {

struct Inexact {
  Value* near;
  Value* error; ///< 0, or of the sign of (exact - near)
};

/// One step to the next number of the type, for lanes where `wanted`: away from zero or to it.
Value* step(IRBuilder<>& builder, Value* value, Value* wanted, Value* awayFromZero) {
  Type* bits = bitsType(value->getType());
  Value* distance = builder.CreateSelect(awayFromZero, ConstantInt::get(bits, 1),
                                         ConstantInt::getAllOnesValue(bits));
  Value* raw = builder.CreateBitCast(value, bits);
  Value* moved = builder.CreateSelect(wanted, builder.CreateAdd(raw, distance), raw);
  return builder.CreateBitCast(moved, value->getType());
}

Value* isNegative(IRBuilder<>& builder, Value* value) {
  Type* bits = bitsType(value->getType());
  return builder.CreateICmpSLT(builder.CreateBitCast(value, bits), Constant::getNullValue(bits));
}

/// Moves a number that was rounded to nearest where the mode rounds to the other side; `tooLow` and
/// `tooHigh` say where the exact result is above or below it.
Value* redirect(IRBuilder<>& builder, Value* near, Value* tooLow, Value* tooHigh,
                Rounding rounding) {
  Value* negative = isNegative(builder, near);
  switch (rounding) {
  case Rounding::Nearest:
    return near;
  case Rounding::Zero:
    return step(builder, near, builder.CreateSelect(negative, tooLow, tooHigh),
                ConstantInt::getFalse(negative->getType()));
  case Rounding::Down:
    return step(builder, near, tooHigh, negative);
  case Rounding::Up:
    return step(builder, near, tooLow, builder.CreateNot(negative));
  }
  llvm_unreachable("all modes are above");
}

/// Step 2
Value* roundToOdd(IRBuilder<>& builder, const Inexact& number) {
  Type* bits = bitsType(number.near->getType());
  Value* zero = Constant::getNullValue(number.near->getType());
  Value* raw = builder.CreateBitCast(number.near, bits);
  Value* even = builder.CreateIsNull(builder.CreateAnd(raw, 1));
  Value* inexact = builder.CreateFCmpONE(number.error, zero);
  Value* outward =
      builder.CreateICmpEQ(isNegative(builder, number.near), isNegative(builder, number.error));
  return step(builder, number.near, builder.CreateAnd(even, inexact), outward);
}

/// Knuth's sum: exact where nothing overflows.
Inexact addExactly(IRBuilder<>& builder, Value* left, Value* right) {
  Value* sum = builder.CreateFAdd(left, right);
  Value* part = builder.CreateFSub(sum, left);
  Value* leftError = builder.CreateFSub(left, builder.CreateFSub(sum, part));
  return {sum, builder.CreateFAdd(leftError, builder.CreateFSub(right, part))};
}

/// high + low of a 64-bit integer are exact in double.
Inexact addWords(IRBuilder<>& builder, Value* integer, bool isSigned) {
  Type* type = shapedLike(builder.getDoubleTy(), integer->getType());
  Value* upper = isSigned ? builder.CreateSIToFP(builder.CreateAShr(integer, 32), type)
                          : builder.CreateUIToFP(builder.CreateLShr(integer, 32), type);
  Value* lower = builder.CreateUIToFP(builder.CreateAnd(integer, UINT32_MAX), type);
  return addExactly(builder, builder.CreateFMul(upper, ConstantFP::get(type, 0x1p32)), lower);
}

/// The operands as double, in which a float has room for the error.
SmallVector<Value*, 3> widened(const MathCall& call) {
  SmallVector<Value*, 3> wide;
  for (Value* operand : call.operands)
    wide.push_back(call.builder.CreateFPExt(
        operand, shapedLike(call.builder.getDoubleTy(), operand->getType())));
  return wide;
}

Value* fused(IRBuilder<>& builder, Value* a, Value* b, Value* c) {
  return builder.CreateIntrinsic(Intrinsic::fma, {a->getType()}, {a, b, c});
}

/// A sum that is exactly zero is -0 when rounding down, unless both sides are +0.
Value* roundSum(const MathCall& call, Value* left, Value* right, Rounding rounding) {
  IRBuilder<>& builder = call.builder;
  const Inexact sum = addExactly(builder, left, right);
  Value* rounded = roundToFloat(builder, roundToOdd(builder, sum), rounding);
  if (rounding != Rounding::Down)
    return rounded;
  Value* zero = ConstantFP::get(call.result, 0.0);
  Value* eitherNegative = builder.CreateOr(isNegative(builder, left), isNegative(builder, right));
  Value* signedZero =
      builder.CreateSelect(eitherNegative, ConstantFP::getNegativeZero(call.result), zero);
  Value* isZero = builder.CreateFCmpOEQ(sum.near, Constant::getNullValue(sum.near->getType()));
  return builder.CreateSelect(isZero, signedZero, rounded);
}

template <Rounding rounding> Value* add(const MathCall& call) {
  if (rounding == Rounding::Nearest)
    return call.builder.CreateFAdd(call.operands[0], call.operands[1]);
  const auto wide = widened(call);
  return roundSum(call, wide[0], wide[1], rounding);
}

template <Rounding rounding> Value* subtract(const MathCall& call) {
  if (rounding == Rounding::Nearest)
    return call.builder.CreateFSub(call.operands[0], call.operands[1]);
  const auto wide = widened(call);
  return roundSum(call, wide[0], call.builder.CreateFNeg(wide[1]), rounding);
}

/// The product of two floats is exact in double.
template <Rounding rounding> Value* multiply(const MathCall& call) {
  if (rounding == Rounding::Nearest)
    return call.builder.CreateFMul(call.operands[0], call.operands[1]);
  const auto wide = widened(call);
  return roundToFloat(call.builder, call.builder.CreateFMul(wide[0], wide[1]), rounding);
}

template <Rounding rounding> Value* multiplyAdd(const MathCall& call) {
  if (rounding == Rounding::Nearest)
    return fused(call.builder, call.operands[0], call.operands[1], call.operands[2]);
  const auto wide = widened(call);
  return roundSum(call, call.builder.CreateFMul(wide[0], wide[1]), wide[2], rounding);
}

/// The remainder has the sign of the error, times the sign of the divisor.
Value* roundQuotient(const MathCall& call, Value* left, Value* right, Rounding rounding) {
  IRBuilder<>& builder = call.builder;
  Value* near = builder.CreateFDiv(left, right);
  Value* remainder = fused(builder, builder.CreateFNeg(near), right, left);
  Value* error =
      builder.CreateSelect(isNegative(builder, right), builder.CreateFNeg(remainder), remainder);
  return roundToFloat(builder, roundToOdd(builder, {near, error}), rounding);
}

template <Rounding rounding> Value* divide(const MathCall& call) {
  if (rounding == Rounding::Nearest)
    return call.builder.CreateFDiv(call.operands[0], call.operands[1]);
  const auto wide = widened(call);
  return roundQuotient(call, wide[0], wide[1], rounding);
}

template <Rounding rounding> Value* reciprocal(const MathCall& call) {
  if (rounding == Rounding::Nearest)
    return call.builder.CreateFDiv(ConstantFP::get(call.result, 1.0), call.operands[0]);
  const auto wide = widened(call);
  return roundQuotient(call, ConstantFP::get(wide[0]->getType(), 1.0), wide[0], rounding);
}

template <Rounding rounding> Value* squareRoot(const MathCall& call) {
  IRBuilder<>& builder = call.builder;
  if (rounding == Rounding::Nearest)
    return builder.CreateUnaryIntrinsic(Intrinsic::sqrt, call.operands[0]);
  const auto wide = widened(call);
  Value* near = builder.CreateUnaryIntrinsic(Intrinsic::sqrt, wide[0]);
  Value* error = fused(builder, builder.CreateFNeg(near), near, wide[0]);
  return roundToFloat(builder, roundToOdd(builder, {near, error}), rounding);
}

constexpr MathEntry rounded[] = {
    HEDDLE_LIBDEVICE_MODES("__nv_fadd_", add),
    HEDDLE_LIBDEVICE_MODES("__nv_fdiv_", divide),
    HEDDLE_LIBDEVICE_MODES("__nv_fmaf_", multiplyAdd),
    HEDDLE_LIBDEVICE_MODES("__nv_fmaf_ieee_", multiplyAdd),
    HEDDLE_LIBDEVICE_MODES("__nv_fmul_", multiply),
    HEDDLE_LIBDEVICE_MODES("__nv_frcp_", reciprocal),
    HEDDLE_LIBDEVICE_MODES("__nv_fsqrt_", squareRoot),
    HEDDLE_LIBDEVICE_MODES("__nv_fsub_", subtract),
    HEDDLE_NVVM_MODES("add", ".f", add),
    HEDDLE_NVVM_MODES("div", ".f", divide),
    HEDDLE_NVVM_MODES("fma", ".f", multiplyAdd),
    HEDDLE_NVVM_MODES("mul", ".f", multiply),
    HEDDLE_NVVM_MODES("rcp", ".f", reciprocal),
    HEDDLE_NVVM_MODES("sqrt", ".f", squareRoot),
    {"__nv_dadd_rn", add<Rounding::Nearest>},
    {"__nv_ddiv_rn", divide<Rounding::Nearest>},
    {"__nv_dmul_rn", multiply<Rounding::Nearest>},
    {"__nv_drcp_rn", reciprocal<Rounding::Nearest>},
    {"__nv_dsqrt_rn", squareRoot<Rounding::Nearest>},
    {"__nv_dsub_rn", subtract<Rounding::Nearest>},
    {"__nv_fma_rn", multiplyAdd<Rounding::Nearest>},
    {"llvm.nvvm.add.rn.d", add<Rounding::Nearest>},
    {"llvm.nvvm.div.rn.d", divide<Rounding::Nearest>},
    {"llvm.nvvm.fma.rn.d", multiplyAdd<Rounding::Nearest>},
    {"llvm.nvvm.mul.rn.d", multiply<Rounding::Nearest>},
    {"llvm.nvvm.rcp.rn.d", reciprocal<Rounding::Nearest>},
    {"llvm.nvvm.sqrt.rn.d", squareRoot<Rounding::Nearest>},
};

} // namespace

std::span<const MathEntry> roundingMath() {
  return rounded;
}

Value* roundToFloat(IRBuilder<>& builder, Value* value, Rounding rounding) {
  Type* type = shapedLike(builder.getFloatTy(), value->getType());
  Value* near = builder.CreateFPTrunc(value, type);
  Value* back = builder.CreateFPExt(near, value->getType());
  return redirect(builder, near, builder.CreateFCmpOLT(back, value),
                  builder.CreateFCmpOGT(back, value), rounding);
}

Value* oddDoubleOf(IRBuilder<>& builder, Value* integer, bool isSigned) {
  return roundToOdd(builder, addWords(builder, integer, isSigned));
}

Value* roundToDouble(IRBuilder<>& builder, Value* integer, bool isSigned, Rounding rounding) {
  const Inexact number = addWords(builder, integer, isSigned);
  Value* zero = Constant::getNullValue(number.near->getType());
  return redirect(builder, number.near, builder.CreateFCmpOGT(number.error, zero),
                  builder.CreateFCmpOLT(number.error, zero), rounding);
}

} // namespace heddle::engine
