// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of single precision, and the unit for special functions.
//
// The special functions come from the C library and are rounded to nearest; a GPU's are off by one
// or two units in the last place, and so may be ours against them.
#include "sassrun/FloatRules.h"

#include <array>
#include <cmath>
#include <numbers>

namespace heddle::sassrun {
namespace floats {
namespace {

constexpr std::uint32_t arithmeticBits = signsOfA | bitsFrom(77, 4);

/// .SAT, rounding and .FTZ stand at the same place for all arithmetic.
struct Modes {
  explicit Modes(const Encoding& code)
      : rounding(roundingAt(code, 78)), saturates(code.bit(77)), flushes(code.bit(80)) {}
  bool isPlain() const { return rounding == Rounding::Nearest && !saturates && !flushes; }
  std::uint32_t read(std::uint32_t bits) const { return flushes ? flushed(bits) : bits; }
  /// A result, exact or rounded to odd.
  std::uint32_t write(double exact) const {
    const std::uint32_t bits = rounded(exact);
    return saturates ? saturated(bits) : bits;
  }
  std::uint32_t rounded(double exact) const {
    constexpr std::uint32_t least = 0x00800000, size = 0x7fffffff;
    if (rounding != Rounding::Nearest)
      return flushes ? roundedFlushing(exact, singleFormat, rounding)
                     : narrowed(exact, singleFormat, rounding);
    const std::uint32_t near = canonical(float(exact));
    if (flushes && (near & size) == least) // was it less?
      return roundedFlushing(exact, singleFormat, rounding);
    return flushes ? flushed(near) : near;
  }
  std::uint32_t writeSum(double left, double right) const {
    const double sum = oddSum(left, right);
    if (sum == 0 && rounding == Rounding::Down) // -0, unless both sides are +0
      return write(std::signbit(left) || std::signbit(right) ? -0.0 : 0.0);
    return write(sum);
  }

