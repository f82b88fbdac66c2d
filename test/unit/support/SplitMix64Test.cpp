// SPDX-License-Identifier: Apache-2.0
#include "support/SplitMix64.h"

#include <gtest/gtest.h>

#include <bit>

namespace heddle {
namespace {

// The sequence that implementations in many languages agree on for the start 1234567.
TEST(SplitMix64, GivesTheKnownSequence) {
  SplitMix64 random(1234567);
  for (const std::uint64_t expected :
       {6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u,
        16408922859458223821u})
    EXPECT_EQ(random.next(), expected);
}

TEST(SplitMix64, OneBitChangesAboutHalfOfTheBits) {
  double changed = 0;
  for (int bit = 0; bit < 64; ++bit)
    for (std::uint64_t word = 1; word <= 100; ++word)
      changed += std::popcount(mix64(word) ^ mix64(word ^ (std::uint64_t{1} << bit)));
  EXPECT_NEAR(changed / 6400, 32, 0.5);
}

} // namespace
} // namespace heddle
