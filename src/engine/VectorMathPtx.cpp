// SPDX-License-Identifier: Apache-2.0
//
// Instructions of PTX that LLVM has no name for, as functions of their operands: shifts by any
// number of bits, fields of bits, any logic of three operands, products that are scaled. The front
// end writes calls of them.
#include "engine/VectorMathTable.h"

#include <cmath>

namespace heddle::engine {

using namespace llvm;

namespace {

/// An operand of 32 bits as a number as wide as another.
Value* widthOf(const MathCall& call, Value* amount, Type* like) {
  return call.builder.CreateZExtOrTrunc(amount, like);
}

unsigned bitsIn(const Value* value) {
  return value->getType()->getScalarSizeInBits();
}

Value* isBelow(const MathCall& call, Value* amount, std::uint64_t limit) {
  return call.builder.CreateICmpULT(amount, ConstantInt::get(amount->getType(), limit));
}

/// Bits shifted in by as much as the operand is wide, or more, leave nothing.
template <Instruction::BinaryOps operation> Value* shiftClamped(const MathCall& call) {
  Value* value = call.operands[0];
  Value* inside = isBelow(call, call.operands[1], bitsIn(value));
  Value* amount = widthOf(call, call.operands[1], value->getType());
  Value* zero = Constant::getNullValue(value->getType());
  Value* shifted =
      call.builder.CreateBinOp(operation, value, call.builder.CreateSelect(inside, amount, zero));
  return call.builder.CreateSelect(inside, shifted, zero);
}

/// The sign stays.
Value* shiftSigned(const MathCall& call) {
  Value* value = call.operands[0];
  const unsigned bits = bitsIn(value);
  Value* most = ConstantInt::get(call.operands[1]->getType(), bits - 1);
  Value* amount = call.builder.CreateBinaryIntrinsic(Intrinsic::umin, call.operands[1], most);
  return call.builder.CreateAShr(value, widthOf(call, amount, value->getType()));
}

/// Of low, high and an amount that ends at 32.
template <bool left> Value* funnelClamped(const MathCall& call) {
  Value* amount = call.operands[2];
  Value* inside = isBelow(call, amount, 32);
  Value* shifted =
      call.builder.CreateIntrinsic(left ? Intrinsic::fshl : Intrinsic::fshr, {call.result},
                                   {call.operands[1], call.operands[0], amount});
  return call.builder.CreateSelect(inside, shifted, call.operands[left ? 0 : 1]);
}

/// `length` ones; all where that is the whole width or more. Both operands as wide as the result.
Value* ones(const MathCall& call, Value* length, unsigned bits) {
  Type* type = length->getType();
  Value* inside = isBelow(call, length, bits);
  Value* zero = Constant::getNullValue(type);
  Value* one = ConstantInt::get(type, 1);
  Value* shifted = call.builder.CreateShl(one, call.builder.CreateSelect(inside, length, zero));
  return call.builder.CreateSelect(inside, call.builder.CreateSub(shifted, one),
                                   Constant::getAllOnesValue(type));
}

/// A place or a length of bits: the lowest byte counts, in fields of 64 bits all of it (an H200).
Value* bitCount(const MathCall& call, Value* value, Type* like) {
  Value* byte = ConstantInt::get(value->getType(), 0xff);
  Value* count = like->getScalarSizeInBits() == 64
                     ? call.builder.CreateBinaryIntrinsic(Intrinsic::umin, value, byte)
                     : call.builder.CreateAnd(value, byte);
  return widthOf(call, count, like);
}

/// A field of bits, of value, position and length; signed fields keep the sign of their last bit,
/// or of the value where they reach beyond it.
template <bool isSigned> Value* extractField(const MathCall& call) {
  IRBuilder<>& builder = call.builder;
  Value* value = call.operands[0];
  Type* type = value->getType();
  const unsigned bits = bitsIn(value);
  Value* position = bitCount(call, call.operands[1], type);
  Value* length = bitCount(call, call.operands[2], type);
  Value* last = ConstantInt::get(type, bits - 1);
  Value* zero = Constant::getNullValue(type);
  Value* inside = isBelow(call, position, bits);
  Value* safe = builder.CreateSelect(inside, position, zero);
  Value* shifted = builder.CreateSelect(inside, builder.CreateLShr(value, safe), zero);
  Value* mask = ones(call, length, bits);
  Value* field = builder.CreateAnd(shifted, mask);
  if (!isSigned)
    return field;
  Value* end = builder.CreateSub(builder.CreateAdd(position, length), ConstantInt::get(type, 1));
  Value* place = builder.CreateBinaryIntrinsic(Intrinsic::umin, end, last);
  Value* sign = builder.CreateAnd(builder.CreateLShr(value, place), ConstantInt::get(type, 1));
  Value* isNegative =
      builder.CreateAnd(builder.CreateIsNotNull(sign), builder.CreateIsNotNull(length));
  // Bits that the value does not have are the sign, too.
  Value* there = ones(call, builder.CreateSub(ConstantInt::get(type, bits), safe), bits);
  Value* own = builder.CreateSelect(inside, builder.CreateAnd(mask, there), zero);
  return builder.CreateSelect(isNegative, builder.CreateOr(field, builder.CreateNot(own)), field);
}

/// The lower bits of the first operand over a field of the second.
Value* insertField(const MathCall& call) {
  IRBuilder<>& builder = call.builder;
  Type* type = call.result;
  const unsigned bits = type->getScalarSizeInBits();
  Value* position = bitCount(call, call.operands[2], type);
  Value* length = bitCount(call, call.operands[3], type);
  Value* inside = isBelow(call, position, bits);
  Value* zero = Constant::getNullValue(type);
  Value* safe = builder.CreateSelect(inside, position, zero);
  Value* mask =
      builder.CreateSelect(inside, builder.CreateShl(ones(call, length, bits), safe), zero);
  Value* field = builder.CreateAnd(builder.CreateShl(call.operands[0], safe), mask);
  return builder.CreateOr(field, builder.CreateAnd(call.operands[1], builder.CreateNot(mask)));
}

/// The place of the first bit that is not the sign, from below; all ones where there is none.
template <bool isSigned, bool asShift> Value* findBit(const MathCall& call) {
  IRBuilder<>& builder = call.builder;
  Value* value = call.operands[0];
  const unsigned bits = bitsIn(value);
  if (isSigned)
    value = builder.CreateXor(
        value, builder.CreateAShr(value, ConstantInt::get(value->getType(), bits - 1)));
  Value* zeros =
      builder.CreateIntrinsic(Intrinsic::ctlz, {value->getType()}, {value, builder.getFalse()});
  Value* place =
      asShift ? zeros : builder.CreateSub(ConstantInt::get(value->getType(), bits - 1), zeros);
  Value* found = builder.CreateZExtOrTrunc(place, call.result);
  return builder.CreateSelect(builder.CreateIsNull(value), Constant::getAllOnesValue(call.result),
                              found);
}

/// A product times a power of two, rounded once. To scale a factor is exact unless it gets too
/// small or too large. So the larger one is made smaller, or the smaller one larger: where even
/// that is not exact, the product is zero or infinite.
template <int exponent> Value* scaledProduct(const MathCall& call) {
  IRBuilder<>& builder = call.builder;
  Value *a = call.operands[0], *b = call.operands[1];
  const auto size = [&](Value* value) {
    return builder.CreateUnaryIntrinsic(Intrinsic::fabs, value);
  };
  Value* isLarger = builder.CreateFCmpOGT(size(a), size(b));
  Value* larger = builder.CreateSelect(isLarger, a, b);
  Value* smaller = builder.CreateSelect(isLarger, b, a);
  Value* scale = ConstantFP::get(a->getType(), std::ldexp(1.0, exponent));
  return exponent < 0 ? builder.CreateFMul(builder.CreateFMul(larger, scale), smaller)
                      : builder.CreateFMul(builder.CreateFMul(smaller, scale), larger);
}

constexpr MathEntry named[] = {
    {"heddle.ptx.shl.u16", shiftClamped<Instruction::Shl>},
    {"heddle.ptx.shl.u32", shiftClamped<Instruction::Shl>},
    {"heddle.ptx.shl.u64", shiftClamped<Instruction::Shl>},
    {"heddle.ptx.shr.u16", shiftClamped<Instruction::LShr>},
    {"heddle.ptx.shr.u32", shiftClamped<Instruction::LShr>},
    {"heddle.ptx.shr.u64", shiftClamped<Instruction::LShr>},
    {"heddle.ptx.shr.s16", shiftSigned},
    {"heddle.ptx.shr.s32", shiftSigned},
    {"heddle.ptx.shr.s64", shiftSigned},
    {"heddle.ptx.shf.l", funnelClamped<true>},
    {"heddle.ptx.shf.r", funnelClamped<false>},
    {"heddle.ptx.bfe.u32", extractField<false>},
    {"heddle.ptx.bfe.u64", extractField<false>},
    {"heddle.ptx.bfe.s32", extractField<true>},
    {"heddle.ptx.bfe.s64", extractField<true>},
    {"heddle.ptx.bfi.u32", insertField},
    {"heddle.ptx.bfi.u64", insertField},
    {"heddle.ptx.bfind.u32", findBit<false, false>},
    {"heddle.ptx.bfind.u64", findBit<false, false>},
    {"heddle.ptx.bfind.s32", findBit<true, false>},
    {"heddle.ptx.bfind.s64", findBit<true, false>},
    {"heddle.ptx.bfind.shiftamt.u32", findBit<false, true>},
    {"heddle.ptx.bfind.shiftamt.u64", findBit<false, true>},
    {"heddle.ptx.bfind.shiftamt.s32", findBit<true, true>},
    {"heddle.ptx.bfind.shiftamt.s64", findBit<true, true>},
    {"heddle.ptx.mul.d8.f", scaledProduct<-3>},
    {"heddle.ptx.mul.d4.f", scaledProduct<-2>},
    {"heddle.ptx.mul.d2.f", scaledProduct<-1>},
    {"heddle.ptx.mul.m2.f", scaledProduct<1>},
    {"heddle.ptx.mul.m4.f", scaledProduct<2>},
    {"heddle.ptx.mul.m8.f", scaledProduct<3>},
};

} // namespace

std::span<const MathEntry> ptxMath() {
  return named;
}

/// Bit i of the table says what three bits with the number i become.
Value* buildAnyLogic(IRBuilder<>& builder, unsigned table, ArrayRef<Value*> operands) {
  Value* result = Constant::getNullValue(operands[0]->getType());
  for (unsigned row = 0; row < 8; ++row) {
    if ((table >> row & 1) == 0)
      continue;
    Value* all = nullptr;
    for (unsigned i = 0; i < 3; ++i) {
      Value* bit = (row >> (2 - i) & 1) != 0 ? operands[i] : builder.CreateNot(operands[i]);
      all = all == nullptr ? bit : builder.CreateAnd(all, bit);
    }
    result = builder.CreateOr(result, all);
  }
  return result;
}

} // namespace heddle::engine