  Rounding rounding;
  bool saturates, flushes;
};

/// a * b + c, rounded once: the product is exact in double.
float fused(float a, float b, float c) {
  return float(oddSum(double(a) * double(b), double(c)));
}

/// The same for all lanes.
void fuseRows(const FloatOperand& a, const FloatOperand& b, const FloatOperand& c,
              Warp::Row& results) {
  for (std::size_t lane = 0; lane < results.size(); ++lane)
    results[lane] = canonical(fused(a.value(lane), b.value(lane), c.value(lane)));
}

#if defined(__x86_64__)
/// Where the processor has an instruction for it, which not all of x86-64 have.
[[gnu::target("avx2,fma")]] void fuseRowsQuickly(const FloatOperand& a, const FloatOperand& b,
                                                 const FloatOperand& c, Warp::Row& results) {
  for (std::size_t lane = 0; lane < results.size(); ++lane)
    results[lane] = canonical(__builtin_fmaf(a.value(lane), b.value(lane), c.value(lane)));
}

const auto fuseBest =
    __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? fuseRowsQuickly : fuseRows;
#else
constexpr auto fuseBest = fuseRows;
#endif

void add(Warp& warp, const Instruction& i, LaneMask lanes) {
  if (hasUnread(i.code, arithmeticBits))
    return warp.fail("FADD with modifiers that are not known");
  const Modes modes(i.code);
  const FloatOperand a(warp, i, i.a), b(warp, i, i.second());
  if (modes.isPlain())
    return computeRow(warp, i, lanes,
                      [&](std::size_t lane) { return canonical(a.value(lane) + b.value(lane)); });
  computeRow(warp, i, lanes, [&](std::size_t lane) {
    const float left = floatOf(modes.read(a.bits(lane)));
    const float right = floatOf(modes.read(b.bits(lane)));
    return modes.writeSum(left, right);
  });
}

/// The result is also scaled by a power of two: .D2, .D4 and .D8 halve it, .M2, .M4 and .M8 double
/// it so often, before it is rounded.
void multiply(Warp& warp, const Instruction& i, LaneMask lanes) {
  constexpr unsigned noScale = 4;
  const unsigned scale = unsigned(i.code.bits(84, 3));
  if (hasUnread(i.code, arithmeticBits | bitsFrom(84, 3)) || scale == 0)
    return warp.fail("FMUL with modifiers that are not known");
  const Modes modes(i.code);
  const FloatOperand a(warp, i, i.a), b(warp, i, i.b);
  if (modes.isPlain() && scale == noScale)
    return computeRow(warp, i, lanes,
                      [&](std::size_t lane) { return canonical(a.value(lane) * b.value(lane)); });
  const double factor = std::ldexp(1.0, int(scale) - int(noScale));
  computeRow(warp, i, lanes, [&](std::size_t lane) {
    const double left = floatOf(modes.read(a.bits(lane)));
    const double right = floatOf(modes.read(b.bits(lane)));
    return modes.write(left * right * factor);
  });
}

void multiplyAdd(Warp& warp, const Instruction& i, LaneMask lanes) {
  if (hasUnread(i.code, arithmeticBits | signsOfC))
    return warp.fail("FFMA with modifiers that are not known");
  const Modes modes(i.code);
  const FloatOperand a(warp, i, i.a), b(warp, i, i.b), c(warp, i, i.c);
  if (modes.isPlain()) {
    Warp::Row results;
    fuseBest(a, b, c, results);
    return computeRow(warp, i, lanes, [&](std::size_t lane) { return results[lane]; });
  }
  computeRow(warp, i, lanes, [&](std::size_t lane) {
    const float x = floatOf(modes.read(a.bits(lane))), y = floatOf(modes.read(b.bits(lane)));
    const float z = floatOf(modes.read(c.bits(lane)));
    return modes.writeSum(double(x) * double(y), z);
  });
}

void setPredicates(Warp& warp, const Instruction& i, LaneMask lanes) {
  const unsigned comparison = unsigned(i.code.bits(76, 4));
  if (comparison == 0 || comparison == 15 || i.code.bits(74, 2) == 3)
    return warp.fail("FSETP with a comparison that is not known");
  const bool flushes = i.code.bit(80);
  const FloatOperand a(warp, i, i.a), b(warp, i, i.second());
  LaneMask outcome = 0;
  for (std::size_t lane = 0; lane < warpSize; ++lane) {
    const std::uint32_t x = a.bits(lane), y = b.bits(lane);
    const bool holds =
        compares(comparison, floatOf(flushes ? flushed(x) : x), floatOf(flushes ? flushed(y) : y));
    outcome |= LaneMask(holds) << lane;
  }
  setBoth(warp, i, lanes, outcome);
}

/// One of two numbers, whose bits stay.
void select(Warp& warp, const Instruction& i, LaneMask lanes) {
  if (hasUnread(i.code, signsOfA | bitsFrom(80, 1) | bitsFrom(87, 4)))
    return warp.fail("FSEL with modifiers that are not known");
  const bool flushes = i.code.bit(80);
  const LaneMask first = warp.predicateAt(i.code, 87, 90);
  const FloatOperand a(warp, i, i.a), b(warp, i, i.b);
  computeRow(warp, i, lanes, [&](std::size_t lane) {
    const std::uint32_t bits = (first >> lane & 1) != 0 ? a.bits(lane) : b.bits(lane);
    return flushes ? flushed(bits) : bits;
  });
}

/// The lesser of two, or the greater; -0 is below +0.
float lesserOrGreater(float a, float b, bool isLesser) {
  if (a == b)
    return floatOf(isLesser ? bitsOf(a) | bitsOf(b) : bitsOf(a) & bitsOf(b));
  return (a < b) == isLesser ? a : b;
}

/// A NaN counts only where both are, or where .NAN asks.
void choose(Warp& warp, const Instruction& i, LaneMask lanes) {
  if (hasUnread(i.code, signsOfA | bitsFrom(80, 2) | bitsFrom(87, 4)))
    return warp.fail("FMNMX with modifiers that are not known");
  const bool flushes = i.code.bit(80), keepsNan = i.code.bit(81);
  const LaneMask isLesser = warp.predicateAt(i.code, 87, 90);
  const FloatOperand a(warp, i, i.a), b(warp, i, i.b);
  computeRow(warp, i, lanes, [&](std::size_t lane) {
    const float x = floatOf(flushes ? flushed(a.bits(lane)) : a.bits(lane));
    const float y = floatOf(flushes ? flushed(b.bits(lane)) : b.bits(lane));
    if (x != x)
      return keepsNan ? floatNan : canonical(y);
    if (y != y)
      return keepsNan ? floatNan : bitsOf(x);
    return bitsOf(lesserOrGreater(x, y, (isLesser >> lane & 1) != 0));
  });
}

/// Whether a / b needs the slow path of a division, which machine code computes as
///
///   r = MUFU.RCP b;  r += r (1 - b r);  q = a r;  q += r (a - b q)
///
/// It looks at the exponents alone: each step has to stay clear of overflow and of subnormal
/// numbers, also what is left of a, 24 bits below it. That is the rule of Power's ftdiv for single
/// precision, but that zeros are slow, too; what others measured on sm_120 agrees with it.
bool needsSlowDivision(std::uint32_t a, std::uint32_t b) {
  constexpr int special = 255;
  const int left = int(a >> 23 & 0xff), right = int(b >> 23 & 0xff);
  return left == special || right == special || // infinite, NaN
         left < 25 ||                           // a < 2^-102; also subnormal, zero
         right < 2 || right > 251 ||            // b < 2^-125 or b >= 2^125
         left - right >= 127 || left - right <= -125;
}

void checkDivision(Warp& warp, const Instruction& i, LaneMask lanes) {
  if (hasUnread(i.code, signsOfA | bitsFrom(81, 3)))
    return warp.fail("FCHK with modifiers that are not known");
  const FloatOperand a(warp, i, i.a), b(warp, i, i.b);
  warp.setPredicate(unsigned(i.code.bits(81, 3)), lanes, lanesWhere(lanes, [&](int lane) {
                      return needsSlowDivision(a.bits(std::size_t(lane)),
                                               b.bits(std::size_t(lane)));
                    }));
}

// Special functions. Subnormal operands and results are zeros, but those of tanh; machine code
// around them scales where it wants more.

float ofWholeTurns(float x, double (*function)(double)) {
  const double turns = x;
  return float(function(2 * std::numbers::pi * (turns - std::nearbyint(turns))));
}

float cosine(float x) {
  return std::isfinite(x) ? ofWholeTurns(x, std::cos) : std::numeric_limits<float>::quiet_NaN();
}

float sine(float x) {
  return std::isfinite(x) ? ofWholeTurns(x, std::sin) : std::numeric_limits<float>::quiet_NaN();
}

float reciprocal(float x) {
  return 1.0f / x;
}

float inverseRoot(float x) {
  return x == 0 ? 1.0f / x : float(1.0 / std::sqrt(double(x)));
}

float power(float x) {
  return std::exp2(x);
}

float logarithm(float x) {
  return x == 0 ? -std::numeric_limits<float>::infinity() : std::log2(x);
}

float root(float x) {
  return std::sqrt(x);
}

/// The upper word of a double without its lower one, to the upper word of a result.
template <double (*function)(double)> std::uint32_t ofUpperWord(std::uint32_t upper) {
  constexpr std::uint32_t exponent = 0x7ff00000, sign = 0x80000000;
  if ((upper & exponent) == 0) // subnormal numbers are zeros
    upper &= sign;
  const double result = function(doubleOf(std::uint64_t{upper} << 32));
  if (result != result)
    return floatNan;
  const auto made = std::uint32_t(bitsOf(result) >> 32);
  return (made & exponent) == 0 ? made & sign : made;
}

double wideReciprocal(double x) {
  return 1.0 / x;
}

double wideInverseRoot(double x) {
  return x == 0 ? 1.0 / x : 1.0 / std::sqrt(x);
}

template <float (*function)(float)> std::uint32_t flushing(std::uint32_t bits) {
  return flushed(canonical(function(floatOf(flushed(bits)))));
}

std::uint32_t hyperbolicTangent(std::uint32_t bits) {
  return canonical(std::tanh(floatOf(bits)));
}

constexpr std::array<std::uint32_t (*)(std::uint32_t), 10> specialFunctions = {
    flushing<cosine>,
    flushing<sine>,
    flushing<power>,
    flushing<logarithm>,
    flushing<reciprocal>,
    flushing<inverseRoot>,
    ofUpperWord<wideReciprocal>,
    ofUpperWord<wideInverseRoot>,
    flushing<root>,
    hyperbolicTangent,
};

void special(Warp& warp, const Instruction& i, LaneMask lanes) {
  const std::size_t which = i.code.bits(74, 6);
  if (which >= specialFunctions.size() || hasUnread(i.code, bitsFrom(74, 6)))
    return warp.fail("MUFU of a function that is not known");
  const FloatOperand x(warp, i, i.b);
  computeLanes(warp, i, lanes,
               [&](int lane) { return specialFunctions[which](x.bits(std::size_t(lane))); });
}

constexpr HandlerEntry handlers[] = {
    {0x008, select}, {0x009, choose},      {0x00b, setPredicates}, {0x020, multiply},
    {0x021, add},    {0x023, multiplyAdd}, {0x102, checkDivision}, {0x108, special},
};

} // namespace
} // namespace floats

std::span<const HandlerEntry> floatHandlers() {
  return floats::handlers;
}

} // namespace heddle::sassrun
