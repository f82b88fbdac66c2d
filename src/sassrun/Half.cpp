// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of two halves, or two numbers of bfloat16, in a register. The lower 16 bits are the
// first of the two. An operand may take one of its halves twice: .H0_H0, .H1_H1.
//
// Numbers are computed in double, which holds every sum and product of two; a sum of three is
// rounded to odd there.
#include "sassrun/FloatRules.h"

#include <utility>

namespace heddle::sassrun {
namespace halves {
namespace {

constexpr std::uint16_t halfSign = 0x8000;

/// Where halves of an operand come from, as bits of the instruction say it; 1 is a float.
enum class Swizzle : std::uint8_t { Both = 0, Single = 1, Low = 2, High = 3 };

struct HalfOperand {
  HalfOperand(const Instruction& instruction, const Source& from) : source(from) {
    if (from.kind == SourceKind::Immediate)
      return;
    const Encoding& code = instruction.code;
    const unsigned first = from.slot == Slot::A ? 74 : from.slot == Slot::Wide ? 60 : 81;
    const unsigned absolute = from.slot == Slot::A ? 73 : from.slot == Slot::Wide ? 62 : 83;
    const unsigned negation = from.slot == Slot::A ? 72 : from.slot == Slot::Wide ? 63 : 84;
    swizzle = Swizzle(code.bits(first, 2));
    keep = code.bit(absolute) ? std::uint16_t(~halfSign) : 0xffff;
    flip = code.bit(negation) ? halfSign : 0;
  }
  bool isKnown() const { return swizzle != Swizzle::Single; }

  /// The bits of one of the two numbers in a lane.
  std::uint16_t bits(const Warp& warp, int lane, unsigned which) const {
    const unsigned half = isCrossed                  ? 1 - which
                          : swizzle == Swizzle::Both ? which
                                                     : swizzle == Swizzle::High;
    const std::uint16_t sign = isCrossed && which == 0 ? flip ^ halfSign : flip;
    return std::uint16_t((std::uint16_t(warp.value(source, lane) >> (16 * half)) & keep) ^ sign);
  }

  const Source& source;
  Swizzle swizzle = Swizzle::Both;
  std::uint16_t keep = 0xffff, flip = 0;
  bool isCrossed = false; ///< .H0_NH1: the second number, negated, and the first; times i
};

/// What the instructions for arithmetic have in common.
struct HalfModes {
  explicit HalfModes(const Encoding& code)
      : format(code.bit(85) ? bfloatFormat : halfFormat), saturates(code.bit(77)),
        makesFloat(code.bit(78)), cutsNegative(code.bit(79)), flushes(code.bit(80)) {}

  double read(std::uint16_t bits) const {
    const bool isSubnormal = (bits & format.infinity) == 0;
    return widened(flushes && isSubnormal ? bits & halfSign : bits, format);
  }

  double limited(double value) const {
    if (saturates)
      return value > 0 ? std::min(value, 1.0) : 0.0;
    return cutsNegative && value <= 0 ? 0.0 : value;
  }

  std::uint16_t write(double value) const {
    const double kept = limited(value);
    return std::uint16_t(flushes ? roundedFlushing(kept, format, Rounding::Nearest)
                                 : narrowed(kept, format, Rounding::Nearest));
  }

