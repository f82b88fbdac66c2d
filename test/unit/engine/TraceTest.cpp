// SPDX-License-Identifier: Apache-2.0
//
// What a launch leaves for timing agrees with the account, which is kept in another way.
#include "EngineFixture.h"

#include "engine/SectorNumbers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heddle::engine {
namespace {

struct Sums {
  std::uint64_t instructions = 0, used = 0, finished = 0, partial = 0;
  std::vector<std::uint64_t> branches;
};

/// The account, worked out from the trace.
Sums sumsOf(const profile::KernelTrace& trace, std::size_t branches) {
  Sums sums;
  sums.branches.resize(branches);
  for (const profile::BlockTrace& block : trace.blocks)
    for (const profile::WarpTrace& warp : block.warps)
      for (const auto& [shape, number, traffic] : warp.executions) {
        const std::uint64_t ran = trace.shape->blocks[shape].instructions;
        const profile::LaneUse& use = warp.uses[number];
        sums.instructions += ran;
        sums.used += ran * std::uint64_t(use.active);
        sums.finished += ran * std::uint64_t(use.finished);
        sums.partial += ran * std::uint64_t(use.partial);
        int lanes = use.active + use.finished + use.partial;
        for (const auto& [branch, lost] : use.branches) {
          sums.branches[std::size_t(branch)] += ran * std::uint64_t(lost);
          lanes += lost;
        }
        EXPECT_EQ(lanes, 32);
      }
  return sums;
}

TEST(Trace, AgreesWithTheAccount) {
  const auto kernel = compileText(R"(
    __device__ __noinline__ int twice(int x) { return x > 40 ? 2 * x : x; }
    extern "C" __global__ void k(int* a, int n) {)" +
                                  index + R"(
      if (i >= n) return;
      int x = a[i];
      for (int t = 0; t < i % 7; ++t) {
        if (x & 1) x = 3 * x + 1; else x /= 2;
        if (x == 77) return;
        x = twice(x);
      }
      switch (i & 3) { case 0: x += a[0]; break; case 1: x *= 5; break; case 2: x ^= 9; break; }
      a[i] = x; })");
  ASSERT_TRUE(kernel) << kernel.error().message;
  std::vector<int> data(std::size_t{5} * 72 - 11);
  std::iota(data.begin(), data.end(), 3);
  const auto outcome = launchOn(*kernel, data, 5, 72);
  ASSERT_TRUE(outcome && !outcome->fault);
  ASSERT_EQ(outcome->trace.blocks.size(), 5u) << "all blocks of a small grid";
  const profile::KernelProfile& profile = outcome->profile;
  const Sums sums = sumsOf(outcome->trace, profile.branches.size());
  EXPECT_EQ(sums.instructions, profile.warpInstructions);
  EXPECT_EQ(sums.used, profile.threadInstructions);
  EXPECT_EQ(sums.finished, profile.lostToFinished);
  EXPECT_EQ(sums.partial, profile.lostToPartial);
  for (std::size_t i = 0; i < profile.branches.size(); ++i)
    EXPECT_EQ(sums.branches[i], profile.branches[i].lostSlots) << i;
}

TEST(Trace, EveryAccessLeavesItsTraffic) {
  const auto kernel = compileText("extern \"C\" __global__ void k(int* a, int n) {" + index + R"(
      __shared__ int s[64];
      s[threadIdx.x] = a[i] + a[0];
      __syncthreads();
      a[i] = s[63 - threadIdx.x] + a[(i * 8) % n]; })");
  ASSERT_TRUE(kernel) << kernel.error().message;
  std::vector<int> data(std::size_t{4} * 64);
  const auto outcome = launchOn(*kernel, data, 4, 64);
  ASSERT_TRUE(outcome && !outcome->fault);
  std::size_t steps = 0;
  for (const profile::BlockShape& block : outcome->trace.shape->blocks)
    steps += block.work.accesses.size();
  std::uint64_t transactions = 0, counted = 0;
  for (const profile::BlockTrace& block : outcome->trace.blocks)
    for (const profile::WarpTrace& warp : block.warps) {
      EXPECT_EQ(warp.traffic.size(), steps) << "straight code: each once";
      for (const profile::Traffic& traffic : warp.traffic) {
        EXPECT_LE(traffic.fresh, traffic.transactions);
        transactions += traffic.transactions;
      }
    }
  for (const profile::MemoryProfile& access : outcome->profile.accesses)
    counted += access.transactions;
  EXPECT_EQ(transactions, counted);
  std::uint64_t fresh = 0, touched = 0;
  for (const profile::BlockTrace& block : outcome->trace.blocks)
    for (const profile::WarpTrace& warp : block.warps)
      for (const profile::Traffic& traffic : warp.traffic)
        fresh += traffic.fresh;
  for (const profile::Footprint& memory : outcome->trace.footprints) {
    EXPECT_EQ(memory.begin, std::uint64_t(data.data()) % 256) << "the first in the device's memory";
    EXPECT_EQ(memory.size, data.size() * sizeof(int));
    touched += memory.fresh;
  }
  EXPECT_EQ(touched, fresh);
}

