// SPDX-License-Identifier: Apache-2.0
//
// What instructions on floating point share: operands with their signs, rounding, NaN, and the
// comparisons.
//
// A result that needs more than its type holds is computed in double and rounded twice, which goes
// well when the first rounding is to odd:
//
//   1 + 2^-60, up:   1 with something above it lost   ->   1 + 2^-52   ->   1 + 2^-23
#pragma once

#include "sassrun/Handlers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace heddle::sassrun {

/// As two bits of an instruction say it: RN, RM, RP, RZ.
enum class Rounding : std::uint8_t { Nearest, Down, Up, Zero };

inline Rounding roundingAt(const Encoding& code, unsigned first) {
  return Rounding(code.bits(first, 2));
}

inline constexpr std::uint32_t floatNan = 0x7fffffff; ///< what a GPU writes for every NaN
inline constexpr std::uint16_t halfNan = 0x7fff;      ///< of bfloat16, too
inline constexpr std::uint64_t doubleNan = 0xfff8'0000'0000'0000; ///< where no operand is a NaN

inline std::uint32_t bitsOf(float value) {
  return std::bit_cast<std::uint32_t>(value);
}
inline float floatOf(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}
inline std::uint64_t bitsOf(double value) {
  return std::bit_cast<std::uint64_t>(value);
}
inline double doubleOf(std::uint64_t bits) {
  return std::bit_cast<double>(bits);
}

/// The bits of a result, with the one NaN.
inline std::uint32_t canonical(float value) {
  return value != value ? floatNan : bitsOf(value);
}

