// SPDX-License-Identifier: Apache-2.0
//
// Conversions between numbers of different types. Most have the types at the same bits:
//
//   75 to 77   what it becomes: 1 half, 2 float, 3 double, 4 bfloat16; of integers the size
//   84 to 86   what it is, in the same way; of integers the size: 0 is 8 bits, 3 is 64
//   78 to 79   rounding
#include "sassrun/FloatRules.h"

#include <cmath>
#include <optional>

namespace heddle::sassrun {
namespace conversion {
namespace {

enum class Type : std::uint8_t { Half = 1, Single = 2, Double = 3, Bfloat = 4 };

bool isFloat(std::uint64_t number) {
  return number >= 1 && number <= 4;
}

/// A NaN that keeps what fits of its bits, with the top one of the mantissa set.
std::uint64_t movedNan(std::uint64_t bits, unsigned fromPlaces, unsigned toPlaces,
                       unsigned fromSign, unsigned toSign) {
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << fromPlaces) - 1);
  const std::uint64_t moved = toPlaces >= fromPlaces ? fraction << (toPlaces - fromPlaces)
                                                     : fraction >> (fromPlaces - toPlaces);
  const std::uint64_t exponent = ((std::uint64_t{1} << (toSign - toPlaces)) - 1) << toPlaces;
  return moved | exponent | std::uint64_t{1} << (toPlaces - 1) | (bits >> fromSign & 1) << toSign;
}

/// An operand of floating point, in 16, 32 or 64 bits; .H1 takes the upper half of a register.
class AnyFloat {
public:
  AnyFloat(const Instruction& i, const Source& source)
      : instruction_(i), source_(source), type_(Type(i.code.bits(84, 3))) {
    if (source.kind != SourceKind::Immediate)
      part_ = unsigned(i.code.bits(60, 2));
  }
  Type type() const { return type_; }
  bool isKnown() const {
    return part_ == 0 || (part_ == 1 && (type_ == Type::Half || type_ == Type::Bfloat));
  }

  /// With the sign that modifiers leave.
  std::uint64_t bits(const Warp& warp, int lane) const {
    if (type_ == Type::Double)
      return wide(warp, lane);
    const unsigned sign = type_ == Type::Single ? 31 : 15;
    std::uint32_t bits = warp.value(source_, lane);
    if (type_ != Type::Single)
      bits = bits >> (16 * part_) & 0xffff;
    if (source_.isAbsolute(instruction_.code))
      bits &= ~(std::uint32_t{1} << sign);
    if (source_.isNegated(instruction_.code))
      bits ^= std::uint32_t{1} << sign;
    return bits;
  }

  /// All of them fit into a double.
  double value(const Warp& warp, int lane) const {
    const std::uint64_t found = bits(warp, lane);
    const bool flushes = instruction_.code.bit(80);
    switch (type_) {
    case Type::Half:
      return widened(std::uint32_t(found), halfFormat);
    case Type::Bfloat:
      return widened(std::uint32_t(found), bfloatFormat);
    case Type::Single:
      return floatOf(flushes ? flushed(std::uint32_t(found)) : std::uint32_t(found));
    case Type::Double:
      break;
    }
    return doubleOf(found);
  }

private:
  std::uint64_t wide(const Warp& warp, int lane) const {
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    std::uint64_t bits = warp.wideValue(source_, lane);
    if (source_.isAbsolute(instruction_.code))
      bits &= ~sign;
    return source_.isNegated(instruction_.code) ? bits ^ sign : bits;
  }