/// How many instructions blocks run is known of all, and how neighbours differ in it.
TEST(Trace, SaysHowNeighboursDiffer) {
  const auto variation = [](const std::string& turns) {
    const auto kernel = compileText("extern \"C\" __global__ void k(int* a, int n) {" + index +
                                    "int x = i; for (int t = 0; t < (" + turns +
                                    "); ++t) x = x * 3 + a[x & 63]; a[i % n] = x; }");
    std::vector<int> data(64, 1);
    const auto outcome = launchOn(*kernel, data, 40, 64);
    EXPECT_TRUE(outcome && !outcome->fault);
    return outcome->trace.variation;
  };
  EXPECT_EQ(variation("100"), 0);
  EXPECT_NEAR(variation("blockIdx.x % 2 ? 1000 : 3000"), 0.5 * std::sqrt(2.0), 0.02);
  EXPECT_LT(variation("1000 + 50 * blockIdx.x"), 0.03) << "every multiprocessor has some of each";
}

TEST(Trace, SectorsAreCountedOnce) {
  SectorNumbers numbers;
  for (std::uint32_t i = 0; i < 5000; ++i)
    EXPECT_TRUE(numbers.numberOf(i * 77).isNew) << i;
  for (std::uint32_t i = 0; i < 5000; ++i)
    EXPECT_FALSE(numbers.numberOf(i * 77).isNew) << i;
  EXPECT_EQ(numbers.end(), 4 * 5000u);
  numbers.clear();
  EXPECT_EQ(numbers.numberOf(402).number, 2u) << "the first line, its third sector";
  EXPECT_EQ(numbers.numberOf(17).number, 4u + 1);
  EXPECT_EQ(numbers.numberOf(401).number, 1u);
  EXPECT_TRUE(numbers.numberOf(400).isNew);
  EXPECT_EQ(numbers.end(), 8u);
}

TEST(Trace, LargeGridsAreSampledLongWarpsCutOff) {
  const auto kernel = compileText("extern \"C\" __global__ void k(int* a, int n) {" + index + R"(
      int x = i;
      for (int t = 0; t < 20000 + (i == 0) * 5000; ++t) x = (x & 1) ? x * 3 + 1 : a[x & 63] ^ x;
      a[i % n] = x; })");
  ASSERT_TRUE(kernel) << kernel.error().message;
  std::vector<int> data(64, 1);
  const auto outcome = launchOn(*kernel, data, 100, 32);
  ASSERT_TRUE(outcome && !outcome->fault);
  EXPECT_EQ(outcome->trace.blocks.size(), 25u) << "every fourth";
  EXPECT_TRUE(std::ranges::is_sorted(outcome->trace.blocks, {}, &profile::BlockTrace::number));
  std::uint64_t longest = 0, deep = 0;
  for (const profile::BlockTrace& block : outcome->trace.blocks) {
    const profile::WarpTrace& warp = block.warps.front();
    EXPECT_TRUE(warp.cutOff);
    EXPECT_LE(warp.executions.size(), block.deep ? 4096u : 128u);
    deep += block.deep ? 1 : 0;
    EXPECT_GT(warp.instructions, 40000u) << "what ran is known although it is not traced";
    longest = std::max(longest, warp.instructions);
  }
  EXPECT_EQ(deep, 9u);
  EXPECT_EQ(outcome->trace.longestWarp, longest) << "block 0 is in the sample, and the longest";
}