/// .FTZ: a subnormal number becomes a zero of its sign. That is for operands, and for conversions;
/// of arithmetic see `roundedFlushing`.
inline std::uint32_t flushed(std::uint32_t bits) {
  return (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits;
}

/// .SAT: NaN becomes 0.
inline std::uint32_t saturated(std::uint32_t bits) {
  const float value = floatOf(bits);
  return value > 0 ? bitsOf(value < 1 ? value : 1.0f) : 0;
}

/// Whether an instruction has bits set among 72 to 90 that nobody has read. `known` has a one for
/// each that was, bit 0 for bit 72.
inline bool hasUnread(const Encoding& code, std::uint32_t known) {
  return (code.bits(72, 19) & ~std::uint64_t{known}) != 0;
}

/// For masks of `hasUnread`.
constexpr std::uint32_t bitsFrom(unsigned first, unsigned count) {
  return ((std::uint32_t{1} << count) - 1) << (first - 72);
}
inline constexpr std::uint32_t signsOfA = bitsFrom(72, 2);
inline constexpr std::uint32_t signsOfC = bitsFrom(74, 2);

/// A float in each lane. Absolute value and negation only touch the sign.
class FloatOperand {
public:
  FloatOperand(const Warp& warp, const Instruction& instruction, const Source& source)
      : keep_(source.isAbsolute(instruction.code) ? 0x7fffffff : 0xffffffff),
        flip_(source.isNegated(instruction.code) ? 0x80000000 : 0) {
    if (source.kind == SourceKind::Register) {
      row_ = warp.registers(source.index).data();
    } else {
      same_.fill(warp.shared(source));
      row_ = same_.data();
    }
  }
  FloatOperand(const FloatOperand&) = delete;
  FloatOperand& operator=(const FloatOperand&) = delete;

  std::uint32_t bits(std::size_t lane) const { return (row_[lane] & keep_) ^ flip_; }
  float value(std::size_t lane) const { return floatOf(bits(lane)); }

private:
  const std::uint32_t* row_;
  Warp::Row same_; ///< where all lanes share it
  std::uint32_t keep_, flip_;
};

/// A double in each lane.
class DoubleOperand {
public:
  DoubleOperand(const Warp& warp, const Instruction& instruction, const Source& source)
      : keep_(source.isAbsolute(instruction.code) ? ~sign : ~std::uint64_t{0}),
        flip_(source.isNegated(instruction.code) ? sign : 0) {
    if (source.kind == SourceKind::Register) {
      low_ = warp.registers(source.index).data();
      const bool isZero = source.index == zeroRegister;
      high_ = isZero ? low_ : warp.registers(source.index + 1u).data();
      return;
    }
    const std::uint64_t value = warp.wideShared(source);
    sameLow_.fill(std::uint32_t(value));
    sameHigh_.fill(std::uint32_t(value >> 32));
    low_ = sameLow_.data();
    high_ = sameHigh_.data();
  }
  DoubleOperand(const DoubleOperand&) = delete;
  DoubleOperand& operator=(const DoubleOperand&) = delete;

  std::uint64_t bits(std::size_t lane) const { return (stored(lane) & keep_) ^ flip_; }
  /// Without what the instruction does to the sign.
  std::uint64_t stored(std::size_t lane) const {
    return low_[lane] | std::uint64_t{high_[lane]} << 32;
  }
  double value(std::size_t lane) const { return doubleOf(bits(lane)); }

private:
  static constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  const std::uint32_t *low_, *high_;
  Warp::Row sameLow_, sameHigh_; ///< where all lanes share it
  std::uint64_t keep_, flip_;
};

/// Results of 32 bits, computed for all lanes: that is quicker than to ask which are on.
template <class Compute>
void computeRow(Warp& warp, const Instruction& instruction, LaneMask lanes, Compute compute) {
  Warp::Row results;
  for (std::size_t lane = 0; lane < results.size(); ++lane)
    results[lane] = compute(lane);
  forEachLane(lanes,
              [&](int lane) { warp.set(instruction.result, lane, results[std::size_t(lane)]); });
}

/// Moves a double that was rounded to nearest to the odd one of its neighbours, where `error`, of
/// the sign of what was lost, is not zero. (It is a NaN where the double is infinite.)
inline double toOdd(double near, double error) {
  const std::uint64_t bits = bitsOf(near);
  const bool moves = ((error > 0) | (error < 0)) & ((bits & 1) == 0);
  const bool outward = ((bits ^ bitsOf(error)) >> 63) == 0;
  return doubleOf(bits + (moves ? (outward ? 1 : std::uint64_t(-1)) : 0));
}

/// left + right, rounded to odd.
inline double oddSum(double left, double right) {
  const double sum = left + right;
  const double part = sum - left;
  return toOdd(sum, (left - (sum - part)) + (right - part));
}

/// One of IEEE's formats, or one like them.
struct FloatFormat {
  unsigned precision;     ///< bits of the mantissa, the hidden one included
  int least;              ///< the exponent of the smallest normal number
  std::uint32_t most;     ///< bits of the largest finite number
  std::uint32_t infinity; ///< 0 where it has none
  std::uint32_t nan;
  unsigned sign; ///< place of the sign
};
inline constexpr FloatFormat singleFormat{24, -126, 0x7f7fffff, 0x7f800000, floatNan, 31};
inline constexpr FloatFormat halfFormat{11, -14, 0x7bff, 0x7c00, halfNan, 15};
inline constexpr FloatFormat bfloatFormat{8, -126, 0x7f7f, 0x7f80, halfNan, 15};
inline constexpr FloatFormat e4m3Format{4, -6, 0x7e, 0, 0x7f, 7};
inline constexpr FloatFormat e5m2Format{3, -14, 0x7b, 0x7c, 0x7f, 7};

/// Whether a number between two others goes to the one further from zero. `rest` is what is beyond
/// the last place, in units of half of it: 0 nothing, 1 less than a half, 2 a half, 3 more.
inline bool goesOut(Rounding rounding, bool isNegative, bool isOdd, unsigned rest) {
  switch (rounding) {
  case Rounding::Nearest:
    return rest > 2 || (rest == 2 && isOdd);
  case Rounding::Down:
    return isNegative && rest != 0;
  case Rounding::Up:
    return !isNegative && rest != 0;
  case Rounding::Zero:
    break;
  }
  return false;
}

/// The size of a double that is normal in a narrower format, or would be with larger exponents;
/// rounded to nearest.
inline std::uint64_t narrowedNormal(std::uint64_t size, const FloatFormat& format) {
  const unsigned lost = 53 - format.precision;
  const std::uint64_t half = std::uint64_t{1} << (lost - 1);
  const std::uint64_t rounded = size + (half - 1) + (size >> lost & 1);
  return (rounded >> lost) - (std::uint64_t(1023 + format.least - 1) << (format.precision - 1));
}

/// A double in a narrower format. `endsFinite` (.SATFINITE): the largest number instead of
/// infinity.
inline std::uint32_t narrowed(double value, const FloatFormat& format, Rounding rounding,
                              bool endsFinite = false) {
  if (value != value)
    return format.nan;
  const std::uint64_t bits = bitsOf(value);
  const bool isNegative = bits >> 63 != 0;
  const std::uint32_t sign = std::uint32_t{isNegative} << format.sign;
  if (rounding == Rounding::Nearest && int(bits >> 52 & 0x7ff) >= 1023 + format.least) {
    const std::uint64_t size = narrowedNormal(bits & ~(std::uint64_t{1} << 63), format);
    if (size <= format.most)
      return sign | std::uint32_t(size);
  }
  const std::uint32_t end = endsFinite || format.infinity == 0 ? format.most : format.infinity;
  const int biased = int(bits >> 52 & 0x7ff);
  if (biased == 0x7ff)
    return sign | end;
  if ((bits << 1) == 0)
    return sign;
  const std::uint64_t mantissa = (bits & 0xf'ffff'ffff'ffff) | (std::uint64_t{biased != 0} << 52);
  const int exponent = (biased == 0 ? 1 : biased) - 1023;
  const int lost = 53 - int(format.precision) + std::max(0, format.least - exponent);
  std::uint64_t kept = 0;
  unsigned rest = 1;
  if (lost < 54) {
    kept = mantissa >> lost;
    const std::uint64_t half = std::uint64_t{1} << (lost - 1);
    const std::uint64_t beyond = mantissa & (2 * half - 1);
    rest = beyond == 0 ? 0 : beyond < half ? 1 : beyond == half ? 2 : 3;
  }
  // The hidden bit adds one to the exponent, and so does a carry.
  const int steps = std::max(exponent - format.least, 0);
  std::uint64_t made = (std::uint64_t(steps) << (format.precision - 1)) + kept;
  made += goesOut(rounding, isNegative, (kept & 1) != 0, rest);
  if (made <= format.most)
    return sign | std::uint32_t(made);
  const bool reachesEnd = rounding == Rounding::Nearest ||
                          (rounding == Rounding::Down && isNegative) ||
                          (rounding == Rounding::Up && !isNegative);
  return sign | (reachesEnd ? end : format.most);
}

/// A result of arithmetic with .FTZ, of which `exact` has all bits or is rounded to odd. What is
/// below the normal numbers is zero after rounding to as many bits as those have:
///
///   2^-126 (1 - 2^-25)   2^-126        the nearest number of 24 bits
///   2^-126 (1 - 2^-24)   0             has 24 bits; the subnormal ones would round it up
inline std::uint32_t roundedFlushing(double exact, const FloatFormat& format, Rounding rounding) {
  if (!(std::abs(exact) < std::ldexp(1.0, format.least)))
    return narrowed(exact, format, rounding);
  const std::uint32_t sign = std::uint32_t(std::signbit(exact)) << format.sign;
  const std::uint32_t normal = std::uint32_t{1} << (format.precision - 1);
  return (narrowed(2 * exact, format, rounding) ^ sign) == 2 * normal ? sign | normal : sign;
}

/// The value of a number of 16 bits or less; exact. Its exponents, one after the other, are those
/// of floats times a power.
inline double widened(std::uint32_t bits, const FloatFormat& format) {
  const bool isNegative = (bits >> format.sign & 1) != 0;
  const std::uint32_t size = bits & ((std::uint32_t{1} << format.sign) - 1);
  const std::uint32_t power = std::uint32_t(127 + 126 + format.least) << 23;
  float value = floatOf(size << (24 - format.precision)) * floatOf(power);
  if (size > format.most)
    value = size == format.infinity ? std::numeric_limits<float>::infinity()
                                    : std::numeric_limits<float>::quiet_NaN();
  return isNegative ? -value : value;
}

/// What a comparison says, by the numbers that instructions have for them: a bit for each of less,
/// equal, greater and unordered. Not for 0 and 15, which mean something else for each type.
template <class Number> bool compares(unsigned comparison, Number left, Number right) {
  const unsigned outcome = unsigned(left < right) | unsigned(left == right) << 1 |
                           unsigned(left > right) << 2 |
                           unsigned(std::isunordered(left, right)) << 3;
  return (comparison & outcome) != 0;
}

/// A comparison of two operands has two results: with its outcome, and with the opposite.
inline void setBoth(Warp& warp, const Instruction& instruction, LaneMask lanes, LaneMask outcome) {
  const Encoding& code = instruction.code;
  const LaneMask with = warp.predicateAt(code, 87, 90);
  const unsigned how = unsigned(code.bits(74, 2));
  const LaneMask first = combine(how, outcome, with);
  const LaneMask second = combine(how, ~outcome, with);
  warp.setPredicate(unsigned(code.bits(81, 3)), lanes, first);
  warp.setPredicate(unsigned(code.bits(84, 3)), lanes, second);
}

} // namespace heddle::sassrun
