// SPDX-License-Identifier: Apache-2.0
#include "timing/ContendedAtomics.h"

#include "machine/DeviceCatalog.h"

#include <gtest/gtest.h>

namespace heddle::timing {
namespace {

class ContendedAtomicsTest : public testing::Test {
protected:
  double cycles(double ofTheGrid) const { return cyclesOfAtomics(trace_, costs_, ofTheGrid); }

  const DeviceCosts costs_{machine::referenceDevice()};
  profile::KernelTrace trace_;
};

TEST_F(ContendedAtomicsTest, AreNoneWithoutAtomics) {
  trace_.blocks.resize(2);
  EXPECT_EQ(cycles(10), 0);
}

TEST_F(ContendedAtomicsTest, OfOneLineComeOneAfterTheOther) {
  trace_.blocks.resize(2);
  trace_.blocks[0].atomics = trace_.blocks[1].atomics = {{7, {100}}};
  EXPECT_DOUBLE_EQ(cycles(1), costs_.contendedAtomic * 200);
  EXPECT_DOUBLE_EQ(cycles(10), costs_.contendedAtomic * 2000);
}

TEST_F(ContendedAtomicsTest, OfFourLinesTakeHalfAsLong) {
  trace_.blocks.resize(2);
  for (profile::BlockTrace& block : trace_.blocks)
    block.atomics = {{1, {25}}, {2, {25}}, {3, {25}}, {4, {25}}};
  EXPECT_DOUBLE_EQ(cycles(1), costs_.contendedAtomic * 100);
}

/// As measured: a word that all want does not wait for what is spread over many lines.
TEST_F(ContendedAtomicsTest, OfOneLineDoNotWaitForThoseOfMany) {
  trace_.blocks.resize(2);
  for (profile::BlockTrace& block : trace_.blocks) {
    block.atomics = {{0, {1024}}};
    for (std::uint64_t line = 1; line <= 1024; ++line)
      block.atomics[line] = {16};
  }
  EXPECT_DOUBLE_EQ(cycles(1), costs_.contendedAtomic * 2048);
}

TEST_F(ContendedAtomicsTest, OfFloatsWaitForEachOtherOnOneLineOnly) {
  trace_.blocks.resize(2);
  trace_.blocks[0].atomics = trace_.blocks[1].atomics = {{7, {0, 100}}};
  EXPECT_DOUBLE_EQ(cycles(1), costs_.contendedAtomic * costs_.contendedFloatPasses * 200);
  for (profile::BlockTrace& block : trace_.blocks)
    for (std::uint64_t line = 1; line <= 64; ++line)
      block.atomics[line] = {0, 100};
  EXPECT_DOUBLE_EQ(cycles(1), costs_.contendedAtomic * 200 * 8);
}

/// Of a grid ten times as large there are ten times as many lines.
TEST_F(ContendedAtomicsTest, OnWhatABlockHasForItselfDoNotAddUp) {
  trace_.blocks.resize(2);
  trace_.blocks[0].atomics = {{1, {100}}};
  trace_.blocks[1].atomics = {{2, {100}}};
  EXPECT_DOUBLE_EQ(cycles(10), costs_.contendedAtomic * std::sqrt(2000 * 100.0));
}

} // namespace
} // namespace heddle::timing
