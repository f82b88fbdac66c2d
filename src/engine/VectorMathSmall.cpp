// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of floating point in 16 bits and less: half, bfloat16, tf32 and the two formats of 8
// bits, one in a register or two. A call's name is
//
//   heddle.ptx.small.<operation>.<format>[.<flag>...]         heddle.ptx.small.fma.f16x2.relu
//
// Numbers are widened to double, which holds sums and products of them or lets them be rounded once
// more without harm; the result is rounded to the format by integers and doubles alone, so that no
// host needs instructions for halves. Steps of an operation:
//   1. widen the operands; .ftz makes their subnormal numbers zeros
//   2. compute in double; a sum that a double does not hold is rounded to odd
//   3. .sat, .relu
//   4. round to the format; .ftz again; every NaN is the GPU's one NaN
// Sums and products without a flag take a shorter way through float, which is exact enough for
// them: to round a result of 24 bits once more to 11 or 8 does no harm (24 >= 2 * 11 + 2).
#include "engine/VectorMathTable.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/TargetParser/Host.h>

#include <cmath>

namespace heddle::engine {

using namespace llvm;

namespace {

struct Format {
  unsigned width;     ///< bits of a number
  unsigned precision; ///< bits of the mantissa, the hidden one included
  int least;          ///< the exponent of the smallest normal number
  double most;        ///< the largest finite number
  unsigned nan;       ///< what a GPU writes
  bool hasInfinity;
  bool inPlace; ///< its bits are the upper ones of a float's: tf32

  unsigned shift() const { return inPlace ? 0 : 24 - precision; } ///< against a float's bits
  unsigned infinity() const { return 0x7f800000u >> shift() & ((1u << (width - 1)) - 1); }
};

constexpr Format halfFormat{16, 11, -14, 65504.0, 0x7fff, true, false};
constexpr Format bfloatFormat{16, 8, -126, 0x1.FEp127, 0x7fff, true, false};
constexpr Format tf32Format{32, 11, -126, 0x1.FFCp127, 0x7fffffff, true, true};
constexpr Format e4m3Format{8, 4, -6, 448.0, 0x7f, false, false};
constexpr Format e5m2Format{8, 3, -14, 57344.0, 0x7f, true, false};

const Format* formatNamed(StringRef name) {
  return StringSwitch<const Format*>(name)
      .Case("f16", &halfFormat)
      .Case("bf16", &bfloatFormat)
      .Case("tf32", &tf32Format)
      .Case("e4m3", &e4m3Format)
      .Case("e5m2", &e5m2Format)
      .Default(nullptr);
}

/// One operation on numbers that are not packed.
struct Small {
  IRBuilder<>& builder;
  const Format& format;
  StringRef operation;
  ArrayRef<StringRef> flags;
  Type* shape; ///< some type of the call: a vector, or not

  bool has(StringRef flag) const { return is_contained(flags, flag); }
  Type* typed(Type* scalar) const { return shapedLike(scalar, shape); }
  Type* word() const { return typed(builder.getInt32Ty()); }
  Type* single() const { return typed(builder.getFloatTy()); }
  Type* twice() const { return typed(builder.getDoubleTy()); }
  Type* own() const { return typed(builder.getIntNTy(format.width)); }
  Value* number(double value) const { return ConstantFP::get(twice(), value); }
  Value* bitsOf(std::uint32_t value) const { return ConstantInt::get(word(), value); }

  Value* magnitude(Value* value) const {
    return builder.CreateUnaryIntrinsic(Intrinsic::fabs, value);
  }
  Value* withSign(Value* value, Value* sign) const {
    return builder.CreateBinaryIntrinsic(Intrinsic::copysign, value, sign);
  }

  Value* widened(Value* bits) const;
  Value* flushed(Value* value) const;
  Value* read(Value* bits) const { return flushed(widened(bits)); }
  Value* limited(Value* value) const;
  Value* rounded(Value* value) const;
  Value* encoded(Value* value) const;
  Value* write(Value* value) const { return encoded(flushed(rounded(limited(value)))); }