  const FloatFormat& format;
  bool saturates, makesFloat, cutsNegative, flushes;
};

constexpr std::uint32_t swizzleOfA = bitsFrom(72, 4);
constexpr std::uint32_t swizzleOfC = bitsFrom(81, 4);
constexpr std::uint32_t commonBits =
    swizzleOfA | bitsFrom(77, 1) | bitsFrom(80, 1) | bitsFrom(85, 1);

/// Calls back with a lane and a number of 0 and 1, for both halves of the result.
template <class Compute>
void computeHalves(Warp& warp, const Instruction& i, LaneMask lanes, Compute compute) {
  computeLanes(warp, i, lanes, [&](int lane) {
    const std::uint32_t low = compute(lane, 0u), high = compute(lane, 1u);
    return low | high << 16;
  });
}

/// Whether all lanes have the same.
bool isShared(const Source& source) {
  return source.kind != SourceKind::Register || source.index == zeroRegister;
}

/// .F32: the result is the sum of the first numbers, as a float.
void add(Warp& warp, const Instruction& i, LaneMask lanes) {
  const HalfModes modes(i.code);
  const HalfOperand a(i, i.a), b(i, i.second());
  if (hasUnread(i.code, commonBits | bitsFrom(78, 1)) || !a.isKnown() || !b.isKnown() ||
      (modes.makesFloat && (modes.saturates || modes.flushes || i.code.bit(85))))
    return warp.fail("HADD2 with modifiers that are not known");
  const auto sum = [&](int lane, unsigned which) {
    return modes.read(a.bits(warp, lane, which)) + modes.read(b.bits(warp, lane, which));
  };
  if (modes.makesFloat)
    return computeLanes(warp, i, lanes, [&](int lane) { return canonical(float(sum(lane, 0))); });
  computeHalves(warp, i, lanes,
                [&](int lane, unsigned which) { return modes.write(sum(lane, which)); });
}

void multiply(Warp& warp, const Instruction& i, LaneMask lanes) {
  const HalfModes modes(i.code);
  const HalfOperand a(i, i.a), b(i, i.b);
  if (hasUnread(i.code, commonBits) || !a.isKnown() || !b.isKnown())
    return warp.fail("HMUL2 with modifiers that are not known");
  computeHalves(warp, i, lanes, [&](int lane, unsigned which) {
    return modes.write(modes.read(a.bits(warp, lane, which)) *
                       modes.read(b.bits(warp, lane, which)));
  });
}

/// HFMA2.MMA, too, which runs elsewhere in the processor. Where .RELU is, a predicate is, always
/// PT.
void multiplyAdd(Warp& warp, const Instruction& i, LaneMask lanes) {
  const HalfModes modes(i.code);
  const HalfOperand a(i, i.a), c(i, i.c);
  HalfOperand b(i, i.b);
  b.isCrossed = i.code.bit(86);
  const std::uint64_t with = i.code.bits(87, 4);
  if (hasUnread(i.code, commonBits | swizzleOfC | bitsFrom(79, 1) | bitsFrom(86, 5)) ||
      (b.isCrossed && (b.swizzle != Swizzle::Both || i.b.slot != Slot::Wide)) ||
      (with != 0 && with != truePredicate) || !a.isKnown() || !b.isKnown() || !c.isKnown())
    return warp.fail("HFMA2 with modifiers that are not known");
  const auto fused = [&](int lane, unsigned which) {
    const double product =
        modes.read(a.bits(warp, lane, which)) * modes.read(b.bits(warp, lane, which));
    return std::uint32_t{modes.write(oddSum(product, modes.read(c.bits(warp, lane, which))))};
  };
  if (isShared(i.a) && isShared(i.b) && isShared(i.c)) { // ptxas moves constants by -0 * 0 + c
    const std::uint32_t both = fused(0, 0) | fused(0, 1) << 16;
    return computeLanes(warp, i, lanes, [&](int) { return both; });
  }
  computeHalves(warp, i, lanes, fused);
}

/// The lesser of two, or the greater, as bits; -0 is below +0.
std::uint32_t lesserOrGreater(std::uint32_t a, std::uint32_t b, const FloatFormat& format,
                              bool isLesser, bool keepsNan) {
  const double x = widened(a, format), y = widened(b, format);
  if (x != x || y != y)
    return keepsNan || (x != x && y != y) ? halfNan : x != x ? b : a;
  if (x == y)
    return isLesser ? a | b : a & b;
  return (x < y) == isLesser ? a : b;
}

void choose(Warp& warp, const Instruction& i, LaneMask lanes) {
  const HalfOperand a(i, i.a), b(i, i.b);
  if (hasUnread(i.code, swizzleOfA | bitsFrom(81, 1) | bitsFrom(85, 1) | bitsFrom(87, 4)) ||
      !a.isKnown() || !b.isKnown())
    return warp.fail("HMNMX2 with modifiers that are not known");
  const FloatFormat& format = i.code.bit(85) ? bfloatFormat : halfFormat;
  const LaneMask isLesser = warp.predicateAt(i.code, 87, 90);
  computeHalves(warp, i, lanes, [&](int lane, unsigned which) {
    return lesserOrGreater(a.bits(warp, lane, which), b.bits(warp, lane, which), format,
                           (isLesser >> lane & 1) != 0, i.code.bit(81));
  });
}

/// VHMNMX: the least or the greatest of three.
void chooseOfThree(Warp& warp, const Instruction& i, LaneMask lanes) {
  const HalfOperand a(i, i.a), b(i, i.b);
  HalfOperand c(i, i.c);
  c.swizzle = Swizzle(i.code.bits(76, 2));
  if (hasUnread(i.code, swizzleOfA | bitsFrom(76, 2) | bitsFrom(81, 1) | bitsFrom(83, 3) |
                            bitsFrom(87, 4)) ||
      !a.isKnown() || !b.isKnown() || !c.isKnown())
    return warp.fail("VHMNMX with modifiers that are not known");
  const FloatFormat& format = i.code.bit(85) ? bfloatFormat : halfFormat;
  const LaneMask isLesser = warp.predicateAt(i.code, 87, 90);
  computeHalves(warp, i, lanes, [&](int lane, unsigned which) {
    const auto chosen = [&](std::uint32_t left, std::uint32_t right) {
      return lesserOrGreater(left, right, format, (isLesser >> lane & 1) != 0, i.code.bit(81));
    };
    return chosen(chosen(a.bits(warp, lane, which), b.bits(warp, lane, which)),
                  c.bits(warp, lane, which));
  });
}

/// How both comparisons of HSETP2 and HSET2 went, with the predicate they get.
class HalfComparison {
public:
  HalfComparison(Warp& warp, const Instruction& i, LaneMask lanes)
      : code_(i.code), a_(i, i.a), b_(i, i.second()), comparison_(unsigned(i.code.bits(76, 4))) {
    if (!isKnown())
      return;
    const FloatFormat& format = code_.bit(65) ? bfloatFormat : halfFormat;
    const auto read = [&](const HalfOperand& from, int lane, unsigned which) {
      const std::uint32_t bits = from.bits(warp, lane, which);
      const bool isSubnormal = (bits & format.infinity) == 0;
      return widened(code_.bit(80) && isSubnormal ? bits & halfSign : bits, format);
    };
    for (const unsigned which : {0u, 1u}) {
      const LaneMask outcome = lanesWhere(lanes, [&](int lane) {
        return compares(comparison_, read(a_, lane, which), read(b_, lane, which));
      });
      outcomes[which] =
          combine(unsigned(code_.bits(69, 2)), outcome, warp.predicateAt(code_, 87, 90));
    }
  }
  bool isKnown() const {
    return comparison_ != 0 && comparison_ != 15 && code_.bits(69, 2) != 3 && a_.isKnown() &&
           b_.isKnown() && !code_.bit(64) && code_.bits(66, 3) == 0;
  }

