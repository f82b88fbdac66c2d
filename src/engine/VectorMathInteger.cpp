// SPDX-License-Identifier: Apache-2.0
//
// Integer functions: counting and moving bits, products, averages, differences.
#include "engine/VectorMathTable.h"

#include <llvm/IR/Intrinsics.h>

namespace heddle::engine {

using namespace llvm;

namespace {

constexpr bool isSigned = true;
constexpr bool isUnsigned = false;

template <Intrinsic::ID id> Value* binary(const MathCall& call) {
  return call.builder.CreateBinaryIntrinsic(id, call.operands[0], call.operands[1]);
}

Value* absolute(const MathCall& call) {
  return call.builder.CreateBinaryIntrinsic(Intrinsic::abs, call.operands[0],
                                            call.builder.getFalse());
}

Value* reverseBits(const MathCall& call) {
  return call.builder.CreateUnaryIntrinsic(Intrinsic::bitreverse, call.operands[0]);
}

Value* countOnes(const MathCall& call) {
  Value* count = call.builder.CreateUnaryIntrinsic(Intrinsic::ctpop, call.operands[0]);
  return call.builder.CreateZExtOrTrunc(count, call.result);
}

Value* countLeadingZeros(const MathCall& call) {
  Value* count = call.builder.CreateBinaryIntrinsic(Intrinsic::ctlz, call.operands[0],
                                                    call.builder.getFalse());
  return call.builder.CreateZExtOrTrunc(count, call.result);
}

/// From 1; 0 where no bit is set.
Value* findFirstSet(const MathCall& call) {
  IRBuilder<>& builder = call.builder;
  Value* zeros =
      builder.CreateBinaryIntrinsic(Intrinsic::cttz, call.operands[0], builder.getFalse());
  Value* position = builder.CreateAdd(builder.CreateZExtOrTrunc(zeros, call.result),
                                      ConstantInt::get(call.result, 1));
  return builder.CreateSelect(builder.CreateIsNull(call.operands[0]),
                              Constant::getNullValue(call.result), position);
}

/// Four bytes of the eight in `high:low`, each chosen by a digit of the selector. With
/// `replicates`, the digit's top bit fills the byte with its sign.
template <bool replicates> Value* permuteBytes(const MathCall& call) {
  IRBuilder<>& builder = call.builder;
  Type* wide = shapedLike(builder.getInt64Ty(), call.result);
  Value* pool = builder.CreateOr(builder.CreateZExt(call.operands[0], wide),
                                 builder.CreateShl(builder.CreateZExt(call.operands[1], wide), 32));
  Value* permuted = Constant::getNullValue(call.result);
  for (unsigned number = 0; number < 4; ++number) {
    Value* digit = builder.CreateLShr(call.operands[2], 4 * number);
    Value* distance = builder.CreateShl(builder.CreateAnd(digit, 7), 3);
    Value* moved = builder.CreateLShr(pool, builder.CreateZExt(distance, wide));
    Value* byte = builder.CreateAnd(builder.CreateTrunc(moved, call.result), 0xFF);
    if (replicates) {
      Value* filled =
          builder.CreateMul(builder.CreateLShr(byte, 7), ConstantInt::get(call.result, 0xFF));
      byte = builder.CreateSelect(builder.CreateIsNull(builder.CreateAnd(digit, 8)), byte, filled);
    }
    permuted = builder.CreateOr(permuted, builder.CreateShl(byte, 8 * number));
  }
  return permuted;
}

/// The low 24 bits of each side.
template <bool hasSign> Value* multiply24(const MathCall& call) {
  IRBuilder<>& builder = call.builder;
  const auto low = [&](Value* value) {
    Value* up = builder.CreateShl(value, 8);
    return hasSign ? builder.CreateAShr(up, 8) : builder.CreateLShr(up, 8);
  };
  return builder.CreateMul(low(call.operands[0]), low(call.operands[1]));
}

template <bool hasSign> Value* multiplyHigh(const MathCall& call) {
  IRBuilder<>& builder = call.builder;
  const unsigned width = call.result->getScalarSizeInBits();
  Type* wide = shapedLike(builder.getIntNTy(2 * width), call.result);
  const auto widen = [&](Value* value) {
    return hasSign ? builder.CreateSExt(value, wide) : builder.CreateZExt(value, wide);
  };
  Value* product = builder.CreateMul(widen(call.operands[0]), widen(call.operands[1]));
  return builder.CreateTrunc(builder.CreateLShr(product, width), call.result);
}

/// |a - b| + c
template <bool hasSign> Value* addDifference(const MathCall& call) {
  IRBuilder<>& builder = call.builder;
  Value* most = builder.CreateBinaryIntrinsic(hasSign ? Intrinsic::smax : Intrinsic::umax,
                                              call.operands[0], call.operands[1]);
  Value* least = builder.CreateBinaryIntrinsic(hasSign ? Intrinsic::smin : Intrinsic::umin,
                                               call.operands[0], call.operands[1]);
  return builder.CreateAdd(builder.CreateSub(most, least), call.operands[2]);
}

/// The mean rounded down or up: a + b = 2 (a & b) + (a ^ b) = 2 (a | b) - (a ^ b).
template <bool hasSign, bool up> Value* average(const MathCall& call) {
  IRBuilder<>& builder = call.builder;
  Value* left = call.operands[0];
  Value* right = call.operands[1];
  Value* differing = builder.CreateXor(left, right);
  Value* half = hasSign ? builder.CreateAShr(differing, 1) : builder.CreateLShr(differing, 1);
  return up ? builder.CreateSub(builder.CreateOr(left, right), half)
            : builder.CreateAdd(builder.CreateAnd(left, right), half);
}

template <Intrinsic::ID id> Value* rotate(const MathCall& call) {
  Value* distance = call.builder.CreateZExtOrTrunc(call.operands[1], call.result);
  return call.builder.CreateIntrinsic(id, {call.result},
                                      {call.operands[0], call.operands[0], distance});
}

Value* swapHalves(const MathCall& call) {
  return call.builder.CreateIntrinsic(
      Intrinsic::fshl, {call.result},
      {call.operands[0], call.operands[0], ConstantInt::get(call.result, 32)});
}

constexpr MathEntry integers[] = {
    {"__nv_abs", absolute},
    {"__nv_brev", reverseBits},
    {"__nv_brevll", reverseBits},
    {"__nv_byte_perm", permuteBytes<false>},
    {"__nv_clz", countLeadingZeros},
    {"__nv_clzll", countLeadingZeros},
    {"__nv_ffs", findFirstSet},
    {"__nv_ffsll", findFirstSet},
    {"__nv_hadd", average<isSigned, false>},
    {"__nv_llabs", absolute},
    {"__nv_llmax", binary<Intrinsic::smax>},
    {"__nv_llmin", binary<Intrinsic::smin>},
    {"__nv_max", binary<Intrinsic::smax>},
    {"__nv_min", binary<Intrinsic::smin>},
    {"__nv_mul24", multiply24<isSigned>},
    {"__nv_mul64hi", multiplyHigh<isSigned>},
    {"__nv_mulhi", multiplyHigh<isSigned>},
    {"__nv_popc", countOnes},
    {"__nv_popcll", countOnes},
    {"__nv_rhadd", average<isSigned, true>},
    {"__nv_sad", addDifference<isSigned>},
    {"__nv_uhadd", average<isUnsigned, false>},
    {"__nv_ullmax", binary<Intrinsic::umax>},
    {"__nv_ullmin", binary<Intrinsic::umin>},
    {"__nv_umax", binary<Intrinsic::umax>},
    {"__nv_umin", binary<Intrinsic::umin>},
    {"__nv_umul24", multiply24<isUnsigned>},
    {"__nv_umul64hi", multiplyHigh<isUnsigned>},
    {"__nv_umulhi", multiplyHigh<isUnsigned>},
    {"__nv_urhadd", average<isUnsigned, true>},
    {"__nv_usad", addDifference<isUnsigned>},
    {"llvm.nvvm.move.i16", unchanged},
    {"llvm.nvvm.move.i32", unchanged},
    {"llvm.nvvm.move.i64", unchanged},
    {"llvm.nvvm.mul24.i", multiply24<isSigned>},
    {"llvm.nvvm.mul24.ui", multiply24<isUnsigned>},
    {"llvm.nvvm.mulhi.i", multiplyHigh<isSigned>},
    {"llvm.nvvm.mulhi.ll", multiplyHigh<isSigned>},
    {"llvm.nvvm.mulhi.s", multiplyHigh<isSigned>},
    {"llvm.nvvm.mulhi.ui", multiplyHigh<isUnsigned>},
    {"llvm.nvvm.mulhi.ull", multiplyHigh<isUnsigned>},
    {"llvm.nvvm.mulhi.us", multiplyHigh<isUnsigned>},
    {"llvm.nvvm.prmt", permuteBytes<true>},
    {"llvm.nvvm.rotate.b32", rotate<Intrinsic::fshl>},
    {"llvm.nvvm.rotate.b64", rotate<Intrinsic::fshl>},
    {"llvm.nvvm.rotate.right.b64", rotate<Intrinsic::fshr>},
    {"llvm.nvvm.sad.i", addDifference<isSigned>},
    {"llvm.nvvm.sad.ll", addDifference<isSigned>},
    {"llvm.nvvm.sad.s", addDifference<isSigned>},
    {"llvm.nvvm.sad.ui", addDifference<isUnsigned>},
    {"llvm.nvvm.sad.ull", addDifference<isUnsigned>},
    {"llvm.nvvm.sad.us", addDifference<isUnsigned>},
    {"llvm.nvvm.swap.lo.hi.b64", swapHalves},
};

} // namespace

std::span<const MathEntry> integerMath() {
  return integers;
}

} // namespace heddle::engine