  bool isQuick() const;
  Value* quickRead(Value* bits) const;
  Value* quickWrite(Value* value) const;
};

/// Whether the host has instructions between half and float; LLVM would call a function instead.
bool convertsHalves() {
#if defined(__aarch64__)
  return true;
#else
  static const bool has = sys::getHostCPUFeatures().lookup("f16c");
  return has;
#endif
}

/// Whether a result may be computed in float.
bool Small::isQuick() const {
  const bool isHalf = &format == &halfFormat, isBfloat = &format == &bfloatFormat;
  const bool isFused = operation == "fma"; // products of bfloat16 do not fit into float's exponents
  return flags.empty() && ((isHalf && convertsHalves()) || (isBfloat && !isFused));
}

Value* Small::quickRead(Value* bits) const {
  if (&format == &halfFormat)
    return builder.CreateFPExt(builder.CreateBitCast(bits, typed(builder.getHalfTy())), single());
  return builder.CreateBitCast(builder.CreateShl(builder.CreateZExt(bits, word()), 16), single());
}

/// Rounds to nearest even.
Value* Small::quickWrite(Value* value) const {
  Value* made = nullptr;
  if (&format == &halfFormat) {
    made = builder.CreateBitCast(builder.CreateFPTrunc(value, typed(builder.getHalfTy())), own());
  } else {
    Value* raw = builder.CreateBitCast(value, word());
    Value* last = builder.CreateAnd(builder.CreateLShr(raw, 16), bitsOf(1));
    Value* up = builder.CreateAdd(builder.CreateAdd(raw, bitsOf(0x7fff)), last);
    made = builder.CreateTrunc(builder.CreateLShr(up, 16), own());
  }
  return builder.CreateSelect(builder.CreateFCmpUNO(value, value),
                              ConstantInt::get(own(), format.nan), made);
}

/// A float: the exponents of the format, one after the other, are those of floats times a power.
Value* Small::widened(Value* bits) const {
  if (format.inPlace)
    return builder.CreateBitCast(bits, single());
  Value* wide = builder.CreateZExtOrTrunc(bits, word());
  Value* size = builder.CreateAnd(wide, bitsOf((1u << (format.width - 1)) - 1));
  Value* sign = builder.CreateShl(builder.CreateLShr(wide, format.width - 1), 31);
  Value* scaled =
      builder.CreateFMul(builder.CreateBitCast(builder.CreateShl(size, format.shift()), single()),
                         ConstantFP::get(single(), std::ldexp(1.0, 126 + format.least)));
  Value* raw = builder.CreateBitCast(scaled, word());
  const unsigned beyond = format.hasInfinity ? format.infinity() : format.nan;
  Value* special = builder.CreateOr(builder.CreateShl(size, format.shift()), bitsOf(0x7f800000));
  if (!format.hasInfinity)
    special = bitsOf(0x7fffffff);
  raw = builder.CreateSelect(builder.CreateICmpUGE(size, bitsOf(beyond)), special, raw);
  return builder.CreateBitCast(builder.CreateOr(raw, sign), single());
}

/// Of a float or a double.
Value* Small::flushed(Value* value) const {
  if (!has("ftz"))
    return value;
  Type* type = value->getType();
  Value* zero = withSign(ConstantFP::get(type, 0.0), value);
  Value* least = ConstantFP::get(type, std::ldexp(1.0, format.least));
  return builder.CreateSelect(builder.CreateFCmpOLT(magnitude(value), least), zero, value);
}

/// .sat and .relu: NaN becomes 0 in the one and stays in the other.
Value* Small::limited(Value* value) const {
  Value* zero = number(0.0);
  if (has("sat")) {
    value = builder.CreateSelect(builder.CreateFCmpOGT(value, zero), value, zero);
    return builder.CreateSelect(builder.CreateFCmpOLT(value, number(1.0)), value, number(1.0));
  }
  if (has("relu"))
    return builder.CreateSelect(builder.CreateFCmpOLE(value, zero), zero, value);
  return value;
}

/// To a multiple of the format's last place at that size. Adding and subtracting 1.5 * 2^52 of
/// these places rounds to nearest even; other modes look whether that went too far. With .ftz a
/// number just below the normal ones is rounded to as many bits as they have, before it is flushed.
Value* Small::rounded(Value* value) const {
  Type* bits = bitsType(value->getType());
  Value* size = magnitude(value);
  const int least = has("ftz") ? format.least - 1 : format.least;
  Value* exponent = builder.CreateLShr(builder.CreateBitCast(size, bits), 52);
  exponent = builder.CreateBinaryIntrinsic(Intrinsic::umax, exponent,
                                           ConstantInt::get(bits, std::uint64_t(least + 1023)));
  exponent = builder.CreateBinaryIntrinsic(Intrinsic::umin, exponent,
                                           ConstantInt::get(bits, 1023 + 500)); // beyond any format
  const auto power = [&](int offset) {
    Value* biased = builder.CreateAdd(exponent, ConstantInt::getSigned(bits, offset));
    return builder.CreateBitCast(builder.CreateShl(biased, 52), twice());
  };
  const int places = int(format.precision) - 1;
  Value* magic = builder.CreateFMul(power(52 - places), number(1.5));
  Value* near = builder.CreateFSub(builder.CreateFAdd(size, magic), magic);
  Value* step = power(-places);
  if (has("rz") || has("rna"))
    near = builder.CreateSelect(builder.CreateFCmpOGT(near, size), builder.CreateFSub(near, step),
                                near);
  if (has("rna")) {
    Value* half = builder.CreateFMul(step, number(0.5));
    Value* isUp = builder.CreateFCmpOGE(builder.CreateFSub(size, near), half);
    near = builder.CreateSelect(isUp, builder.CreateFAdd(near, step), near);
  }
  Value* end = has("rz") ? number(format.most) : ConstantFP::getInfinity(twice());
  if (has("rm") || has("rp")) { // away from zero where the sign is on that side
    Value* isNegative =
        builder.CreateICmpSLT(builder.CreateBitCast(value, bits), Constant::getNullValue(bits));
    Value* away = has("rm") ? isNegative : builder.CreateNot(isNegative);
    Value* lower = builder.CreateSelect(builder.CreateFCmpOGT(near, size),
                                        builder.CreateFSub(near, step), near);
    Value* upper = builder.CreateSelect(builder.CreateFCmpOLT(lower, size),
                                        builder.CreateFAdd(lower, step), lower);
    near = builder.CreateSelect(away, upper, lower);
    end = builder.CreateSelect(away, end, number(format.most));
  }
  Value* isFinite = builder.CreateFCmpOLT(size, ConstantFP::getInfinity(twice()));
  near = builder.CreateSelect(isFinite, near, size);
  Value* isBeyond = builder.CreateFCmpOGT(near, number(format.most));
  if (has("satfinite") || !format.hasInfinity) {
    near = builder.CreateSelect(isBeyond, number(format.most), near);
  } else {
    near = builder.CreateSelect(builder.CreateAnd(isBeyond, isFinite), end, near);
  }
  return withSign(near, value);
}

/// The bits of a double that the format holds.
Value* Small::encoded(Value* value) const {
  Value* isNan = builder.CreateFCmpUNO(value, value);
  Value* size = builder.CreateFPTrunc(magnitude(value), single());
  Value* scaled =
      builder.CreateFMul(size, ConstantFP::get(single(), std::ldexp(1.0, -126 - format.least)));
  Value* raw = builder.CreateLShr(builder.CreateBitCast(scaled, word()), format.shift());
  if (format.hasInfinity && !format.inPlace) {
    Value* isInfinite = builder.CreateFCmpOEQ(size, ConstantFP::getInfinity(single()));
    raw = builder.CreateSelect(isInfinite, bitsOf(format.infinity()), raw);
  }
  Type* wide = bitsType(value->getType());
  Value* sign =
      builder.CreateTrunc(builder.CreateLShr(builder.CreateBitCast(value, wide), 63), word());
  raw = builder.CreateOr(raw, builder.CreateShl(sign, format.width - 1));
  raw = builder.CreateSelect(isNan, bitsOf(format.nan), raw);
  return builder.CreateTrunc(raw, own());
}

Value* toDouble(const Small& small, Value* value) {
  return value->getType()->getScalarType()->isDoubleTy()
             ? value
             : small.builder.CreateFPExt(value, small.twice());
}

/// a + b with the last bit set where something was lost: no later rounding goes wrong by it.
Value* oddSum(const Small& small, Value* a, Value* b) {
  IRBuilder<>& builder = small.builder;
  Value* sum = builder.CreateFAdd(a, b);
  Value* part = builder.CreateFSub(sum, a);
  Value* rest = builder.CreateFAdd(builder.CreateFSub(a, builder.CreateFSub(sum, part)),
                                   builder.CreateFSub(b, part));
  Type* bits = bitsType(sum->getType());
  Value* raw = builder.CreateBitCast(sum, bits);
  Value* isEven = builder.CreateIsNull(builder.CreateAnd(raw, ConstantInt::get(bits, 1)));
  Value* isInexact = builder.CreateFCmpONE(rest, Constant::getNullValue(rest->getType()));
  Value* differs = builder.CreateXor(raw, builder.CreateBitCast(rest, bits));
  Value* step = builder.CreateSelect(builder.CreateICmpSLT(differs, Constant::getNullValue(bits)),
                                     Constant::getAllOnesValue(bits), ConstantInt::get(bits, 1));
  Value* odd = builder.CreateBitCast(builder.CreateAdd(raw, step), sum->getType());
  return builder.CreateSelect(builder.CreateAnd(isEven, isInexact), odd, sum);
}

/// Null where the operation has no way through float.
Value* quickResult(const Small& small, ArrayRef<Value*> operands) {
  IRBuilder<>& builder = small.builder;
  const StringRef name = small.operation;
  if (!small.isQuick() || (name != "add" && name != "sub" && name != "mul" && name != "fma"))
    return nullptr;
  Value* a = small.quickRead(operands[0]);
  Value* b = small.quickRead(operands[1]);
  if (name == "add")
    return small.quickWrite(builder.CreateFAdd(a, b));
  if (name == "sub")
    return small.quickWrite(builder.CreateFSub(a, b));
  Value* product = builder.CreateFMul(a, b); // of halves: exact
  if (name == "mul")
    return small.quickWrite(product);
  return small.quickWrite(oddSum(small, product, small.quickRead(operands[2])));
}

/// The least or the most of two, -0 below +0; a NaN only where both are, or where .NaN asks.
Value* leastOrMost(const Small& small, Value* a, Value* b) {
  IRBuilder<>& builder = small.builder;
  const bool isMin = small.operation == "min";
  Value* x = small.read(a);
  Value* y = small.read(b);
  Value* sign = nullptr;
  if (small.has("xorsign")) {
    Type* bits = small.word();
    sign = builder.CreateXor(builder.CreateBitCast(x, bits), builder.CreateBitCast(y, bits));
    sign = builder.CreateBitCast(sign, small.single());
    x = small.magnitude(x);
    y = small.magnitude(y);
  }
  Type* bits = small.word();
  Value* left = builder.CreateBitCast(x, bits);
  Value* right = builder.CreateBitCast(y, bits);
  Value* same = isMin ? builder.CreateOr(left, right) : builder.CreateAnd(left, right);
  Value* isFirst = isMin ? builder.CreateFCmpOLT(x, y) : builder.CreateFCmpOGT(x, y);
  Value* takesLeft = builder.CreateOr(isFirst, builder.CreateFCmpUNO(y, y));
  Value* chosen = builder.CreateSelect(builder.CreateFCmpOEQ(x, y), same,
                                       builder.CreateSelect(takesLeft, left, right));
  Value* value = builder.CreateBitCast(chosen, small.single());
  if (small.has("NaN"))
    value = builder.CreateSelect(builder.CreateFCmpUNO(x, y), ConstantFP::getNaN(small.single()),
                                 value);
  if (sign != nullptr)
    value = small.withSign(value, sign);
  return small.encoded(toDouble(small, value));
}

CmpInst::Predicate predicateNamed(StringRef name) {
  return StringSwitch<CmpInst::Predicate>(name)
      .Case("eq", CmpInst::FCMP_OEQ)
      .Case("ne", CmpInst::FCMP_ONE)
      .Case("lt", CmpInst::FCMP_OLT)
      .Case("le", CmpInst::FCMP_OLE)
      .Case("gt", CmpInst::FCMP_OGT)
      .Case("ge", CmpInst::FCMP_OGE)
      .Case("equ", CmpInst::FCMP_UEQ)
      .Case("neu", CmpInst::FCMP_UNE)
      .Case("ltu", CmpInst::FCMP_ULT)
      .Case("leu", CmpInst::FCMP_ULE)
      .Case("gtu", CmpInst::FCMP_UGT)
      .Case("geu", CmpInst::FCMP_UGE)
      .Case("num", CmpInst::FCMP_ORD)
      .Case("nan", CmpInst::FCMP_UNO)
      .Default(CmpInst::BAD_FCMP_PREDICATE);
}

/// The sign alone changes; .ftz leaves zeros of it.
Value* signChanged(const Small& small, Value* bits) {
  IRBuilder<>& builder = small.builder;
  Type* type = bits->getType();
  const APInt mask = APInt::getSignMask(small.format.width);
  if (small.has("ftz"))
    bits = small.encoded(toDouble(small, small.read(bits)));
  return small.operation == "neg" ? builder.CreateXor(bits, ConstantInt::get(type, mask))
                                  : builder.CreateAnd(bits, ConstantInt::get(type, ~mask));
}

Value* fromInteger(const Small& small, Value* value) {
  IRBuilder<>& builder = small.builder;
  const bool isSigned = small.has("s");
  Value* wide = value->getType()->getScalarSizeInBits() > 32 ? oddDoubleOf(builder, value, isSigned)
                : isSigned ? builder.CreateSIToFP(value, small.twice())
                           : builder.CreateUIToFP(value, small.twice());
  return small.write(wide);
}

/// Of a float every NaN becomes the one NaN; of a double it stays itself, as far as it fits, as it
/// does on an H200.
Value* narrowed(const Small& small, Value* value) {
  Value* made = small.write(toDouble(small, value));
  if (!value->getType()->getScalarType()->isDoubleTy() || small.format.inPlace ||
      small.has("sat") || small.has("relu") || small.has("satfinite"))
    return made;
  constexpr unsigned ofADouble = 53;
  IRBuilder<>& builder = small.builder;
  Type* bits = small.typed(builder.getInt64Ty());
  const unsigned shift = ofADouble - small.format.precision;
  const std::uint64_t quiet = std::uint64_t{1} << (small.format.precision - 2);
  Value* raw = builder.CreateBitCast(value, bits);
  Value* fraction = builder.CreateAnd(builder.CreateLShr(raw, shift), 2 * quiet - 1);
  Value* sign = builder.CreateAnd(builder.CreateLShr(raw, 64 - small.format.width),
                                  std::uint64_t{1} << (small.format.width - 1));
  Value* kept = builder.CreateOr(builder.CreateOr(fraction, sign), small.format.infinity() | quiet);
  return builder.CreateSelect(builder.CreateFCmpUNO(value, value),
                              builder.CreateTrunc(kept, small.own()), made);
}

/// Null where the operation is not known.
Value* buildOne(const Small& small, ArrayRef<Value*> operands) {
  IRBuilder<>& builder = small.builder;
  const StringRef name = small.operation;
  const auto wide = [&](unsigned i) { return toDouble(small, small.read(operands[i])); };
  if (Value* quick = quickResult(small, operands))
    return quick;
  if (name == "widen")
    return small.read(operands[0]);
  if (name == "round")
    return narrowed(small, operands[0]);
  if (name == "convert")
    return fromInteger(small, operands[0]);
  if (name == "neg" || name == "abs")
    return signChanged(small, operands[0]);
  if (name == "min" || name == "max")
    return leastOrMost(small, operands[0], operands[1]);
  if (name == "add")
    return small.write(builder.CreateFAdd(wide(0), wide(1)));
  if (name == "sub")
    return small.write(builder.CreateFSub(wide(0), wide(1)));
  if (name == "mul")
    return small.write(builder.CreateFMul(wide(0), wide(1)));
  if (name == "fma")
    return small.write(oddSum(small, builder.CreateFMul(wide(0), wide(1)), wide(2)));
  const CmpInst::Predicate predicate = predicateNamed(name);
  if (predicate == CmpInst::BAD_FCMP_PREDICATE)
    return nullptr;
  return builder.CreateFCmp(predicate, small.read(operands[0]), small.read(operands[1]));
}

} // namespace

Value* buildSmallMath(IRBuilder<>& builder, StringRef name, ArrayRef<Value*> operands,
                      Type* result) {
  SmallVector<StringRef, 6> words;
  name.split(words, '.');
  if (words.size() < 2 || operands.empty())
    return nullptr;
  StringRef formatName = words[1];
  const bool isPacked = formatName.consume_back("x2");
  const Format* format = formatNamed(formatName);
  if (format == nullptr)
    return nullptr;
  const Small small{builder, *format, words[0], ArrayRef(words).drop_front(2), result};
  if (!isPacked)
    return buildOne(small, operands);
  Value* both = nullptr;
  for (const unsigned part : {0u, 1u}) {
    SmallVector<Value*, 3> parts;
    for (Value* operand : operands)
      parts.push_back(
          builder.CreateTrunc(builder.CreateLShr(operand, part * format->width), small.own()));
    Value* made = buildOne(small, parts);
    if (made == nullptr)
      return nullptr;
    made = builder.CreateShl(builder.CreateZExt(made, result), part * format->width);
    both = both == nullptr ? made : builder.CreateOr(both, made);
  }
  return both;
}

} // namespace heddle::engine
