// SPDX-License-Identifier: Apache-2.0
//
// Operations on integers and predicates. Each is one function of the operands of a lane. The
// uniform unit has the same operations on its own registers, for the whole warp at once.
#include "sassrun/Handlers.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace heddle::sassrun {
namespace integer {
namespace {

/// What a lane gives to an operation.
struct Inputs {
  std::uint32_t a = 0, b = 0, c = 0;
  std::uint64_t wideC = 0;                           ///< c as a pair of registers
  bool first = false, second = false, third = false; ///< predicates at 87, 77 and 68
};

/// What it gets.
struct Outputs {
  std::uint64_t value = 0;
  bool first = false, second = false; ///< predicates at 81 and 84
};

using Compute = Outputs (*)(const Instruction&, const Inputs&);

enum Writes : unsigned { Value = 1, Pair = 2, First = 4, Second = 8 };

constexpr unsigned multiplyHighCode = 0x027;

/// Operand c of 64 bits; a constant in the instruction has 32 of them.
std::uint64_t wideOperand(const Warp& warp, const Instruction& i, int lane) {
  if (i.c.kind != SourceKind::Immediate)
    return warp.wideValue(i.c, lane);
  return i.code.bit(73) ? std::uint64_t(std::int64_t{std::int32_t(i.c.value)}) : i.c.value;
}

template <Compute compute, unsigned writes>
void onLanes(Warp& warp, const Instruction& i, LaneMask lanes) {
  const LaneMask first = warp.predicateAt(i.code, 87, 90),
                 second = warp.predicateAt(i.code, 77, 80),
                 third = warp.predicateAt(i.code, 68, 71);
  const bool hasWideOperand = (writes & Pair) != 0 || i.code.operation() == multiplyHighCode;
  LaneMask firstOut = 0, secondOut = 0;
  forEachLane(lanes, [&](int lane) {
    const auto holds = [&](LaneMask mask) { return (mask >> lane & 1) != 0; };
    const Outputs made = compute(i, {.a = warp.value(i.a, lane),
                                     .b = warp.value(i.b, lane),
                                     .c = warp.value(i.c, lane),
                                     .wideC = hasWideOperand ? wideOperand(warp, i, lane) : 0,
                                     .first = holds(first),
                                     .second = holds(second),
                                     .third = holds(third)});
    if constexpr ((writes & Pair) != 0)
      warp.setPair(i.result, lane, made.value);
    else if constexpr ((writes & Value) != 0)
      warp.set(i.result, lane, std::uint32_t(made.value));
    firstOut |= LaneMask(made.first) << lane;
    secondOut |= LaneMask(made.second) << lane;
  });
  if constexpr ((writes & First) != 0)
    warp.setPredicate(unsigned(i.code.bits(81, 3)), lanes, firstOut);
  if constexpr ((writes & Second) != 0)
    warp.setPredicate(unsigned(i.code.bits(84, 3)), lanes, secondOut);
}

template <Compute compute, unsigned writes>
void uniformly(Warp& warp, const Instruction& i, LaneMask) {
  const Outputs made = compute(i, {.a = warp.shared(i.a),
                                   .b = warp.shared(i.b),
                                   .c = warp.shared(i.c),
                                   .wideC = wideOperand(warp, i, 0),
                                   .first = warp.uniformPredicateAt(i.code, 87, 90),
                                   .second = warp.uniformPredicateAt(i.code, 77, 80),
                                   .third = warp.uniformPredicateAt(i.code, 68, 71)});
  if constexpr ((writes & (Value | Pair)) != 0)
    warp.setUniform(i.result, std::uint32_t(made.value));
  if constexpr ((writes & Pair) != 0)
    if (i.result != uniformZeroRegister)
      warp.setUniform(i.result + 1U, std::uint32_t(made.value >> 32));
  if constexpr ((writes & First) != 0)
    warp.setUniformPredicate(unsigned(i.code.bits(81, 3)), made.first);
  if constexpr ((writes & Second) != 0)
    warp.setUniformPredicate(unsigned(i.code.bits(84, 3)), made.second);
}

/// As a summand with its carry: the negative of a number is its complement and one.
std::uint64_t summand(std::uint32_t value, bool isNegated, bool isExtended) {
  if (!isNegated)
    return value;
  return std::uint64_t(~value) + (isExtended ? 0 : 1);
}

/// d = a + b + c; `.X` adds what was carried, and has complements for negatives.
Outputs add3(const Instruction& i, const Inputs& in) {
  const bool isExtended = i.code.bit(74);
  std::uint64_t sum = summand(in.a, i.a.isNegated(i.code), isExtended) +
                      summand(in.b, i.b.isNegated(i.code), isExtended) +
                      summand(in.c, i.c.isNegated(i.code), isExtended);
  if (isExtended)
    sum += std::uint64_t(in.first) + std::uint64_t(in.second);
  const std::uint64_t carry = sum >> 32;
  return {sum, carry >= 1, carry >= 2};
}

/// The low word of a product, and a sum.
Outputs multiplyAdd(const Instruction& i, const Inputs& in) {
  const bool isExtended = i.code.bit(74);
  const bool isNegated = i.c.isNegated(i.code);
  const std::uint64_t sum = std::uint64_t(in.a * in.b) + summand(in.c, isNegated, isExtended) +
                            (isExtended ? std::uint64_t(in.first) : 0);
  return {sum, sum >> 32 != 0};
}

/// The product of two words as 64 bits, by the sign bit of the instruction.
std::uint64_t wholeProduct(const Instruction& i, const Inputs& in) {
  if (i.code.bit(73))
    return std::uint64_t(std::int64_t{std::int32_t(in.a)} * std::int32_t(in.b));
  return std::uint64_t{in.a} * in.b;
}

Outputs multiplyAddWide(const Instruction& i, const Inputs& in) {
  const std::uint64_t product = wholeProduct(i, in);
  const std::uint64_t with =
      i.c.isNegated(i.code) ? (i.code.bit(74) ? ~in.wideC : std::uint64_t{0} - in.wideC) : in.wideC;
  const std::uint64_t sum = product + with;
  const std::uint64_t all = sum + (i.code.bit(74) && in.first ? 1 : 0);
  return {all, sum < product || all < sum};
}

Outputs multiplyHigh(const Instruction& i, const Inputs& in) {
  const std::uint64_t product = wholeProduct(i, in);
  const std::uint64_t sum = product + in.wideC;
  return {sum >> 32, sum < product};
}

/// d = (a << n) + b, or the upper word of that with c above a.
Outputs shiftAdd(const Instruction& i, const Inputs& in) {
  const auto shift = unsigned(i.code.bits(75, 5));
  const bool isHigh = i.code.bit(80), isExtended = i.code.bit(74);
  const std::uint32_t upper =
      i.code.bit(73) ? std::uint32_t(std::int32_t(in.a) >> 31) : in.c; // .SX32
  const std::uint64_t shifted = (std::uint64_t{upper} << 32 | in.a) << shift;
  const auto part = std::uint32_t(isHigh ? shifted >> 32 : shifted);
  std::uint64_t sum = summand(part, i.code.bit(72), isExtended) +
                      summand(in.b, i.b.slot == Slot::Wide && i.b.isNegated(i.code), isExtended);
  if (isExtended)
    sum += std::uint64_t(in.first);
  return {sum, sum >> 32 != 0};
}

std::uint32_t lookUp(unsigned table, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  std::uint32_t result = 0;
  for (unsigned row = 0; row < 8; ++row)
    if ((table >> row & 1) != 0)
      result |= ((row & 4) != 0 ? a : ~a) & ((row & 2) != 0 ? b : ~b) & ((row & 1) != 0 ? c : ~c);
  return result;
}

Outputs logic(const Instruction& i, const Inputs& in) {
  const std::uint32_t made = lookUp(unsigned(i.code.bits(72, 8)), in.a, in.b, in.c);
  const bool some = made != 0;
  return {made, i.code.bit(80) ? some && in.first : some || in.first};
}

/// Shifts of a word or two: c is above a.
Outputs shift(const Instruction& i, const Inputs& in) {
  const auto type = unsigned(i.code.bits(73, 2)); // 0: S64, 1: U64, 2: S32, 3: U32
  const bool isWide = type < 2, isSigned = type == 0 || type == 2;
  const unsigned most = isWide ? 64 : 32;
  const unsigned by = i.code.bit(75) ? in.b % most : std::min(in.b, most);
  const std::uint64_t both = std::uint64_t{in.c} << 32 | in.a;
  std::uint64_t made = 0;
  if (i.code.bit(76))
    made = isSigned ? std::uint64_t(std::int64_t(both) >> std::min(by, 63U))
                    : (by < 64 ? both >> by : 0);
  else
    made = by < 64 ? both << by : 0;
  return {i.code.bit(80) ? made >> 32 : made};
}

/// Four bytes of two words, chosen by nibbles; the highest bit of one repeats the byte's sign.
Outputs permute(const Instruction& i, const Inputs& in) {
  const std::uint64_t bytes = std::uint64_t{in.c} << 32 | in.a;
  const auto mode = unsigned(i.code.bits(72, 3));
  std::uint32_t made = 0;
  for (unsigned at = 0; at < 4; ++at) {
    const unsigned low = in.b & 3; // modes have selectors of two bits
    unsigned from = 0;
    bool repeatsSign = false;
    switch (mode) {
    case 0:
      from = in.b >> (4 * at) & 7;
      repeatsSign = (in.b >> (4 * at) & 8) != 0;
      break;
    case 1: // F4E
      from = low + at;
      break;
    case 2: // B4E
      from = (low + 8 - at) & 7;
      break;
    case 3: // RC8
      from = low;
      break;
    case 4: // ECL
      from = std::max(at, low);
      break;
    case 5: // ECR
      from = std::min(at, low);
      break;
    default: // RC16
      from = 2 * (in.b & 1) + (at & 1);
      break;
    }
    auto byte = std::uint32_t(bytes >> (8 * from) & 0xff);
    if (repeatsSign)
      byte = (byte & 0x80) != 0 ? 0xff : 0;
    made |= byte << (8 * at);
  }
  return {made};
}

Outputs select(const Instruction& i, const Inputs& in) {
  const bool isC = &i.second() == &i.c;
  return {in.first ? in.a : isC ? in.c : in.b};
}

Outputs move(const Instruction&, const Inputs& in) {
  return {in.b};
}

Outputs countBits(const Instruction& i, const Inputs& in) {
  return {std::uint64_t(
      std::popcount(i.code.bit(63) && i.b.kind != SourceKind::Immediate ? ~in.b : in.b))};
}

/// The number of the highest set bit; of a signed number the highest that is not its sign.
Outputs findHighest(const Instruction& i, const Inputs& in) {
  std::uint32_t value = i.b.isNegated(i.code) ? ~in.b : in.b;
  if (i.code.bit(73) && (value >> 31) != 0)
    value = ~value;
  if (value == 0)
    return {0xffffffffU, false};
  const auto leading = std::uint32_t(std::countl_zero(value));
  return {i.code.bit(74) ? leading : 31 - leading, true};
}

Outputs reverse(const Instruction&, const Inputs& in) {
  std::uint32_t made = 0;
  for (unsigned bit = 0; bit < 32; ++bit)
    made |= (in.b >> bit & 1) << (31 - bit);
  return {made};
}

Outputs absolute(const Instruction&, const Inputs& in) {
  return {std::int32_t(in.b) < 0 ? 0 - in.b : in.b};
}

/// The low bits of a, as a signed or unsigned number.
Outputs extend(const Instruction& i, const Inputs& in) {
  const unsigned width = i.code.bit(75) ? in.b % 32 : std::min(in.b, 32U);
  if (width == 0)
    return {0};
  const unsigned left = 32 - width;
  if (i.code.bit(73))
    return {std::uint32_t(std::int32_t(in.a << left) >> left)};
  return {in.a << left >> left};
}

/// So many bits from a place on.
Outputs makeMask(const Instruction& i, const Inputs& in) {
  const bool wraps = i.code.bit(75);
  const unsigned from = wraps ? in.a % 32 : std::min(in.a, 32U);
  const unsigned width = wraps ? in.b % 32 : std::min(in.b, 32U);
  const std::uint64_t bits = (std::uint64_t{1} << width) - 1;
  return {std::uint32_t(bits << from)};
}

bool compare(unsigned how, bool isLess, bool isEqual) {
  switch (how) {
  case 1:
    return isLess;
  case 2:
    return isEqual;
  case 3:
    return isLess || isEqual;
  case 4:
    return !isLess && !isEqual;
  case 5:
    return !isEqual;
  case 6:
    return !isLess;
  default:
    return how == 7;
  }
}

bool combineOne(unsigned how, bool outcome, bool with) {
  return how == 0 ? outcome && with : how == 1 ? outcome || with : outcome != with;
}

/// `.EX` compares upper words, and goes by the outcome of the lower ones where they are equal.
Outputs setPredicate(const Instruction& i, const Inputs& in) {
  const auto how = unsigned(i.code.bits(76, 3)), combination = unsigned(i.code.bits(74, 2));
  const std::uint32_t b = &i.second() == &i.c ? in.c : in.b;
  const bool isLess = i.code.bit(73) ? std::int32_t(in.a) < std::int32_t(b) : in.a < b;
  const bool isEqual = in.a == b;
  bool outcome = compare(how, isLess, isEqual);
  if (i.code.bit(72)) {
    if (how == 2)
      outcome = isEqual && in.third;
    else if (how == 5)
      outcome = !isEqual || in.third;
    else if (isEqual)
      outcome = in.third;
  }
  return {0, combineOne(combination, outcome, in.first),
          combineOne(combination, !outcome, in.first)};
}

Outputs vectorAdd(const Instruction& i, const Inputs& in) {
  const bool isNegated = i.second().isNegated(i.code);
  const std::uint32_t b = &i.second() == &i.c ? in.c : in.b;
  if (!i.code.bit(73))
    return {isNegated ? in.a - b : in.a + b};
  const auto half = [&](unsigned at) {
    const std::uint32_t x = in.a >> at & 0xffff, y = b >> at & 0xffff;
    return ((isNegated ? x - y : x + y) & 0xffff) << at;
  };
  return {half(0) | half(16)};
}

/// The smaller or larger of two, as words or as two halves: 72 for signs, 73 for halves.
std::uint32_t extremum(const Instruction& i, std::uint32_t x, std::uint32_t y, bool wantsLess) {
  const bool isSigned = i.code.bit(72);
  const auto choose = [&](std::int64_t left, std::int64_t right) {
    return wantsLess ? std::min(left, right) : std::max(left, right);
  };
  if (!i.code.bit(73))
    return isSigned ? std::uint32_t(choose(std::int32_t(x), std::int32_t(y)))
                    : std::uint32_t(choose(x, y));
  std::uint32_t made = 0;
  for (const unsigned at : {0U, 16U}) {
    const std::uint32_t left = x >> at & 0xffff, right = y >> at & 0xffff;
    const std::int64_t found =
        isSigned ? choose(std::int16_t(left), std::int16_t(right)) : choose(left, right);
    made |= (std::uint32_t(found) & 0xffff) << at;
  }
  return made;
}

std::uint32_t notNegative(const Instruction& i, std::uint32_t value) {
  return i.code.bit(76) && std::int32_t(value) < 0 ? 0 : value; // .RELU
}

Outputs minimum(const Instruction& i, const Inputs& in) {
  const std::uint32_t b = &i.second() == &i.c ? in.c : in.b;
  return {extremum(i, in.a, b, in.first)};
}

Outputs minimumOfThree(const Instruction& i, const Inputs& in) {
  return {notNegative(i, extremum(i, extremum(i, in.a, in.b, in.first), in.c, in.first))};
}

Outputs addMinimum(const Instruction& i, const Inputs& in) {
  const std::uint32_t sum = i.b.isNegated(i.code) ? in.a - in.b : in.a + in.b;
  return {notNegative(i, extremum(i, sum, in.c, in.first))};
}

/// The products of four bytes each, added up.
Outputs dotProduct(const Instruction& i, const Inputs& in) {
  std::uint32_t sum = in.c;
  for (unsigned at = 0; at < 32; at += 8) {
    const std::uint32_t x = in.a >> at & 0xff, y = in.b >> at & 0xff;
    const int left = i.code.bit(73) ? std::int8_t(x) : int(x);
    const int right = i.code.bit(74) ? std::int8_t(y) : int(y);
    sum += std::uint32_t(left * right);
  }
  return {sum};
}

Outputs absoluteDifference(const Instruction& i, const Inputs& in) {
  const std::int64_t distance = i.code.bit(73)
                                    ? std::int64_t{std::int32_t(in.a)} - std::int32_t(in.b)
                                    : std::int64_t{in.a} - in.b;
  return {std::uint32_t(distance < 0 ? -distance : distance) + in.c};
}

Outputs byteDifferences(const Instruction& i, const Inputs& in) {
  std::uint32_t bytes = 0, sum = in.c;
  for (unsigned at = 0; at < 32; at += 8) {
    const int x = int(in.a >> at & 0xff), y = int(in.b >> at & 0xff);
    const auto distance = std::uint32_t(std::abs(x - y));
    bytes |= distance << at;
    sum += distance;
  }
  return {i.code.bit(75) ? sum : bytes + in.c};
}

unsigned predicateTable(const Encoding& code) {
  return unsigned(code.bits(64, 3) | code.bits(72, 5) << 3);
}

Outputs predicateLogic(const Instruction& i, const Inputs& in) {
  const unsigned row = (in.first ? 4U : 0U) | (in.second ? 2U : 0U) | (in.third ? 1U : 0U);
  return {0, (predicateTable(i.code) >> row & 1) != 0, (i.code.bits(16, 8) >> row & 1) != 0};
}

/// One of its predicates may be a uniform one.
void predicateLogicOfLanes(Warp& warp, const Instruction& i, LaneMask lanes) {
  if (!i.code.bit(67))
    return onLanes < predicateLogic, First | Second > (warp, i, lanes);
  const bool third = warp.uniformPredicateAt(i.code, 68, 71);
  const LaneMask first = warp.predicateAt(i.code, 87, 90),
                 second = warp.predicateAt(i.code, 77, 80);
  LaneMask firstOut = 0, secondOut = 0;
  forEachLane(lanes, [&](int lane) {
    const Outputs made = predicateLogic(
        i,
        {.first = (first >> lane & 1) != 0, .second = (second >> lane & 1) != 0, .third = third});
    firstOut |= LaneMask(made.first) << lane;
    secondOut |= LaneMask(made.second) << lane;
  });
  warp.setPredicate(unsigned(i.code.bits(81, 3)), lanes, firstOut);
  warp.setPredicate(unsigned(i.code.bits(84, 3)), lanes, secondOut);
}

/// Predicates into a byte of a register: P2R R1, PR, R2, mask.
void predicatesToRegister(Warp& warp, const Instruction& i, LaneMask lanes) {
  const auto at = unsigned(i.code.bits(76, 2)) * 8;
  forEachLane(lanes, [&](int lane) {
    std::uint32_t bits = 0;
    for (unsigned predicate = 0; predicate < truePredicate; ++predicate)
      bits |= (warp.predicate(predicate) >> lane & 1) << predicate;
    const std::uint32_t mask = warp.value(i.b, lane) & 0x7f;
    warp.set(i.result, lane, (warp.value(i.a, lane) & ~(mask << at)) | ((bits & mask) << at));
  });
}

void registerToPredicates(Warp& warp, const Instruction& i, LaneMask lanes) {
  const auto at = unsigned(i.code.bits(76, 2)) * 8;
  for (unsigned predicate = 0; predicate < truePredicate; ++predicate) {
    const LaneMask wanted =
        lanesWhere(lanes, [&](int lane) { return (warp.value(i.b, lane) >> predicate & 1) != 0; });
    const LaneMask set = lanesWhere(
        lanes, [&](int lane) { return (warp.value(i.a, lane) >> at >> predicate & 1) != 0; });
    warp.setPredicate(predicate, wanted, set);
  }
}

constexpr HandlerEntry integers[] = {
    {0x002, onLanes<move, Value>},
    {0x003, predicatesToRegister},
    {0x004, registerToPredicates},
    {0x007, onLanes<select, Value>},
    {0x00c, onLanes<setPredicate, First | Second>},
    {0x00f, onLanes<minimumOfThree, Value>},
    {0x010, onLanes<add3, Value | First | Second>},
    {0x011, onLanes<shiftAdd, Value | First>},
    {0x012, onLanes<logic, Value | First>},
    {0x013, onLanes<absolute, Value>},
    {0x014, onLanes<absoluteDifference, Value>},
    {0x015, onLanes<byteDifferences, Value>},
    {0x016, onLanes<permute, Value>},
    {0x017, onLanes<minimum, Value>},
    {0x019, onLanes<shift, Value>},
    {0x01a, onLanes<extend, Value>},
    {0x01b, onLanes<makeMask, Value>},
    {0x01c, predicateLogicOfLanes},
    {0x024, onLanes<multiplyAdd, Value | First>},
    {0x025, onLanes<multiplyAddWide, Value | Pair | First>},
    {0x026, onLanes<dotProduct, Value>},
    {0x027, onLanes<multiplyHigh, Value | First>},
    {0x036, onLanes<vectorAdd, Value>},
    {0x046, onLanes<addMinimum, Value>},
    {0x048, onLanes<minimum, Value>},
    {0x100, onLanes<findHighest, Value | First>},
    {0x101, onLanes<reverse, Value>},
    {0x109, onLanes<countBits, Value>},
};

constexpr HandlerEntry uniforms[] = {
    {0x082, uniformly<move, Value>},
    {0x087, uniformly<select, Value>},
    {0x08c, uniformly<setPredicate, First | Second>},
    {0x090, uniformly<add3, Value | First | Second>},
    {0x091, uniformly<shiftAdd, Value | First>},
    {0x092, uniformly<logic, Value | First>},
    {0x096, uniformly<permute, Value>},
    {0x099, uniformly<shift, Value>},
    {0x09a, uniformly<extend, Value>},
    {0x09b, uniformly<makeMask, Value>},
    {0x09c, uniformly<predicateLogic, First | Second>},
    {0x0a4, uniformly<multiplyAdd, Value | First>},
    {0x0a5, uniformly<multiplyAddWide, Value | Pair | First>},
    {0x0bd, uniformly<findHighest, Value | First>},
    {0x0be, uniformly<reverse, Value>},
    {0x0bf, uniformly<countBits, Value>},
};

} // namespace
} // namespace integer

std::span<const HandlerEntry> integerHandlers() {
  return integer::integers;
}
std::span<const HandlerEntry> uniformHandlers() {
  return integer::uniforms;
}

} // namespace heddle::sassrun
