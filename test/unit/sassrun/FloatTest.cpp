// SPDX-License-Identifier: Apache-2.0
//
// What an H200 does with NaNs of doubles, with results next to the smallest normal number, and with
// pairs of halves. Encodings are ptxas's; the answers are the GPU's.
#include "Assemble.h"

namespace heddle::sassrun {
namespace {

constexpr std::uint64_t ownNan = 0xfff8000000000000, positive = 0x7ff8000000000001,
                        negative = 0xfff8000000000002, signaling = 0x7ff0000000000003,
                        one = 0x3ff0000000000000, infinity = 0x7ff0000000000000;

/// R4 of an instruction on the pairs R4, R6 and R8.
std::uint64_t wide(const Encoding& code, std::uint64_t a, std::uint64_t b, std::uint64_t c = 0) {
  Bench bench({code, exitAll});
  for (const auto& [index, value] : {std::pair{4U, a}, {6U, b}, {8U, c}})
    bench.warp().setPair(index, 0, value);
  bench.execute(0);
  return bench.warp().registers(4)[0] | std::uint64_t{bench.warp().registers(5)[0]} << 32;
}

/// R4 of an instruction on R4, R9 and R11, and R0 where it has that.
std::uint32_t narrow(const Encoding& code, std::uint32_t a, std::uint32_t b, std::uint32_t c = 0) {
  Bench bench({code, exitAll});
  for (const unsigned index : {0U, 4U})
    bench.setAll(index, a);
  bench.setAll(9, b);
  bench.setAll(11, c);
  bench.execute(0);
  return bench.warp().registers(unsigned(code.bits(16, 8)))[0];
}

constexpr Encoding dadd = {0x0000000004047229, 0x004fe20000000006}; // DADD R4, R4, R6
constexpr Encoding dmul = {0x0000000604047228, 0x004fe20000000000}; // DMUL R4, R4, R6
constexpr Encoding dfma = {0x000000060404722b, 0x004fe20000000008}; // DFMA R4, R4, R6, R8

TEST(SassrunFloat, ANanOfDoublesIsThatOfAnOperand) {
  for (const Encoding& code : {dadd, dmul}) {
    EXPECT_EQ(wide(code, positive, one), positive);
    EXPECT_EQ(wide(code, one, negative), negative);
    EXPECT_EQ(wide(code, positive, negative), negative) << "the second before the first";
    EXPECT_EQ(wide(code, one, signaling), signaling | std::uint64_t{1} << 51);
  }
  EXPECT_EQ(wide(dadd, infinity, infinity | std::uint64_t{1} << 63), ownNan);
  EXPECT_EQ(wide(dfma, positive, one, negative), negative);
  EXPECT_EQ(wide(dfma, one, positive, negative), positive) << "b before c";
  EXPECT_EQ(wide(dfma, positive, negative, positive), negative);
}

TEST(SassrunFloat, SignsDoNotTouchANanOfDoubles) {
  const Encoding difference = with(dadd, 75, 1, 1); // DADD R4, R4, -R6
  EXPECT_EQ(wide(difference, one, positive), positive);
  const Encoding size = with(dadd, 74, 1, 1); // DADD R4, R4, |R6|
  EXPECT_EQ(wide(size, one, negative), negative);
}

constexpr Encoding fmul = {0x0000000904047220, 0x004fca0000410000}; // FMUL.FTZ R4, R4, R9
constexpr Encoding ffma = {0x0000000904047223, 0x004fca000001000b}; // FFMA.FTZ R4, R4, R9, R11
constexpr Encoding hmul = {0x2000000900007232, 0x004fca0000010800}; // HMUL2.FTZ R0, R0.H0_H0, ...

/// Results that rounding to a subnormal number would lift to 2^-126, or 2^-14, and rounding to 24
/// bits, or 11, would not.
TEST(SassrunFloat, IsFlushedIfItIsBelowTheNormalNumbersAfterRounding) {
  constexpr std::uint32_t least = 0x00800000, sign = 0x80000000;
  EXPECT_EQ(narrow(fmul, 0x1d73bd90, 0xa2867025), sign);
  EXPECT_EQ(narrow(fmul, 0x186070cd, 0xa791ff9f), sign | least);
  EXPECT_EQ(narrow(ffma, 0x9bd46915, 0x17e61cde, least), 0U);
  EXPECT_EQ(narrow(ffma, 0x9a064b8d, 0x17000000, least), least);
  const Encoding up = with(fmul, 78, 2, 2); // FMUL.FTZ.RP
  EXPECT_EQ(narrow(up, 0x9e800ad0, 0xa17fea60), 0U);
  EXPECT_EQ(narrow(hmul, 0x1964, 0xa5ef) & 0xffff, 0x8000U);
}

/// HFMA2 R4, R0, R9, R4 on pairs: the low number takes -b.H1, the high one b.H0.
TEST(SassrunFloat, ACrossedPairIsTakenTimesI) {
  const Encoding fused = {0x0000000900047231, 0x004fca0000000004};
  constexpr std::uint32_t a = 0x40003c00, b = 0x44004200; // 1 and 2, 3 and 4
  EXPECT_EQ(narrow(with(fused, 64, 8, zeroRegister), a, b), 0x48004200U);
  EXPECT_EQ(narrow(with(with(fused, 64, 8, zeroRegister), 86, 1, 1), a, b), 0x4600c400U);
}

/// VHMNMX R16, R36.H0_H0, R13.H0_H0, R25.H0_H0, !PT of bfloat16, with .NAN
TEST(SassrunFloat, TheGreatestOfThreeHalves) {
  Encoding most = {0x2000000d24107247, 0x000fe20007822819};
  most = with(with(with(with(most, 16, 8, 4), 24, 8, 4), 32, 8, 9), 64, 8, 11);
  constexpr std::uint32_t two = 0x4000, three = 0x4040, minusOne = 0xbf80, nan = 0x7fc0;
  EXPECT_EQ(narrow(most, two, three, minusOne) & 0xffff, three);
  EXPECT_EQ(narrow(most, minusOne, two, three) & 0xffff, three);
  EXPECT_EQ(narrow(most, nan, two, three) & 0xffff, 0x7fffU);
  EXPECT_EQ(narrow(with(most, 81, 1, 0), nan, two, three) & 0xffff, three);
  EXPECT_EQ(narrow(with(most, 90, 1, 0), two, three, minusOne) & 0xffff, minusOne) << "the least";
}

} // namespace
} // namespace heddle::sassrun