  const Instruction& instruction_;
  const Source& source_;
  Type type_;
  unsigned part_ = 0;
};

/// A double of another type, where that is not double; for NaN see `narrowedNan`.
std::uint32_t madeFrom(double value, Type type, Rounding rounding, bool flushes) {
  if (type == Type::Half)
    return narrowed(value, halfFormat, rounding);
  if (type == Type::Bfloat)
    return narrowed(value, bfloatFormat, rounding);
  const std::uint32_t made = narrowed(value, singleFormat, rounding);
  return flushes ? flushed(made) : made;
}

/// Between floats. The bits of a NaN stay, as far as they fit, where one side is a double; else it
/// is the one NaN.
void convertFloat(Warp& warp, const Instruction& i, LaneMask lanes) {
  const Encoding& code = i.code;
  const AnyFloat x(i, i.b);
  const auto to = Type(code.bits(75, 3));
  if (hasUnread(code, bitsFrom(75, 6) | bitsFrom(84, 3)) || !isFloat(code.bits(75, 3)) ||
      !isFloat(code.bits(84, 3)) || !x.isKnown() || (to == Type::Double && x.type() == to) ||
      (code.bit(80) && x.type() != Type::Single && to != Type::Single))
    return warp.fail("F2F with types or modifiers that are not known");
  const Rounding rounding = roundingAt(code, 78);
  if (to == Type::Double)
    return computeWide(warp, i, lanes, [&](int lane) {
      const double value = x.value(warp, lane);
      if (value == value)
        return bitsOf(value);
      return x.type() == Type::Single ? movedNan(x.bits(warp, lane), 23, 52, 31, 63)
             : x.type() == Type::Half ? movedNan(x.bits(warp, lane), 10, 52, 15, 63)
                                      : movedNan(x.bits(warp, lane), 7, 52, 15, 63);
    });
  computeLanes(warp, i, lanes, [&](int lane) {
    const double value = x.value(warp, lane);
    if (value != value && x.type() == Type::Double) {
      const std::uint64_t bits = x.bits(warp, lane);
      return std::uint32_t(to == Type::Single ? movedNan(bits, 52, 23, 63, 31)
                           : to == Type::Half ? movedNan(bits, 52, 10, 63, 15)
                                              : movedNan(bits, 52, 7, 63, 15));
    }
    return madeFrom(value, to, rounding, code.bit(80));
  });
}

double roundedWhole(double value, Rounding rounding) {
  switch (rounding) {
  case Rounding::Nearest:
    return std::nearbyint(value);
  case Rounding::Down:
    return std::floor(value);
  case Rounding::Up:
    return std::ceil(value);
  case Rounding::Zero:
    break;
  }
  return std::trunc(value);
}

/// To a whole number of the same type.
void roundToWhole(Warp& warp, const Instruction& i, LaneMask lanes) {
  const Encoding& code = i.code;
  const AnyFloat x(i, i.b);
  if (hasUnread(code, bitsFrom(75, 6) | bitsFrom(84, 3)) || !isFloat(code.bits(84, 3)) ||
      !x.isKnown() || code.bits(75, 3) != code.bits(84, 3) ||
      (code.bit(80) && x.type() != Type::Single))
    return warp.fail("FRND with types or modifiers that are not known");
  const Rounding rounding = roundingAt(code, 78);
  if (x.type() == Type::Double)
    return computeWide(warp, i, lanes, [&](int lane) {
      constexpr std::uint64_t quiet = std::uint64_t{1} << 51;
      const double value = x.value(warp, lane);
      return value != value ? x.bits(warp, lane) | quiet : bitsOf(roundedWhole(value, rounding));
    });
  computeLanes(warp, i, lanes, [&](int lane) {
    return madeFrom(roundedWhole(x.value(warp, lane), rounding), x.type(), Rounding::Nearest,
                    false);
  });
}

/// The nearest integer that a type of so many bits has.
std::uint64_t wholeNumber(double value, unsigned bits, bool isSigned) {
  const double end = std::ldexp(1.0, int(isSigned ? bits - 1 : bits));
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - bits);
  if (!isSigned)
    return value <= 0 ? 0 : value >= end ? all : std::uint64_t(value);
  if (value >= end)
    return all >> 1;
  return std::uint64_t(value <= -end ? std::int64_t(~(all >> 1)) : std::int64_t(value));
}

