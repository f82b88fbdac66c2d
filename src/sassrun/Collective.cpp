// SPDX-License-Identifier: Apache-2.0
//
// What lanes of a warp do together, and what a thread may ask about itself.
#include "sassrun/Block.h"
#include "sassrun/Handlers.h"
#include "sassrun/Spaces.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

namespace heddle::sassrun {
namespace collective {
namespace {

/// How a vote ends: 0 all, 1 any, 2 all alike.
bool outcomeOf(unsigned how, LaneMask votes, LaneMask voters) {
  return how == 0 ? votes == voters : how == 1 ? votes != 0 : votes == 0 || votes == voters;
}

void vote(Warp& warp, const Instruction& i, LaneMask lanes) {
  const LaneMask votes = warp.predicateAt(i.code, 87, 90) & lanes;
  const bool outcome = outcomeOf(unsigned(i.code.bits(72, 2)), votes, lanes);
  forEachLane(lanes, [&](int lane) { warp.set(i.result, lane, votes); });
  warp.setPredicate(unsigned(i.code.bits(81, 3)), lanes, outcome ? allLanes : 0);
}

void voteUniform(Warp& warp, const Instruction& i, LaneMask) {
  const LaneMask lanes = warp.active();
  const LaneMask votes = warp.predicateAt(i.code, 87, 90) & lanes;
  warp.setUniform(i.result, votes);
  warp.setUniformPredicate(unsigned(i.code.bits(81, 3)),
                           outcomeOf(unsigned(i.code.bits(72, 2)), votes, lanes));
}

/// Where the operands of a shuffle stand depends on which of them are constants.
std::uint32_t shuffledLane(const Warp& warp, const Encoding& code, int lane) {
  const bool isConstant = code.form() == 4 || code.form() == 7;
  return isConstant ? std::uint32_t(code.bits(53, 5)) : warp.get(unsigned(code.bits(32, 8)), lane);
}
std::uint32_t shuffleBounds(const Warp& warp, const Encoding& code, int lane) {
  const bool isConstant = code.form() == 2 || code.form() == 7;
  return isConstant ? std::uint32_t(code.bits(40, 13)) : warp.get(unsigned(code.bits(64, 8)), lane);
}

void shuffle(Warp& warp, const Instruction& i, LaneMask lanes) {
  const auto mode = unsigned(i.code.bits(58, 2)); // 0: index, 1: up, 2: down, 3: butterfly
  Warp::Row results{};
  const LaneMask inside = lanesWhere(lanes, [&](int lane) {
    const int by = int(shuffledLane(warp, i.code, lane) & 31);
    const std::uint32_t bounds = shuffleBounds(warp, i.code, lane);
    const int clamp = int(bounds & 31), segment = int(bounds >> 8 & 31);
    const int last = (lane & segment) | (clamp & ~segment), first = lane & segment;
    int from = mode == 0   ? first | (by & ~segment)
               : mode == 1 ? lane - by
               : mode == 2 ? lane + by
                           : lane ^ by;
    const bool isInside = mode == 1 ? from >= last : from <= last;
    from = isInside ? from : lane;
    results[std::size_t(lane)] = warp.get(i.a.index, from & 31);
    return isInside;
  });
  forEachLane(lanes, [&](int lane) { warp.set(i.result, lane, results[std::size_t(lane)]); });
  warp.setPredicate(unsigned(i.code.bits(81, 3)), lanes, inside);
}

void match(Warp& warp, const Instruction& i, LaneMask lanes) {
  const bool isWide = i.code.bit(73), isAny = i.code.bit(79);
  const auto valueOf = [&](int lane) {
    return isWide ? warp.getPair(i.a.index, lane) : std::uint64_t{warp.get(i.a.index, lane)};
  };
  Warp::Row results{};
  forEachLane(lanes, [&](int lane) {
    results[std::size_t(lane)] =
        lanesWhere(lanes, [&](int other) { return valueOf(other) == valueOf(lane); });
  });
  const bool all = results[std::size_t(std::countr_zero(lanes))] == lanes;
  forEachLane(lanes, [&](int lane) {
    warp.set(i.result, lane, isAny || all ? results[std::size_t(lane)] : 0);
  });
  if (!isAny)
    warp.setPredicate(unsigned(i.code.bits(81, 3)), lanes, all ? allLanes : 0);
}

std::uint32_t reduceTwo(unsigned how, bool isSigned, std::uint32_t x, std::uint32_t y) {
  switch (how) {
  case 0:
    return x & y;
  case 1:
    return x | y;
  case 2:
    return x ^ y;
  case 3:
    return x + y;
  default: {
    const bool isLess = isSigned ? std::int32_t(x) < std::int32_t(y) : x < y;
    return isLess == (how == 4) ? x : y;
  }
  }
}

void reduce(Warp& warp, const Instruction& i, LaneMask lanes) {
  const auto how = unsigned(i.code.bits(78, 3));
  if (how > 5)
    return warp.fail("REDUX of a kind that is not known");
  std::optional<std::uint32_t> sum;
  forEachLane(lanes, [&](int lane) {
    const std::uint32_t value = warp.get(i.a.index, lane);
    sum = sum ? reduceTwo(how, i.code.bit(73), *sum, value) : value;
  });
  warp.setUniform(i.result & uniformZeroRegister, sum.value_or(0));
}

/// The one that the hardware chooses of the lanes that are here: it says so to the warp.
void elect(Warp& warp, const Instruction& i, LaneMask lanes) {
  const int leader = std::countr_zero(lanes);
  warp.setUniform(i.result & uniformZeroRegister, std::uint32_t(leader));
  warp.setPredicate(unsigned(i.code.bits(81, 3)), lanes, LaneMask{1} << leader);
}

/// The first lane's value for the warp; the predicate says which lanes have the same.
void registerToUniform(Warp& warp, const Instruction& i, LaneMask lanes) {
  const std::uint32_t value = warp.get(i.a.index, std::countr_zero(lanes));
  warp.setUniform(i.result & uniformZeroRegister, value);
  warp.setPredicate(unsigned(i.code.bits(81, 3)), lanes, lanesWhere(lanes, [&](int lane) {
                      return warp.get(i.a.index, lane) == value;
                    }));
}

/// Numbers of special registers.
enum Special : unsigned {
  LaneId = 0x00,
  VirtualCfg = 0x02,
  VirtualId = 0x03,
  ThreadX = 0x21,
  ThreadY = 0x22,
  ThreadZ = 0x23,
  BlockX = 0x25,
  BlockY = 0x26,
  BlockZ = 0x27,
  SharedWindowHigh = 0x2f,
  EqualMask = 0x38,
  LessMask = 0x39,
  LessEqualMask = 0x3a,
  GreaterMask = 0x3b,
  GreaterEqualMask = 0x3c,
  VirtualSm = 0x43,
  ClockLow = 0x50,
  ClockHigh = 0x51,
  TimerLow = 0x52,
  TimerHigh = 0x53,
  ClusterBlock = 0x88,
  Zero = 0xff,
};

std::optional<std::uint32_t> specialOf(Warp& warp, unsigned number, int lane) {
  const LaneMask self = LaneMask{1} << lane;
  const LaneMask above = lane == warpSize - 1 ? 0 : allLanes << (lane + 1);
  Block& block = warp.block();
  switch (number) {
  case LaneId:
    return lane;
  case ThreadX:
  case ThreadY:
  case ThreadZ:
    return block.threadAt(warp.number(), lane)[number - ThreadX];
  case BlockX:
  case BlockY:
  case BlockZ:
    return block.place()[number - BlockX];
  case SharedWindowHigh:
    return sharedWindow;
  case EqualMask:
    return self;
  case LessMask:
    return self - 1;
  case LessEqualMask:
    return ~above;
  case GreaterMask:
    return above;
  case GreaterEqualMask:
    return above | self;
  case VirtualSm:
    return 0;
  case ClockLow:
  case TimerLow:
    return std::uint32_t(warp.executed());
  case ClockHigh:
  case TimerHigh:
    return std::uint32_t(warp.executed() >> 32);
  case ClusterBlock:
  case Zero:
    return 0;
  default:
    return {};
  }
}

unsigned specialNumber(const Instruction& i) {
  return unsigned(i.code.bits(72, 8));
}

void unknownSpecial(Warp& warp, const Instruction& i) {
  warp.fail(fmt::format("special register {:#x} is not known", specialNumber(i)));
}

void special(Warp& warp, const Instruction& i, LaneMask lanes) {
  forEachLane(lanes, [&](int lane) {
    if (const auto value = specialOf(warp, specialNumber(i), lane))
      warp.set(i.result, lane, *value);
    else
      unknownSpecial(warp, i);
  });
}

/// Two registers where bit 80 is set; SRZ is what clears them.
void specialPair(Warp& warp, const Instruction& i, LaneMask lanes) {
  forEachLane(lanes, [&](int lane) {
    const auto value = specialOf(warp, specialNumber(i), lane);
    if (!value)
      return unknownSpecial(warp, i);
    if (i.code.bit(80))
      warp.setPair(i.result, lane, *value);
    else
      warp.set(i.result, lane, *value);
  });
}

void specialUniform(Warp& warp, const Instruction& i, LaneMask lanes) {
  if (const auto value = specialOf(warp, specialNumber(i), std::countr_zero(lanes)))
    warp.setUniform(i.result & uniformZeroRegister, *value);
  else
    unknownSpecial(warp, i);
}

/// What the last reduction at a barrier has found.
void barrierResult(Warp& warp, const Instruction& i, LaneMask lanes) {
  const Block::Reduction& found = warp.block().reduction();
  const bool outcome = found.how == 1 ? found.votes == found.voters : found.votes > 0;
  forEachLane(lanes, [&](int lane) {
    warp.set(i.result, lane, found.how == 0 ? std::uint32_t(found.votes) : outcome ? ~0U : 0U);
  });
  warp.setPredicate(unsigned(i.code.bits(81, 3)), lanes, outcome ? allLanes : 0);
}

/// The address of code, as a distance from the next instruction.
void codeAddress(Warp& warp, const Instruction& i, LaneMask lanes) {
  const std::uint64_t distance = i.code.bits(34, 48) << 8 | i.code.bits(24, 8);
  const std::uint64_t address =
      i.address + instructionBytes + std::uint64_t(std::int64_t(distance << 8) >> 8);
  forEachLane(lanes, [&](int lane) { warp.setPair(i.result, lane, address); });
}

constexpr HandlerEntry handlers[] = {
    {0x005, specialPair},       {0x006, vote},    {0x02f, elect},          {0x086, voteUniform},
    {0x0ca, registerToUniform}, {0x119, special}, {0x11c, barrierResult},  {0x14e, codeAddress},
    {0x189, shuffle},           {0x1a1, match},   {0x1c3, specialUniform}, {0x1c4, reduce},
};

} // namespace
} // namespace collective

std::span<const HandlerEntry> warpHandlers() {
  return collective::handlers;
}

} // namespace heddle::sassrun
