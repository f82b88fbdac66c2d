// SPDX-License-Identifier: Apache-2.0
#include "timing/SharedWork.h"

#include "TraceBuilder.h"

#include <algorithm>

namespace heddle::timing {
namespace {

/// Two blocks of four warps, of which the first of each has run `turns` turns of ten instructions.
class Taken {
public:
  Taken(profile::WorkCounter counter, std::size_t first, std::size_t second)
      : trace_(builder_.independent(10, profile::Unit::Fp32).trace(2, 4, 1)) {
    shape_ = *trace_.shape;
    shape_.takesWork = counter;
    trace_.shape = &shape_;
    setTurns(trace_.blocks[0].warps[0], first);
    setTurns(trace_.blocks[1].warps[0], second);
    trace_.longestWarp = 10 * std::max(first, second);
    trace_.variation = 2;
  }
  profile::KernelTrace& trace() { return trace_; }

private:
  static void setTurns(profile::WarpTrace& warp, std::size_t turns) {
    warp.executions.assign(turns, {0, 0, 0});
    warp.instructions = 10 * turns;
  }
  TraceBuilder builder_;
  profile::KernelShape shape_;
  profile::KernelTrace trace_;
};

TEST(SharedWork, EachWarpDoesTheMeanInTheWayOfTheLongest) {
  Taken taken(profile::WorkCounter::OfTheGrid, 81, 1);
  const profile::KernelTrace shared = withSharedWork(taken.trace(), 880, 2);
  EXPECT_EQ(shared.longestWarp, 110u);
  EXPECT_EQ(shared.variation, 0);
  ASSERT_EQ(shared.blocks.size(), 2u);
  for (const profile::BlockTrace& block : shared.blocks)
    for (const profile::WarpTrace& warp : block.warps) {
      EXPECT_EQ(warp.executions.size(), 11u);
      EXPECT_EQ(warp.instructions, 110u);
    }
}

TEST(SharedWork, BlocksWithCountersOfTheirOwnKeepTheirWork) {
  Taken taken(profile::WorkCounter::OfBlocks, 81, 41);
  const profile::KernelTrace shared = withSharedWork(taken.trace(), 880, 2);
  EXPECT_EQ(shared.variation, 2);
  const std::uint64_t means[] = {(810 + 3 * 10) / 4, (410 + 3 * 10) / 4};
  EXPECT_EQ(shared.longestWarp, means[0]);
  for (std::size_t i = 0; i < 2; ++i)
    for (const profile::WarpTrace& warp : shared.blocks[i].warps)
      EXPECT_EQ(warp.instructions, means[i]);
}

TEST(SharedWork, AtomicsOfAllAreDoneByAllAlike) {
  Taken taken(profile::WorkCounter::OfTheGrid, 81, 1);
  taken.trace().blocks[0].atomics = {{7, {840}}, {8, {84}}};
  taken.trace().blocks[1].atomics = {{7, {40}}};
  const profile::KernelTrace shared = withSharedWork(taken.trace(), 880, 2); // all was traced
  for (const profile::BlockTrace& block : shared.blocks) {
    EXPECT_NEAR(block.atomics.at(7).integers, 440, 1);
    EXPECT_NEAR(block.atomics.at(8).integers, 42, 1);
  }
}

TEST(SharedWork, BlocksThatDidWorkOfTheirOwnKeepTheirWords) {
  Taken taken(profile::WorkCounter::OfTheGrid, 81, 81);
  taken.trace().blocks[0].atomics = {{7, {840}}};
  taken.trace().blocks[1].atomics = {{8, {420}}};
  const profile::KernelTrace shared = withSharedWork(taken.trace(), 840, 2);
  EXPECT_NEAR(shared.blocks[0].atomics.at(7).integers, 420, 1);
  EXPECT_NEAR(shared.blocks[1].atomics.at(8).integers, 210, 1);
  EXPECT_EQ(shared.blocks[0].atomics.count(8), 0u);
}

TEST(SharedWork, ABlockThatTookWhatWasLeftCountsOnce) {
  Taken taken(profile::WorkCounter::OfTheGrid, 2047, 81); // of a grid of 100 like the second
  taken.trace().blocks[0].atomics = {{7, {1000}}};
  taken.trace().blocks[1].atomics = {{7, {10}}};
  const double grid = 20500 + 99 * 840;
  const profile::KernelTrace shared = withSharedWork(taken.trace(), grid, 100);
  for (const profile::BlockTrace& block : shared.blocks)
    EXPECT_NEAR(100 * block.atomics.at(7).integers, 1000 + 99 * 10, 5);
}

TEST(SharedWork, WhatAPieceOfWorkUsesIsAWarpsOwn) {
  Taken taken(profile::WorkCounter::OfTheGrid, 81, 1);
  profile::BlockTrace& block = taken.trace().blocks[0];
  block.sectors = 42;
  for (std::uint32_t turn = 0; turn < 81; ++turn) { // two sectors: one of the turn, one of all
    block.warps[0].executions[turn].traffic = turn;
    block.warps[0].traffic.push_back({0, 2, 1, 2 * turn});
    block.warps[0].sectors.insert(block.warps[0].sectors.end(), {1 + turn / 2, 0});
  }
  const profile::KernelTrace shared = withSharedWork(taken.trace(), 880, 2);
  for (const profile::BlockTrace& each : shared.blocks)
    for (std::size_t i = 0; i < 4; ++i) {
      const profile::WarpTrace& warp = each.warps[i];
      EXPECT_EQ(warp.traffic.size(), 11u);
      EXPECT_EQ(warp.sectors[0], 1 + 44 * i) << "lines stay lines";
      EXPECT_EQ(warp.sectors[1], 0u);
      EXPECT_LT(std::ranges::max(warp.sectors), each.sectors);
    }
}

} // namespace
} // namespace heddle::timing