/// NaN becomes 0 with .NTZ, else the top bit alone. What is narrower than a register has its sign
/// in the rest of it.
void toInteger(Warp& warp, const Instruction& i, LaneMask lanes) {
  const Encoding& code = i.code;
  const AnyFloat x(i, i.b);
  const unsigned bits = 8u << code.bits(75, 2);
  const bool isSigned = code.bit(72), zeroesNan = code.bit(77);
  if (hasUnread(code, bitsFrom(72, 1) | bitsFrom(75, 6) | bitsFrom(84, 3)) ||
      !isFloat(code.bits(84, 3)) || !x.isKnown() || (bits < 32 && !zeroesNan))
    return warp.fail("F2I with types or modifiers that are not known");
  const Rounding rounding = roundingAt(code, 78);
  const auto convert = [&](int lane) {
    const double value = x.value(warp, lane);
    if (value != value)
      return zeroesNan ? 0 : std::uint64_t{1} << (bits - 1);
    return wholeNumber(roundedWhole(value, rounding), bits, isSigned);
  };
  if (bits == 64)
    return computeWide(warp, i, lanes, convert);
  computeLanes(warp, i, lanes, [&](int lane) { return std::uint32_t(convert(lane)); });
}

/// An integer as a double, rounded to odd where it has more than 53 bits.
double oddDouble(std::uint64_t size, bool isNegative) {
  constexpr std::uint64_t low = 0x7ff;
  const double made = size >> 53 == 0
                          ? double(size)
                          : double((size & ~low) | (std::uint64_t{(size & low) != 0} << 11));
  return isNegative ? -made : made;
}

/// The operand of a conversion from an integer.
class Integer {
public:
  explicit Integer(const Instruction& i)
      : source_(i.b), bits_(8u << i.code.bits(84, 2)), isSigned_(i.code.bit(74)) {
    if (i.b.kind == SourceKind::Immediate)
      return;
    const auto part = unsigned(i.code.bits(60, 2)); // of its size: .B3, .H1
    part_ = part * bits_ / 8;
    isPlain_ = i.code.bits(62, 2) == 0 && (part == 0 || bits_ == 8 || (bits_ == 16 && part == 1));
  }
  bool isKnown() const { return isPlain_; }

  std::uint64_t size(const Warp& warp, int lane) const {
    const std::uint64_t value = raw(warp, lane);
    return isNegative(warp, lane) ? std::uint64_t{0} - value : value;
  }
  bool isNegative(const Warp& warp, int lane) const {
    return isSigned_ && (raw(warp, lane) >> 63) != 0;
  }

private:
  /// In 64 bits.
  std::uint64_t raw(const Warp& warp, int lane) const {
    const std::uint64_t value = bits_ == 64
                                    ? warp.wideValue(source_, lane)
                                    : std::uint64_t{warp.value(source_, lane)} >> (8 * part_);
    const unsigned unused = 64 - bits_;
    const std::uint64_t top = value << unused;
    return isSigned_ ? std::uint64_t(std::int64_t(top) >> unused) : top >> unused;
  }

  const Source& source_;
  unsigned bits_, part_ = 0; ///< bytes below it in its register
  bool isSigned_, isPlain_ = true;
};

/// Of 64 bits to a double in a rounding mode.
std::uint64_t roundedDouble(std::uint64_t size, bool isNegative, Rounding rounding) {
  const std::uint64_t sign = std::uint64_t{isNegative} << 63;
  if (size == 0)
    return 0;
  const int exponent = 63 - std::countl_zero(size);
  const int lost = exponent - 52;
  if (lost <= 0)
    return sign | bitsOf(double(size));
  const std::uint64_t kept = size >> lost, half = std::uint64_t{1} << (lost - 1);
  const std::uint64_t beyond = size & (2 * half - 1);
  const unsigned rest = beyond == 0 ? 0 : beyond < half ? 1 : beyond == half ? 2 : 3;
  const std::uint64_t made = (std::uint64_t(exponent + 1023 - 1) << 52) + kept;
  return sign | (made + goesOut(rounding, isNegative, (kept & 1) != 0, rest));
}