LaunchOutcome outcomeOfWorking(const std::string& blocks, int workers) {
  const auto kernel = compileText("extern \"C\" __global__ void k(int* a, int n) {" + index +
                                  "if (!(" + blocks + R"()) return;
      int x = i;
      for (int t = 0; t < 500 + blockIdx.x % 7; ++t) x = (x & 1) ? x * 3 + 1 : a[x & 63] ^ x;
      if (x == -12345) a[n - 1] = x; })");
  static std::vector<int> data(1 << 16, 1); // at one address: sectors begin at the same words
  auto outcome = launchOn(*kernel, data, 2048, 128, {.workers = workers});
  EXPECT_TRUE(outcome && !outcome->fault);
  return std::move(*outcome);
}

std::vector<std::int64_t> sampledBlocks(const LaunchOutcome& outcome) {
  std::vector<std::int64_t> numbers;
  for (const profile::BlockTrace& block : outcome.trace.blocks)
    numbers.push_back(block.number);
  return numbers;
}

/// One block in 16 works. Wherever these are, enough of them are traced, and none of the others.
TEST(Trace, BlocksThatEndAtOnceAreNotSampled) {
  const LaunchOutcome first = outcomeOfWorking("blockIdx.x < 128", 1);
  EXPECT_EQ(first.trace.ended.blocks, 2048 - 128);
  EXPECT_EQ(first.trace.ended.beforeOthers, 0);
  EXPECT_LT(first.trace.ended.instructions, 1920u * 4 * 20);
  EXPECT_GE(first.trace.blocks.size(), 12u);
  EXPECT_LE(first.trace.blocks.size(), 25u) << "as many as of a grid that works";
  EXPECT_LT(sampledBlocks(first).back(), 128);
  EXPECT_GE(std::ranges::count(first.trace.blocks, true, &profile::BlockTrace::deep), 3);
  EXPECT_LT(first.trace.variation, 0.02) << "of those that work";
  EXPECT_EQ(first.profile.memoryBlocks, 25u) << "memory instructions count in all kinds of blocks";

  const LaunchOutcome spread = outcomeOfWorking("blockIdx.x % 16 == 3", 1);
  EXPECT_EQ(spread.trace.ended.beforeOthers, 2048 - 128 - 12);
  EXPECT_GE(spread.trace.blocks.size(), 4u);

  const LaunchOutcome all = outcomeOfWorking("true", 1);
  EXPECT_EQ(all.trace.ended.blocks, 0);
  EXPECT_EQ(all.trace.blocks.size(), 25u);
  for (const std::int64_t number : sampledBlocks(all))
    EXPECT_EQ(number % 85, 0);
}

/// Which blocks are traced while they run depends on who comes first; which are kept does not.
TEST(Trace, TheSampleIsTheSameHoweverManyRunIt) {
  const LaunchOutcome one = outcomeOfWorking("blockIdx.x < 128", 1);
  for (int i = 0; i < 4; ++i) {
    const LaunchOutcome several = outcomeOfWorking("blockIdx.x < 128", 4);
    EXPECT_EQ(sampledBlocks(several), sampledBlocks(one));
    EXPECT_EQ(several.trace.footprints.front().fresh, one.trace.footprints.front().fresh);
    EXPECT_EQ(several.profile.accesses.front().transactions,
              one.profile.accesses.front().transactions);
  }
}

/// Short blocks may be all there is, or move most of what is moved.
TEST(Trace, ShortBlocksWithWorkAreSampled) {
  const auto ended = [](const std::string& body) {
    const auto kernel =
        compileText("extern \"C\" __global__ void k(int* a, int n) {" + index + body + "}");
    std::vector<int> data(1 << 16, 1);
    const auto outcome = launchOn(*kernel, data, 512, 128);
    EXPECT_TRUE(outcome && !outcome->fault);
    return outcome->trace.ended.blocks;
  };
  const std::string work = "int x = i; for (int t = 0; t < 900; ++t) x = x * x + a[x & 63];";
  EXPECT_EQ(ended("a[i] += 1;"), 0);
  EXPECT_EQ(ended("a[i] += 1; if (blockIdx.x % 4) return;" + work + "a[i] = x;"), 0);
  EXPECT_EQ(ended("if (blockIdx.x % 4) return;" + work + "a[i] = x;"), 384);
  EXPECT_EQ(ended("if (blockIdx.x % 4) return; a[i] += a[i / 2];"), 0) << "no long ones";
}

