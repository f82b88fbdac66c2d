// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of double precision. A NaN among the operands is the result, made quiet: b
// before c before a, as it stands in its registers. A change of sign, or of none, does not touch a
// NaN:
//
//   DADD R6, -RZ, -R2      for a NaN in R2 is that NaN, with its sign
//
// Directed rounding is the processor's own; operands and result are volatile there, as a compiler
// moves the operation out of the mode otherwise.
#include "sassrun/FloatRules.h"

#include <array>
#include <cfenv>
#include <cmath>
#include <initializer_list>

namespace heddle::sassrun {
namespace doubles {
namespace {

constexpr std::uint64_t quiet = std::uint64_t{1} << 51;

class RoundingScope {
public:
  explicit RoundingScope(Rounding rounding) : before_(std::fegetround()) {
    std::fesetround(rounding == Rounding::Down ? FE_DOWNWARD
                    : rounding == Rounding::Up ? FE_UPWARD
                                               : FE_TOWARDZERO);
  }
  ~RoundingScope() { std::fesetround(before_); }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

private:
  int before_;
};

[[gnu::noinline]] double fusedIn(Rounding rounding, double a, double b, double c) {
  volatile double left = a, right = b, addend = c;
  const RoundingScope scope(rounding);
  volatile double result = std::fma(left, right, addend);
  return result;
}

[[gnu::noinline]] double addedIn(Rounding rounding, double a, double b) {
  volatile double left = a, right = b;
  const RoundingScope scope(rounding);
  volatile double result = left + right;
  return result;
}

[[gnu::noinline]] double multipliedIn(Rounding rounding, double a, double b) {
  volatile double left = a, right = b;
  const RoundingScope scope(rounding);
  volatile double result = left * right;
  return result;
}

bool isNan(std::uint64_t bits) {
  return (bits << 1) > (std::uint64_t{0x7ff} << 53);
}

/// The first of some operands that is a NaN; the machine's own where none is.
std::uint64_t nanOf(std::size_t lane, std::initializer_list<const DoubleOperand*> operands) {
  for (const DoubleOperand* each : operands)
    if (isNan(each->stored(lane)))
      return each->stored(lane) | quiet;
  return doubleNan;
}

/// Results of 64 bits, for all lanes.
template <class Compute>
void computeDoubles(Warp& warp, const Instruction& i, LaneMask lanes, Compute compute) {
  std::array<std::uint64_t, warpSize> results;
  for (std::size_t lane = 0; lane < results.size(); ++lane)
    results[lane] = compute(lane);
  forEachLane(lanes, [&](int lane) { warp.setPair(i.result, lane, results[std::size_t(lane)]); });
}

/// Two operands, of which the second stands somewhere else for each operation.
template <class Compute>
void computePairs(Warp& warp, const Instruction& i, LaneMask lanes, const Source& second,
                  Compute compute) {
  const DoubleOperand a(warp, i, i.a), b(warp, i, second);
  computeDoubles(warp, i, lanes, [&](std::size_t lane) {
    const double result = compute(a.value(lane), b.value(lane));
    return result == result ? bitsOf(result) : nanOf(lane, {&b, &a});
  });
}

void add(Warp& warp, const Instruction& i, LaneMask lanes) {
  if (hasUnread(i.code, signsOfA | signsOfC | bitsFrom(78, 2)))
    return warp.fail("DADD with modifiers that are not known");
  const Rounding rounding = roundingAt(i.code, 78);
  if (rounding == Rounding::Nearest)
    return computePairs(warp, i, lanes, i.c, [](double a, double b) { return a + b; });
  computePairs(warp, i, lanes, i.c, [&](double a, double b) { return addedIn(rounding, a, b); });
}

void multiply(Warp& warp, const Instruction& i, LaneMask lanes) {
  if (hasUnread(i.code, signsOfA | bitsFrom(78, 2)))
    return warp.fail("DMUL with modifiers that are not known");
  const Rounding rounding = roundingAt(i.code, 78);
  if (rounding == Rounding::Nearest)
    return computePairs(warp, i, lanes, i.b, [](double a, double b) { return a * b; });
  computePairs(warp, i, lanes, i.b,
               [&](double a, double b) { return multipliedIn(rounding, a, b); });
}

void multiplyAdd(Warp& warp, const Instruction& i, LaneMask lanes) {
  if (hasUnread(i.code, signsOfA | signsOfC | bitsFrom(78, 2)))
    return warp.fail("DFMA with modifiers that are not known");
  const Rounding rounding = roundingAt(i.code, 78);
  const DoubleOperand a(warp, i, i.a), b(warp, i, i.b), c(warp, i, i.c);
  computeDoubles(warp, i, lanes, [&](std::size_t lane) {
    const double x = a.value(lane), y = b.value(lane), z = c.value(lane);
    const double result =
        rounding == Rounding::Nearest ? std::fma(x, y, z) : fusedIn(rounding, x, y, z);
    return result == result ? bitsOf(result) : nanOf(lane, {&b, &c, &a});
  });
}

/// -0 below +0; true where both are alike.
bool isBelow(double a, double b) {
  return a == b ? std::signbit(a) || !std::signbit(b) : a < b;
}

/// .MIN and .MAX: the first result says whether a is the one, the second whether both are a NaN.
/// Machine code takes a or b by the first; where the second holds, it takes b and makes it quiet.
void setChoice(Warp& warp, const Instruction& i, LaneMask lanes, bool isLesser) {
  const Encoding& code = i.code;
  if (code.bits(74, 2) != 0)
    return warp.fail("DSETP.MIN or .MAX that is not .AND");
  const LaneMask with = warp.predicateAt(code, 87, 90);
  const DoubleOperand a(warp, i, i.a), b(warp, i, i.second());
  LaneMask first = 0, none = 0;
  forEachLane(lanes, [&](int at) {
    const auto lane = std::size_t(at);
    const double x = a.value(lane), y = b.value(lane);
    const bool takesFirst = x != x     ? false
                            : y != y   ? true
                            : isLesser ? isBelow(x, y)
                                       : isBelow(y, x);
    first |= LaneMask(takesFirst) << lane;
    none |= LaneMask(x != x && y != y) << lane;
  });
  warp.setPredicate(unsigned(code.bits(81, 3)), lanes, first & with);
  warp.setPredicate(unsigned(code.bits(84, 3)), lanes, none & with);
}

void setPredicates(Warp& warp, const Instruction& i, LaneMask lanes) {
  constexpr unsigned min = 0, max = 15;
  const unsigned comparison = unsigned(i.code.bits(76, 4));
  if (i.code.bit(80) || i.code.bits(74, 2) == 3)
    return warp.fail("DSETP with modifiers that are not known");
  if (comparison == min || comparison == max)
    return setChoice(warp, i, lanes, comparison == min);
  const DoubleOperand a(warp, i, i.a), b(warp, i, i.second());
  LaneMask outcome = 0;
  for (std::size_t lane = 0; lane < warpSize; ++lane)
    outcome |= LaneMask(compares(comparison, a.value(lane), b.value(lane))) << lane;
  setBoth(warp, i, lanes, outcome);
}

constexpr HandlerEntry handlers[] = {
    {0x028, multiply},
    {0x029, add},
    {0x02a, setPredicates},
    {0x02b, multiplyAdd},
};

} // namespace
} // namespace doubles

std::span<const HandlerEntry> doubleHandlers() {
  return doubles::handlers;
}

} // namespace heddle::sassrun
