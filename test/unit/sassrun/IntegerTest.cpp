// SPDX-License-Identifier: Apache-2.0
//
// Operations on integers and predicates against plain C++. Encodings are ptxas's; registers are
// renamed, so that no operand is the result: R0 = R2 op R4 op R6.
#include "Assemble.h"

#include "support/SplitMix64.h"

#include <bit>
#include <functional>

namespace heddle::sassrun {
namespace {

struct In {
  std::uint32_t a = 0, b = 0, c = 0;
  std::uint64_t wideC = 0;
  bool p[truePredicate] = {};
};

struct Want {
  std::uint64_t value = 0;
  std::optional<bool> first = {}, second = {}; ///< predicates at 81 and 84
};

/// A register or RZ; a constant in the instruction becomes a register.
Encoding renamed(Encoding code) {
  if (code.form() >= 4)
    code = with(with(code, 32, 32, 0), 9, 3, 1);
  code = guarded(truePredicate, code);
  const bool isComparison = code.operation() == 0x00c; // has a predicate in the place of c
  for (const auto& [first, index] : {std::pair{16U, 0U}, {24U, 2U}, {32U, 4U}, {64U, 6U}})
    if (first == 32 || (code.bits(first, 8) != zeroRegister && !(first == 64 && isComparison)))
      code = with(code, first, 8, index);
  return code;
}

class Values {
public:
  std::uint32_t next() {
    constexpr std::uint32_t edges[] = {
        0,      1,       2,          3,          7,          8,          15,
        16,     30,      31,         32,         33,         62,         63,
        64,     65,      0x7f,       0x80,       0xff,       0x7fff,     0x8000,
        0xffff, 0x10000, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
    const std::uint64_t bits = random_.next();
    return (bits >> 60) < 8 ? edges[(bits >> 32) % std::size(edges)] : std::uint32_t(bits);
  }
  std::uint64_t bits() { return random_.next(); }

private:
  SplitMix64 random_{20};
};

bool holds(LaneMask mask, int lane) {
  return (mask >> lane & 1) != 0;
}

In inputOf(const Bench& bench, Warp& warp, int lane) {
  const Instruction& i = bench.at(0);
  In in{.a = warp.value(i.a, lane),
        .b = warp.value(i.b, lane),
        .c = warp.get(i.c.index, lane),
        .wideC = warp.getPair(i.c.index, lane)};
  for (unsigned p = 0; p < truePredicate; ++p)
    in.p[p] = holds(warp.predicate(p), lane);
  return in;
}

std::string textOf(const In& in) {
  return fmt::format("a {:#x}, b {:#x}, c {:#x}", in.a, in.b, in.wideC);
}

void expectPredicate(const Warp& warp, unsigned index, int lane, const In& given,
                     std::optional<bool> wanted) {
  if (wanted) {
    EXPECT_EQ(holds(warp.predicate(index), lane), *wanted)
        << "P" << index << " of " << textOf(given);
  }
}

enum class Result { Word, Pair, None };

void compare(const std::string& text, const Encoding& code,
             const std::function<Want(const In&)>& want, Result result = Result::Word,
             bool renames = true) {
  SCOPED_TRACE(text);
  Bench bench({renames ? renamed(code) : code});
  Warp& warp = bench.warp();
  Values values;
  for (int round = 0; round < 60 && !testing::Test::HasFailure(); ++round) {
    for (unsigned index = 0; index < 8; ++index)
      for (int lane = 0; lane < warpSize; ++lane)
        warp.set(index, lane, values.next());
    for (unsigned p = 0; p < truePredicate; ++p)
      warp.setPredicate(p, allLanes, LaneMask(values.bits()));
    std::array<In, warpSize> in;
    for (int lane = 0; lane < warpSize; ++lane)
      in[std::size_t(lane)] = inputOf(bench, warp, lane);
    bench.execute(0);
    for (int lane = 0; lane < warpSize; ++lane) {
      const In& given = in[std::size_t(lane)];
      const Want wanted = want(given);
      if (result != Result::None) {
        EXPECT_EQ(result == Result::Pair ? warp.getPair(0, lane) : warp.get(0, lane),
                  result == Result::Pair ? wanted.value : std::uint32_t(wanted.value))
            << textOf(given);
      }
      expectPredicate(warp, unsigned(code.bits(81, 3)), lane, given, wanted.first);
      expectPredicate(warp, unsigned(code.bits(84, 3)), lane, given, wanted.second);
    }
  }
}

std::uint64_t both(std::uint32_t high, std::uint32_t low) {
  return std::uint64_t{high} << 32 | low;
}

TEST(SassrunInteger, SumsOfThreeCarryTwice) {
  compare("IADD3 R12, P0, P1, R7, R4, R3", {0x00000004070c7210, 0x001fc8000791e003},
          [](const In& in) {
            const std::uint64_t sum = std::uint64_t{in.a} + in.b + in.c;
            return Want{sum, sum >> 32 >= 1, sum >> 32 >= 2};
          });
  compare("IADD3.X R23, R7, R5, R23, P1, P0", {0x0000000507177210, 0x000fe20000fe0417},
          [](const In& in) { return Want{in.a + in.b + in.c + in.p[0] + in.p[1]}; });
  compare("IADD3.X R35, P2, R13, R35, RZ, P1, !PT", {0x000000230d238210, 0x000fe40000f5e4ff},
          [](const In& in) {
            const std::uint64_t sum = std::uint64_t{in.a} + in.b + in.p[1];
            return Want{sum, sum >> 32 != 0};
          });
}

TEST(SassrunInteger, DifferencesBorrow) {
  compare("IADD3 R15, P0, R4, -R12, RZ", {0x8000000c040f7210, 0x020fca0007f1e0ff},
          [](const In& in) { return Want{in.a - in.b, in.a >= in.b}; });
  compare("IADD3.X R15, R5, ~R3, RZ, P0, !PT", {0x80000003050f7210, 0x000fe200007fe4ff},
          [](const In& in) { return Want{in.a - in.b - !in.p[0]}; });
  compare("IADD3.X R9, ~R3, R9, RZ, P1, !PT", {0x0000000903098210, 0x000fe20000ffe5ff},
          [](const In& in) { return Want{in.b - in.a - !in.p[1]}; });
  compare("IADD3 R22, P0, P1, R22, -R3, -R2", {0x8000000316167210, 0x000fe4000791e802},
          [](const In& in) { return Want{in.a - in.b - in.c}; });
  compare("IADD3 R5, -R0, 0x7f, R5", {0x0000007f00057810, 0x000fc80007ffe105},
          [](const In& in) { return Want{in.b + in.c - in.a}; });
}

TEST(SassrunInteger, Products) {
  compare("IMAD R11, R4, R10, R11", {0x0000000a040b7224, 0x000fca00078e020b},
          [](const In& in) { return Want{in.a * in.b + in.c}; });
  compare("IMAD R9, R0, 0x2, -R9", {0x0000000200097824, 0x000fc800078e0a09},
          [](const In& in) { return Want{in.a * in.b - in.c}; });
  compare("IMAD.X R5, R5, 0x1, R7, P0", {0x0000000105057824, 0x000fe200000e0607},
          [](const In& in) { return Want{in.a * in.b + in.c + in.p[0]}; });
  compare(
      "IMAD.WIDE R2, R5, R8, R2", {0x0000000805027225, 0x000fc600078e0202},
      [](const In& in) {
        return Want{std::uint64_t(std::int64_t{std::int32_t(in.a)} * std::int32_t(in.b)) +
                    in.wideC};
      },
      Result::Pair);
  compare(
      "IMAD.WIDE.U32 R16, P3, R13, 0x2168c235, R16", {0x2168c2350d107825, 0x000fc80007860010},
      [](const In& in) {
        const auto sum = static_cast<unsigned __int128>(std::uint64_t{in.a} * in.b) + in.wideC;
        return Want{std::uint64_t(sum), (sum >> 64) != 0};
      },
      Result::Pair);
  compare(
      "IMAD.WIDE.U32.X R28, R3, R29, R26, P0", {0x0000001d031c7225, 0x000fe200000e041a},
      [](const In& in) { return Want{std::uint64_t{in.a} * in.b + in.wideC + in.p[0]}; },
      Result::Pair);
  compare("IMAD.HI R24, R7, R2, RZ", {0x0000000207187227, 0x000fc400078e02ff}, [](const In& in) {
    return Want{std::uint64_t(std::int64_t{std::int32_t(in.a)} * std::int32_t(in.b)) >> 32};
  });
  compare("IMAD.HI.U32 R8, P1, R7, R11, R8", {0x0000000b07087227, 0x000fc80007820008},
          [](const In& in) {
            const auto sum = static_cast<unsigned __int128>(std::uint64_t{in.a} * in.b) + in.wideC;
            return Want{std::uint64_t(sum) >> 32, (sum >> 64) != 0};
          });
}

TEST(SassrunInteger, AddressesByShiftAndSum) {
  compare("LEA R2, P0, R0, R2, 0x2", {0x0000000200027211, 0x002fd000078010ff}, [](const In& in) {
    const std::uint64_t sum = std::uint64_t{in.a << 2} + in.b;
    return Want{sum, sum >> 32 != 0};
  });
  compare("LEA R16, -R13, RZ, 0x1", with({0x000000ff0d107211, 0x000fe400078e09ff}, 32, 8, 0),
          [](const In& in) { return Want{in.b - (in.a << 1)}; });
  compare("LEA R12, R12, -R11, 0x17", {0x8000000b0c0c7211, 0x004fc600078eb8ff},
          [](const In& in) { return Want{(in.a << 23) - in.b}; });
  compare("LEA.HI R10, P0, R10, R11, RZ, 0xa", {0x0000000b0a0a7211, 0x000fe400078150ff},
          [](const In& in) {
            const std::uint64_t sum = std::uint64_t{in.a >> 22} + in.b;
            return Want{sum, sum >> 32 != 0};
          });
  compare("LEA.HI.X R11, R11, R3, R12, 0x3, P0", {0x000000030b0b7211, 0x000fca00000f1c0c},
          [](const In& in) { return Want{(both(in.c, in.a) << 3 >> 32) + in.b + in.p[0]}; });
  compare("LEA.HI.X.SX32 R11, R0, R11, 0x1, P0", {0x0000000b000b9211, 0x000fca00000f0eff},
          [](const In& in) { return Want{(in.a >> 31 ? ~std::uint32_t{0} : 0) + in.b + in.p[0]}; });
  compare("LEA.HI.SX32 R0, R11, R0, 0x1e", {0x000000000b00a211, 0x000fc400078ff2ff},
          [](const In& in) { return Want{std::uint32_t(std::int32_t(in.a) >> 2) + in.b}; });
}

/// A shift, bit by bit: what comes from outside is zero or the sign.
std::uint32_t shifted(const In& in, bool isRight, bool wraps, bool isSigned, unsigned width,
                      bool isHigh) {
  const unsigned by = wraps ? in.b % width : std::min(in.b, width);
  const std::uint64_t from = both(in.c, in.a);
  std::uint32_t made = 0;
  for (int bit = 0; bit < 32; ++bit) {
    const int place = bit + (isHigh ? 32 : 0) + (isRight ? int(by) : -int(by));
    const bool outside = isSigned && isRight && from >> 63 != 0;
    made |= std::uint32_t(place < 0 ? false : place > 63 ? outside : from >> place & 1) << bit;
  }
  return made;
}

TEST(SassrunInteger, Shifts) {
  struct Case {
    const char* text;
    Encoding code;
    bool isRight, wraps, isSigned;
    unsigned width;
    bool isHigh;
  };
  const Case cases[] = {
      {"SHF.L.U32 R24, R13, 0x17, RZ",
       {0x000000170d188819, 0x000fe200000006ff},
       false,
       false,
       false,
       32,
       false},
      {"SHF.L.U32.HI R10, R9, 0x2, R0",
       {0x00000002090a7819, 0x000fc80000010600},
       false,
       false,
       false,
       32,
       true},
      {"SHF.L.U64.HI R8, R0, 0x2, R3",
       {0x0000000200087819, 0x000fe40000010203},
       false,
       false,
       false,
       64,
       true},
      {"SHF.L.W.U32 R11, R10, R11, RZ",
       {0x0000000b0a0b7219, 0x000fc80000000eff},
       false,
       true,
       false,
       32,
       false},
      {"SHF.L.W.U32.HI R15, R15, 0x10, R15",
       {0x000000100f0f7819, 0x000fe40000010e0f},
       false,
       true,
       false,
       32,
       true},
      {"SHF.R.S32.HI R10, RZ, 0x1f, R11",
       {0x0000001fff0aa819, 0x010fe4000001140b},
       true,
       false,
       true,
       32,
       true},
      {"SHF.R.S64 R14, R6, 0x9, R7",
       {0x00000009060e0819, 0x000fc80000001007},
       true,
       false,
       true,
       64,
       false},
      {"SHF.R.U32 R21, R21, 0x10, RZ",
       {0x0000001015157819, 0x001fc800000016ff},
       true,
       false,
       false,
       32,
       false},
      {"SHF.R.U32.HI R10, RZ, 0x10, R8",
       {0x00000010ff0a8819, 0x000fe40000011608},
       true,
       false,
       false,
       32,
       true},
      {"SHF.R.U64 R16, R16, R17, R18",
       {0x0000001110107219, 0x000fe40000001212},
       true,
       false,
       false,
       64,
       false},
      {"SHF.R.W.S32.HI R3, RZ, R4, R3",
       {0x00000004ff037219, 0x004fc80000011c03},
       true,
       true,
       true,
       32,
       true},
      {"SHF.R.W.U32 R14, R5, R0, R4",
       {0x00000000050e7219, 0x000fe20000001e04},
       true,
       true,
       false,
       32,
       false},
      {"SHF.R.W.U32.HI R10, RZ, R10, R5",
       {0x0000000aff0a7219, 0x000fe40000011e05},
       true,
       true,
       false,
       32,
       true},
  };
  for (const Case& each : cases)
    compare(each.text, each.code, [&](const In& in) {
      return Want{shifted(in, each.isRight, each.wraps, each.isSigned, each.width, each.isHigh)};
    });
}

std::uint32_t bytesAt(const In& in, std::array<unsigned, 4> fromHighest) {
  std::uint32_t made = 0;
  for (const unsigned from : fromHighest)
    made = made << 8 | std::uint32_t(both(in.c, in.a) >> 8 * from & 0xff);
  return made;
}

TEST(SassrunInteger, BytesByTheirNumbers) {
  compare("PRMT R12, R4, 0x7610, R12", {0x00007610040c7816, 0x000fe2000000000c}, [](const In& in) {
    std::uint32_t made = 0;
    for (unsigned at = 0; at < 4; ++at) {
      const unsigned choice = in.b >> 4 * at & 15;
      auto byte = std::uint32_t(both(in.c, in.a) >> 8 * (choice & 7) & 0xff);
      byte = choice < 8 ? byte : byte >= 0x80 ? 0xff : 0;
      made |= byte << 8 * at;
    }
    return Want{made};
  });
}

/// As the tables of PTX have them, by the two lowest bits of a selector. ptxas puts f4e to rc16
/// into bits 72 to 74 as 1 to 6, and the selector into the register as it is.
TEST(SassrunInteger, BytesByModes) {
  using Row = std::array<unsigned, 4>;
  const std::array<std::array<Row, 4>, 6> tables = {{
      {{{3, 2, 1, 0}, {4, 3, 2, 1}, {5, 4, 3, 2}, {6, 5, 4, 3}}}, // F4E
      {{{5, 6, 7, 0}, {6, 7, 0, 1}, {7, 0, 1, 2}, {0, 1, 2, 3}}}, // B4E
      {{{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}}, // RC8
      {{{3, 2, 1, 0}, {3, 2, 1, 1}, {3, 2, 2, 2}, {3, 3, 3, 3}}}, // ECL
      {{{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 1, 0}, {3, 2, 1, 0}}}, // ECR
      {{{1, 0, 1, 0}, {3, 2, 3, 2}, {1, 0, 1, 0}, {3, 2, 3, 2}}}, // RC16
  }};
  for (unsigned mode = 1; mode <= tables.size(); ++mode)
    compare(fmt::format("PRMT mode {}", mode),
            with({0x00007610040c7816, 0x000fe2000000000c}, 72, 3, mode), [&](const In& in) {
              const Row& row = tables[mode - 1][in.b & 3];
              return Want{bytesAt(in, row)};
            });
}

TEST(SassrunInteger, Logic) {
  for (const unsigned table : {0xfeU, 0xc0U, 0xf8U, 0x96U, 0x1bU, 0xe8U})
    compare(fmt::format("LOP3.LUT R0, R4, R0, R5, {:#x}, !PT", table),
            with({0x0000000004007212, 0x000fc800078efe05}, 72, 8, table), [&](const In& in) {
              std::uint32_t made = 0;
              for (unsigned bit = 0; bit < 32; ++bit) {
                const unsigned row =
                    (in.a >> bit & 1) << 2 | (in.b >> bit & 1) << 1 | (in.c >> bit & 1);
                made |= (table >> row & 1) << bit;
              }
              return Want{made};
            });
  compare("LOP3.LUT P1, R23, R24, 0x1f, RZ, 0xc0, !PT", {0x0000001f18177812, 0x000fe2000782c0ff},
          [](const In& in) { return Want{in.a & in.b, (in.a & in.b) != 0}; });
  compare(
      "LOP3.LUT P1, RZ, R12, R3, RZ, 0xc0, P1", {0x000000030cff7212, 0x000fe2000082c0ff},
      [](const In& in) { return Want{0, (in.a & in.b) != 0 || in.p[1]}; }, Result::None);
}

TEST(SassrunInteger, Comparisons) {
  const auto none = Result::None;
  compare(
      "ISETP.GE.AND P0, PT, R13, R34, !P0", {0x000000220d00720c, 0x001fc80004706270},
      [](const In& in) { return Want{0, std::int32_t(in.a) >= std::int32_t(in.b) && !in.p[0]}; },
      none);
  compare(
      "ISETP.LT.U32.OR P1, PT, R11, R16, P1", {0x000000100b00320c, 0x000fc80000f21470},
      [](const In& in) { return Want{0, in.a < in.b || in.p[1]}; }, none);
  compare(
      "ISETP.GT.XOR P2, PT, R0, RZ, P0", {0x000000ff0000920c, 0x000fe40000744a70},
      [](const In& in) { return Want{0, (std::int32_t(in.a) > std::int32_t(in.b)) != in.p[0]}; },
      none);
  compare(
      "ISETP.EQ.U32.XOR P0, PT, R10, 0x1, !P0", {0x000000010a00780c, 0x000fc80004702870},
      [](const In& in) { return Want{0, (in.a == in.b) == in.p[0]}; }, none);
  // The second predicate gets the opposite, also combined.
  compare(
      "ISETP.LT.U32.AND P0, P2, R2, R18, PT",
      with({0x000000120200720c, 0x000fc80003f01070}, 84, 3, 2),
      [](const In& in) { return Want{0, in.a < in.b, in.a >= in.b}; }, none);
}

/// The predicate of the lower words decides where the upper ones are equal.
TEST(SassrunInteger, ComparisonsOfUpperWords) {
  const auto none = Result::None;
  compare(
      "ISETP.LT.AND.EX P1, PT, R10, R23, PT, P1", {0x000000170a00820c, 0x000fc80003f21310},
      [](const In& in) {
        return Want{0, std::int32_t(in.a) < std::int32_t(in.b) || (in.a == in.b && in.p[1])};
      },
      none);
  compare(
      "ISETP.GT.U32.AND.EX P0, PT, R4, R9, PT, P0", {0x000000090400120c, 0x000fc80003f04100},
      [](const In& in) { return Want{0, in.a > in.b || (in.a == in.b && in.p[0])}; }, none);
  compare(
      "ISETP.NE.AND.EX P3, PT, R39, R14, !P1, P3", {0x0000000e2700720c, 0x000fe40004f65330},
      [](const In& in) { return Want{0, (in.a != in.b || in.p[3]) && !in.p[1]}; }, none);
  compare(
      "ISETP.EQ.AND.EX P6, PT, R7, RZ, !P5, P6", {0x000000ff0700720c, 0x000fe40006fc2360},
      [](const In& in) { return Want{0, in.a == in.b && in.p[6] && !in.p[5]}; }, none);
}

TEST(SassrunInteger, LeastAndLargest) {
  compare("VIMNMX R2, R2, R5, !PT", {0x0000000502029248, 0x002fca0007fe0100}, [](const In& in) {
    return Want{std::uint32_t(std::max(std::int32_t(in.a), std::int32_t(in.b)))};
  });
  compare("VIMNMX.U32 R5, R8, R11, PT", {0x0000000b08058248, 0x000fe40003fe0000},
          [](const In& in) { return Want{std::min(in.a, in.b)}; });
  compare("VIMNMX.S16x2 R9, R2, R10, PT", {0x0000000a02097248, 0x000fe40003fe0300},
          [](const In& in) {
            const auto least = [](std::uint32_t x, std::uint32_t y) {
              return std::uint16_t(std::min(std::int16_t(x), std::int16_t(y)));
            };
            return Want{std::uint32_t(least(in.a >> 16, in.b >> 16)) << 16 | least(in.a, in.b)};
          });
  compare(
      "VIMNMX3 R4, R9, R4, R5, !PT", {0x000000040904920f, 0x001fc80007800105}, [](const In& in) {
        return Want{
            std::uint32_t(std::max({std::int32_t(in.a), std::int32_t(in.b), std::int32_t(in.c)}))};
      });
  compare("VIADDMNMX R13, R13, 0x1, R12, PT", {0x000000010d0d2846, 0x004fc8000380010c},
          [](const In& in) {
            return Want{std::uint32_t(std::min(std::int32_t(in.a + in.b), std::int32_t(in.c)))};
          });
}

TEST(SassrunInteger, BitsOfAWord) {
  const auto highest = [](std::uint32_t value) {
    return value == 0 ? ~std::uint32_t{0} : 31 - std::uint32_t(std::countl_zero(value));
  };
  compare("FLO.U32 R0, R11", {0x0000000b00007300, 0x000e2400000e0000},
          [&](const In& in) { return Want{highest(in.b)}; });
  compare("FLO.U32.SH R10, R9", {0x00000009000a7300, 0x001e2400000e0400}, [](const In& in) {
    return Want{in.b == 0 ? ~std::uint32_t{0} : std::uint32_t(std::countl_zero(in.b))};
  });
  compare("POPC R9, R7", {0x0000000700099309, 0x000e620000000000},
          [](const In& in) { return Want{std::uint32_t(std::popcount(in.b))}; });
  compare("BREV R7, R0", {0x0000000000077301, 0x0000620000000000}, [](const In& in) {
    std::uint32_t made = 0;
    for (std::uint32_t left = in.b, bit = 0; bit < 32; ++bit, left >>= 1)
      made = made << 1 | (left & 1);
    return Want{made};
  });
  compare("SGXT R10, R10, 0x8", {0x000000080a0a781a, 0x000fe20000000200}, [](const In& in) {
    const std::uint32_t width = std::min(in.b, 32U);
    const std::int64_t low = std::int64_t(in.a) & ((std::int64_t{1} << width) - 1);
    const bool isNegative = width != 0 && (low >> (width - 1) & 1) != 0;
    return Want{std::uint32_t(isNegative ? low - (std::int64_t{1} << width) : low)};
  });
  compare("SGXT.U32 R13, R9, 0x4", {0x00000004090d781a, 0x000fcc0000000000}, [](const In& in) {
    return Want{in.a & std::uint32_t((std::uint64_t{1} << std::min(in.b, 32U)) - 1)};
  });
  compare("BMSK R4, R2, R0", with({0x00000000ff04721b, 0x000fe40000000000}, 24, 8, 2),
          [](const In& in) {
            std::uint32_t made = 0;
            for (std::uint64_t bit = in.a; bit < 32 && bit < std::uint64_t{in.a} + in.b; ++bit)
              made |= std::uint32_t{1} << bit;
            return Want{made};
          });
}

TEST(SassrunInteger, LogicOfPredicates) {
  compare(
      "PLOP3.LUT P0, PT, P0, P1, P2, 0xe0, 0x0", {0x000000000000781c, 0x000fc40000703c20},
      [](const In& in) { return Want{0, in.p[0] && (in.p[1] || in.p[2])}; }, Result::None, false);
  Bench bench({{0x000000000000781c, 0x000fda000070e808}}); // PLOP3.LUT P0, PT, P0, PT, UP0, 0x40
  for (const bool uniform : {false, true}) {
    bench.warp().setPredicate(0, allLanes, 0x0000ffff);
    bench.warp().setUniformPredicate(0, uniform);
    bench.execute(0);
    EXPECT_EQ(bench.warp().predicate(0), uniform ? 0U : 0x0000ffffU);
  }
}

TEST(SassrunInteger, PredicatesAsAByte) {
  Bench bench({
      with({0x00000001ff0d7803, 0x000fe20000000000}, 32, 8, 0x7b), // P2R R13, PR, RZ, 0x7b
      {0x0000007c04007804, 0x000fe40000002000},                    // R2P PR, R4.B2, 0x7c
  });
  Warp& warp = bench.warp();
  const auto lane = [](int l) { return std::uint32_t(l) * 0x01010101U + 0x5a; };
  for (int l = 0; l < warpSize; ++l)
    for (unsigned p = 0; p < truePredicate; ++p)
      warp.setPredicate(p, LaneMask{1} << l, (lane(l) >> p & 1) << l);
  bench.execute(0);
  for (int l = 0; l < warpSize; ++l)
    EXPECT_EQ(warp.get(13, l), lane(l) & 0x7b) << l;
  for (int l = 0; l < warpSize; ++l)
    warp.set(4, l, std::uint32_t(~l & 0xff) << 16);
  bench.execute(1);
  for (int l = 0; l < warpSize; ++l)
    for (unsigned p = 0; p < truePredicate; ++p)
      EXPECT_EQ(holds(warp.predicate(p), l), ((p < 2 ? lane(l) : unsigned(~l)) >> p & 1) != 0)
          << l << " P" << p;
}

/// Lanes that are off keep what they have.
TEST(SassrunInteger, OthersKeepTheirRegisters) {
  Bench bench({{0x0000000405048836, 0x000fe20000000000}}); // VIADD R4, R5, 0x4
  bench.setAll(4, 1);
  bench.setAll(5, 10);
  bench.execute(0, 0x00ff0000);
  for (int lane = 0; lane < warpSize; ++lane)
    EXPECT_EQ(bench.warp().get(4, lane), lane >= 16 && lane < 24 ? 14U : 1U) << lane;
}

} // namespace
} // namespace heddle::sassrun