/// I2F and I2FP, which runs elsewhere in the processor.
void fromInteger(Warp& warp, const Instruction& i, LaneMask lanes) {
  const Encoding& code = i.code;
  const Integer integer(i);
  const auto to = Type(code.bits(75, 3));
  if (hasUnread(code, bitsFrom(74, 6) | bitsFrom(84, 3)) || code.bit(86) ||
      !isFloat(code.bits(75, 3)) || !integer.isKnown() ||
      (code.bits(84, 2) == 3 && i.b.kind == SourceKind::Immediate))
    return warp.fail("I2F with types or modifiers that are not known");
  const Rounding rounding = roundingAt(code, 78);
  if (to == Type::Double)
    return computeWide(warp, i, lanes, [&](int lane) {
      return roundedDouble(integer.size(warp, lane), integer.isNegative(warp, lane), rounding);
    });
  computeLanes(warp, i, lanes, [&](int lane) {
    return madeFrom(oddDouble(integer.size(warp, lane), integer.isNegative(warp, lane)), to,
                    rounding, false);
  });
}

/// Two floats into two narrower numbers: a into the upper one, b into the lower one. Bits 72 to 90
/// are the same for all that is alike, but rounding.
struct Packing {
  std::uint64_t bits;
  const FloatFormat& format;
  unsigned width;
  bool endsFinite;
};
constexpr std::uint64_t satfinite = (1u << (87 - 72)) | (1u << (90 - 72));
constexpr Packing packings[] = {
    {0x00, halfFormat, 16, false},
    {0x10, bfloatFormat, 16, false},
    {0x60 | satfinite, e5m2Format, 8, true},
    {0x70 | satfinite, e4m3Format, 8, true},
};

/// Two numbers of 8 bits into two halves.
void unpack(Warp& warp, const Instruction& i, LaneMask lanes, const FloatFormat& format) {
  computeLanes(warp, i, lanes, [&](int lane) {
    const std::uint32_t both = warp.value(i.b, lane);
    const std::uint32_t low = narrowed(widened(both & 0xff, format), halfFormat, Rounding::Nearest);
    const std::uint32_t high =
        narrowed(widened(both >> 8 & 0xff, format), halfFormat, Rounding::Nearest);
    return low | high << 16;
  });
}

void pack(Warp& warp, const Instruction& i, LaneMask lanes) {
  constexpr std::uint64_t unpacks = 1u << (89 - 72), e4m3 = 6, e5m2 = 4;
  constexpr std::uint64_t roundingBits = bitsFrom(79, 2);
  const std::uint64_t bits = i.code.bits(72, 19);
  const bool isPlain = i.b.kind == SourceKind::Immediate || i.code.bits(60, 4) == 0;
  if (isPlain && bits == (unpacks | e4m3))
    return unpack(warp, i, lanes, e4m3Format);
  if (isPlain && bits == (unpacks | e5m2))
    return unpack(warp, i, lanes, e5m2Format);
  const bool mergesNothing = i.c.kind == SourceKind::Register && i.c.index == zeroRegister;
  for (const Packing& packing : packings) {
    if ((bits & ~roundingBits) != packing.bits || !isPlain || !mergesNothing)
      continue;
    const Rounding rounding = roundingAt(i.code, 79);
    return computeLanes(warp, i, lanes, [&](int lane) {
      const auto made = [&](const Source& source) {
        return narrowed(floatOf(warp.value(source, lane)), packing.format, rounding,
                        packing.endsFinite);
      };
      return made(i.b) | made(i.a) << packing.width;
    });
  }
  warp.fail("F2FP with types or modifiers that are not known");
}

constexpr HandlerEntry handlers[] = {
    {0x03e, pack},        {0x045, fromInteger},  {0x104, convertFloat}, {0x105, toInteger},
    {0x106, fromInteger}, {0x107, roundToWhole}, {0x110, convertFloat}, {0x111, toInteger},
    {0x112, fromInteger}, {0x113, roundToWhole},
};

} // namespace
} // namespace conversion

std::span<const HandlerEntry> conversionHandlers() {
  return conversion::handlers;
}

} // namespace heddle::sassrun