/// Warps that are cut off have used one half only. Only whole ones tell how much of each is used.
TEST(Trace, WhatIsUsedIsThatOfTheBlocksToGoBy) {
  const auto kernel = compileText("extern \"C\" __global__ void k(int* a, int n) {" + index + R"(
      const int* mine = a + blockIdx.x * 1024;
      int x = 0;
      #pragma unroll 1
      for (int t = 0; t < 240; ++t) x = x * 3 ^ mine[t];
      #pragma unroll 1
      for (int t = 512; t < 752; ++t) x = x * 5 ^ mine[t];
      if (x == -12345) a[n - 1] = x; })");
  ASSERT_TRUE(kernel) << kernel.error().message;
  std::vector<int> data(std::size_t{100} * 1024, 1);
  const auto outcome = launchOn(*kernel, data, 100, 32);
  ASSERT_TRUE(outcome && !outcome->fault);
  const auto& footprints = outcome->trace.footprints;
  ASSERT_EQ(footprints.size(), 2u);
  EXPECT_GT(footprints[0].fresh, 0u);
  EXPECT_EQ(footprints[0].fresh, footprints[1].fresh);
}

/// The first half of the run goes through `a`, the second computes.
TEST(Trace, WindowsAreSpreadOverALongWarp) {
  const auto kernel = compileText("extern \"C\" __global__ void k(int* a, int n) {" + index + R"(
      int x = i;
      for (int t = 0; t < 30000; ++t) x ^= a[(x + t) & 63];
      for (int t = 0; t < 60000; ++t) x = (x & 1) ? x * 3 + 1 : x >> 1;
      a[i % n] = x; })");
  ASSERT_TRUE(kernel) << kernel.error().message;
  std::vector<int> data(64, 1);
  const auto outcome = launchOn(*kernel, data, 1, 32);
  ASSERT_TRUE(outcome && !outcome->fault);
  const profile::WarpTrace& warp = outcome->trace.blocks.front().warps.front();
  EXPECT_TRUE(warp.cutOff);
  double traced = 0, last = 0;
  for (std::size_t i = 0; i < warp.executions.size(); ++i) {
    const auto& block = outcome->trace.shape->blocks[warp.executions[i].block];
    const std::size_t next =
        i + 1 < warp.executions.size() ? warp.executions[i + 1].traffic : warp.traffic.size();
    traced += block.instructions;
    last += next > warp.executions[i].traffic ? 0 : block.instructions;
  }
  EXPECT_GT(last / traced, 0.35) << "the part without accesses is seen too";
  EXPECT_LT(last / traced, 0.9);
}

/// The first warp looks until the second has worked. How often it looks says nothing of a GPU.
TEST(Trace, LookingAgainIsNoWork) {
  const auto kernel = compileText("extern \"C\" __global__ void k(int* a, int n) {" + index + R"(
      if (i < 32) {
        while (atomicAdd(&a[0], 0) == 0) {}
      } else {
        int x = i;
        for (int t = 0; t < 1000; ++t) x = (x & 1) ? x * 3 + 1 : x >> 1;
        a[i % n] = x;
        __threadfence();
        atomicExch(&a[0], 1);
      } })");
  ASSERT_TRUE(kernel) << kernel.error().message;
  std::vector<int> data(64, 0);
  const auto outcome = launchOn(*kernel, data, 1, 64);
  ASSERT_TRUE(outcome && !outcome->fault);
  EXPECT_TRUE(outcome->trace.polled);
  const std::uint64_t all = outcome->profile.warpInstructions;
  EXPECT_GT(outcome->trace.polls, 100u);
  const auto& warps = outcome->trace.blocks.front().warps;
  EXPECT_EQ(warps[0].instructions + warps[1].instructions + outcome->trace.polls, all);
  EXPECT_LT(warps[0].instructions, warps[1].instructions / 10);
  EXPECT_EQ(outcome->trace.longestWarp, warps[1].instructions);
}

} // namespace
} // namespace heddle::engine