  LaneMask outcomes[2] = {0, 0};

private:
  const Encoding& code_;
  HalfOperand a_, b_;
  unsigned comparison_;
};

constexpr std::uint32_t comparisonBits = swizzleOfA | bitsFrom(76, 5) | bitsFrom(87, 4);

/// A predicate for each half.
void setPredicates(Warp& warp, const Instruction& i, LaneMask lanes) {
  const HalfComparison compared(warp, i, lanes);
  if (!compared.isKnown() || i.code.bit(71)) // .H_AND
    return warp.fail("HSETP2 with modifiers that are not known");
  warp.setPredicate(unsigned(i.code.bits(81, 3)), lanes, compared.outcomes[0]);
  warp.setPredicate(unsigned(i.code.bits(84, 3)), lanes, compared.outcomes[1]);
}

/// All ones for each half, or with .BF the number 1.
void setHalves(Warp& warp, const Instruction& i, LaneMask lanes) {
  const HalfComparison compared(warp, i, lanes);
  if (!compared.isKnown() || hasUnread(i.code, comparisonBits))
    return warp.fail("HSET2 with modifiers that are not known");
  const std::uint32_t one = !i.code.bit(71) ? 0xffff : i.code.bit(65) ? 0x3f80 : 0x3c00;
  computeHalves(warp, i, lanes, [&](int lane, unsigned which) {
    return (compared.outcomes[which] >> lane & 1) != 0 ? one : 0;
  });
}

constexpr HandlerEntry handlers[] = {
    {0x030, add},           {0x031, multiplyAdd}, {0x032, multiply}, {0x033, setHalves},
    {0x034, setPredicates}, {0x035, multiplyAdd}, {0x040, choose},   {0x047, chooseOfThree},
};

} // namespace
} // namespace halves

std::span<const HandlerEntry> halfHandlers() {
  return halves::handlers;
}

} // namespace heddle::sassrun
