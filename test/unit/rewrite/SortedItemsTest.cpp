// SPDX-License-Identifier: Apache-2.0
#include "rewrite/sorted_items/SortedItems.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heddle::rewrite::sorted_items {
namespace {

using profile::AccessKind;
using profile::MemorySpace;

/// A hundred warps with all lanes, each of which takes so many sectors where four would do.
profile::MemoryProfile access(int line, std::uint64_t sectors) {
  profile::MemoryProfile access;
  access.site.where = {"a.cu", line, 3};
  access.executions = 100;
  access.lanes = 3200;
  access.transactions = 100 * sectors;
  access.ideal = 400;
  access.bytesPerLane = 4;
  return access;
}

TEST(SortedItems, LinesWhoseLanesReadNeighbours) {
  profile::KernelProfile kernel;
  kernel.accesses = {access(5, 4), access(6, 1), access(7, 32), access(8, 4), access(9, 8)};
  kernel.accesses[3].space = MemorySpace::Shared;
  EXPECT_EQ(neighbouringLines(kernel, "a.cu"), "5, 9") << "6 reads one word, 7 is scattered";
  EXPECT_EQ(neighbouringLines(kernel, "b.cu"), "");
  kernel.accesses[0].kind = AccessKind::Atomic;
  EXPECT_EQ(neighbouringLines(kernel, "a.cu"), "9");
}

profile::KernelProfile timed(int blocks) {
  profile::KernelProfile kernel;
  kernel.launches = 1;
  kernel.blocks = std::uint64_t(blocks);
  kernel.block = {256, 1, 1};
  kernel.timing.emplace();
  kernel.timing->residentBlocks = 8;
  return kernel;
}

TEST(SortedItems, OneLongItemIsAsLongInAnyOrder) {
  // 8000 warps of 50 turns on a GPU that holds all of them, and one item of 5000.
  const double one = mostWithLongest(timed(1000), 5000, 8000.0 * 50, 132);
  EXPECT_LT(one, 1);
  const double many = mostWithLongest(timed(100'000), 5000, 800000.0 * 50, 132);
  EXPECT_GT(many, 4) << "the others take longer";
  EXPECT_GT(mostWithLongest(timed(1000), 100, 8000.0 * 50, 132), 2);
}

TEST(SortedItems, WithoutATimeNothingIsKnownOfTheLongest) {
  profile::KernelProfile kernel = timed(1000);
  EXPECT_TRUE(std::isinf(mostWithLongest(kernel, 5000, 400, 0)));
  kernel.timing.reset();
  EXPECT_TRUE(std::isinf(mostWithLongest(kernel, 5000, 400, 132)));
}

} // namespace
} // namespace heddle::rewrite::sorted_items
