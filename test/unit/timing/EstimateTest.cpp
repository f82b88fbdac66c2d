// SPDX-License-Identifier: Apache-2.0
#include "timing/Estimate.h"

#include "timing/TraceSample.h"

#include "TraceBuilder.h"
#include "timing/CycleAccount.h"
#include "timing/TimeLaunch.h"

#include <array>

namespace heddle::timing {
namespace {

using profile::Bound;
using profile::Unit;

/// With nothing in the cache.
profile::LaunchTiming estimate(const profile::KernelTrace& trace, const machine::Device& on,
                               const LaunchShape& launch) {
  CacheContents cold(on);
  return timing::estimate(trace, on, launch, cold);
}

TEST(Estimate, AnEmptyLaunchTakesTheOverhead) {
  TraceBuilder builder;
  const machine::Device h200 = device("h200");
  const auto timing = estimate(builder.chain(1, Unit::Int32).trace(1, 1), h200, {1, 1});
  EXPECT_NEAR(timing.seconds, 3.6e-6, 1e-8);
  EXPECT_EQ(timing.bound, Bound::Launch);
}

TEST(Estimate, SaysWhatBounds) {
  const machine::Device h200 = device("h200");
  TraceBuilder alone, busy, moving;
  EXPECT_EQ(estimate(alone.chain(1000, Unit::Fp32).trace(4, 1, 50), h200, {132, 1}).bound,
            Bound::Latency);
  EXPECT_EQ(estimate(busy.independent(1000, Unit::Fp32).trace(4, 8, 4), h200, {13200, 8}).bound,
            Bound::Issue);
  EXPECT_EQ(estimate(moving.loads(4, 4).trace(4, 8, 16), h200, {132000, 8}).bound, Bound::Memory);
}

TEST(Estimate, GrowsWithTheGridWaveByWave) {
  const machine::Device h200 = device("h200");
  TraceBuilder builder;
  const profile::KernelTrace trace = builder.independent(1000, Unit::Fp32).trace(4, 8, 10);
  const auto cycles = [&](std::int64_t blocks) {
    return estimate(trace, h200, {blocks, 8}).cycles;
  };
  EXPECT_EQ(cycles(1), cycles(132)) << "one block on each multiprocessor, or on one";
  EXPECT_GT(cycles(133), 1.4 * cycles(132)) << "one has two";
  EXPECT_NEAR(cycles(132 * 800) / cycles(132 * 80), 10, 0.2);
}

TEST(Estimate, APartOfALongTraceTellsTheSame) {
  const machine::Device h200 = device("h200");
  TraceBuilder builder;
  builder.chain(50, Unit::Fp32).independent(50, Unit::Int32);
  const profile::KernelTrace whole = builder.trace(4, 8, 40);
  profile::KernelTrace cut = whole;
  for (profile::BlockTrace& block : cut.blocks)
    for (profile::WarpTrace& warp : block.warps)
      warp.executions.resize(10); // what ran in all is still known
  const double all = estimate(whole, h200, {132 * 40, 8}).cycles;
  EXPECT_NEAR(estimate(cut, h200, {132 * 40, 8}).cycles / all, 1, 0.15) << "warps in other phases";
}

TEST(Estimate, BlocksOutsideTheSampleMayBeLonger) {
  const machine::Device h200 = device("h200");
  TraceBuilder builder;
  const profile::KernelTrace trace = builder.independent(100, Unit::Fp32).trace(4, 8, 10);
  const std::int64_t blocks = 132 * 40;
  const auto cycles = [&](std::uint64_t ofABlock) {
    return estimate(trace, h200, {blocks, 8, ofABlock * std::uint64_t(blocks)}).cycles;
  };
  EXPECT_NEAR(cycles(8000), estimate(trace, h200, {blocks, 8}).cycles, 1e-6);
  EXPECT_NEAR(cycles(12000) / cycles(8000), 1.5, 1e-3);
}

/// More or fewer instructions than the steps say take that much longer or shorter, and memory stays
/// as far away; but where far fewer run, lanes were together more often than the trace says.
TEST(Estimate, WhatTheMachineExecutesCounts) {
  const machine::Device h200 = device("h200");
  TraceBuilder working, waiting;
  const profile::KernelTrace busy = working.independent(1000, Unit::Fp32).trace(4, 8, 10);
  const profile::KernelTrace idle = waiting.load(4).trace(4, 1, 100);
  const auto ratio = [&](const profile::KernelTrace& trace, double executed) {
    const auto cycles = [&](double times) {
      return estimate(trace, h200, {.blocks = 132, .residentBlocks = 1, .executed = times}).cycles;
    };
    return cycles(executed) / cycles(0);
  };
  EXPECT_NEAR(ratio(busy, 1.05), 1, 1e-9) << "alike";
  EXPECT_NEAR(ratio(busy, 2), 2, 0.05);
  EXPECT_NEAR(ratio(idle, 2), 1, 0.15);
  EXPECT_NEAR(ratio(idle, 0.6), 1, 0.1);
  EXPECT_NEAR(ratio(idle, 0.2), 0.2, 0.02);
}

TEST(Estimate, TheLongestWarpIsALowerBound) {
  const machine::Device h200 = device("h200");
  TraceBuilder builder;
  profile::KernelTrace trace = builder.chain(100, Unit::Fp32).trace(8, 1, 10);
  const double even = estimate(trace, h200, {132, 16}).cycles;
  trace.longestWarp *= 5; // somewhere else in the grid
  EXPECT_NEAR(estimate(trace, h200, {132, 16}).cycles / even, 5, 0.01);
}

TEST(CycleAccount, SlowInstructionsWeighMore) {
  TraceBuilder builder;
  profile::KernelTrace trace = builder.independent(3, Unit::Special).trace(1, 1);
  trace.blocks[0].warps[0].uses = {
      {.active = 8, .finished = 4, .partial = 2, .branches = {{1, 10}, {0, 8}}}};
  const DeviceCosts costs(device("h200"));
  const CycleAccount account = weighInCycles(trace, costs, 2);
  const double each = 3 * 8; // a special instruction keeps a quarter of the unit busy for 8 cycles
  EXPECT_DOUBLE_EQ(account.used.cycles, 8 * each);
  EXPECT_DOUBLE_EQ(account.finished.cycles, 4 * each);
  EXPECT_DOUBLE_EQ(account.partial.cycles, 2 * each);
  EXPECT_DOUBLE_EQ(account.branches[0].cycles, 8 * each);
  EXPECT_DOUBLE_EQ(account.branches[1].cycles, 10 * each);
  EXPECT_DOUBLE_EQ(account.all().cycles, 32 * each);
  EXPECT_DOUBLE_EQ(account.all().slots, 32 * 3);
}

/// The reason for this model: registers cost a G80 the warps that hide its latency, an H200 has
/// enough for all warps it can hold.
TEST(LaunchTimer, RegistersCostAG80TimeAndAnH200None) {
  const machine::Device g80 = device("8800gtx"), h200 = device("h200");
  TraceBuilder builder;
  const profile::KernelTrace trace = builder.load(4).chain(10, Unit::Fp32).trace(4, 8, 4);
  const auto timed = [&](const machine::Device& on, int registers) {
    LaunchTimer timer(on);
    profile::KernelProfile launch;
    launch.block = {256, 1, 1};
    launch.blocks = 16384;
    launch.warpInstructions = 16384 * 8 * 48;
    const machine::Residency residency = machine::residencyOf(
        on, {.threads = 256, .registers = registers}, machine::RegisterCount::Fixed);
    timer.time(trace, {registers, 0, profile::RegisterSource::Kind::Given}, residency, launch);
    return *launch.timing;
  };
  const profile::KernelTiming light = timed(g80, 6), heavy = timed(g80, 13);
  EXPECT_DOUBLE_EQ(light.occupancy, 1);
  EXPECT_NEAR(heavy.occupancy, 2 / 3.0, 1e-9);
  EXPECT_EQ(heavy.limiter, "registers");
  EXPECT_TRUE(heavy.registers.isGiven());
  EXPECT_GT(heavy.seconds, 1.05 * light.seconds);
  EXPECT_EQ(timed(h200, 13).seconds, timed(h200, 6).seconds);
}

TEST(Estimate, BlocksStartOneAfterTheOther) {
  const machine::Device h200 = device("h200");
  TraceBuilder builder;
  const profile::KernelTrace trace = builder.chain(1, Unit::Int32).trace(4, 1);
  const std::int64_t blocks = 132 * 256;
  EXPECT_NEAR(estimate(trace, h200, {blocks, 32}).cycles, blocks * 1.23, 500)
      << "21 us, as an H200 takes";
  EXPECT_NEAR(estimate(trace, h200, {blocks, 1}).cycles, 256 * 280, 3000)
      << "one place: the next block waits until it is free; an H200 takes 278 to 306 cycles";
  EXPECT_NEAR(estimate(builder.trace(4, 16), h200, {blocks, 1}).cycles, 256 * 315, 3000)
      << "317 with 16 warps";
}

/// A grid of which some blocks work takes as long as one of these alone, or as starting all.
TEST(Estimate, BlocksThatEndedAtOnceOnlyTakeTheirStarts) {
  const machine::Device h200 = device("h200");
  TraceBuilder builder;
  profile::KernelTrace trace = builder.chain(200, Unit::Fp32).trace(4, 1, 20);
  constexpr std::int64_t working = 132 * 8;
  const auto cycles = [&](std::int64_t ended, std::int64_t beforeOthers) {
    trace.ended = {ended, std::uint64_t(ended) * 10, beforeOthers};
    const std::uint64_t instructions = std::uint64_t(working) * 200 * 20 + trace.ended.instructions;
    return estimate(trace, h200, {working + ended, 8, instructions}).cycles;
  };
  const double alone = cycles(0, 0);
  EXPECT_NEAR(cycles(15 * working, 0), working * 16 * 1.23, 0.01 * working * 16);
  EXPECT_EQ(cycles(3 * working, 0), alone);
  EXPECT_NEAR(cycles(3 * working, 3 * working), alone + 3 * 132 * 7 * 1.23, 200) << "a later start";
  EXPECT_NEAR(cycles(400 * working, 0), working * 401 * 1.23, 0.01 * working * 401)
      << "until all have started";
}

TEST(Estimate, TheFirstBlocksOfALargeGridAreDealtOutUnevenly) {
  const machine::Device h200 = device("h200");
  TraceBuilder builder;
  profile::KernelTrace trace = builder.independent(200, Unit::Fp32).trace(4, 8, 50);
  const auto cycles = [&](std::int64_t working, std::int64_t ended) {
    trace.ended = {ended, std::uint64_t(ended) * 10, 0};
    return estimate(trace, h200, {working + ended, 8}).cycles;
  };
  EXPECT_NEAR(cycles(132 * 4, 132 * 12) / cycles(132 * 4, 0), 6 / 4.0, 0.02);
  EXPECT_NEAR(cycles(132, 132 * 12) / cycles(132, 0), 2, 0.02);
  EXPECT_EQ(cycles(132 * 4, 132 * 4), cycles(132 * 4, 0)) << "all blocks fit at once";
  EXPECT_EQ(cycles(132 * 8, 132 * 12), cycles(132 * 8, 0)) << "the first ones fill all places";
}

TEST(Estimate, TheSlowestMultiprocessorDecides) {
  const machine::Device h200 = device("h200");
  TraceBuilder builder;
  profile::KernelTrace trace = builder.independent(200, Unit::Fp32).trace(4, 8, 50);
  const auto slower = [&](std::int64_t blocks) {
    trace.variation = 0;
    const double even = estimate(trace, h200, {blocks, 8}).cycles;
    trace.variation = 0.1;
    return estimate(trace, h200, {blocks, 8}).cycles / even;
  };
  EXPECT_EQ(slower(1), 1) << "there is one only";
  EXPECT_NEAR(slower(132), 1.25, 0.01) << "of 132 normal numbers the largest is 2.5 deviations off";
  EXPECT_NEAR(slower(132 * 4), 1.125, 0.01) << "four blocks each: half as uneven";
  EXPECT_LT(slower(132 * 64), 1.02) << "in waves, the fast ones take more";
  TraceBuilder waiting;
  trace = waiting.chain(200, Unit::Fp32).trace(4, 1, 50);
  EXPECT_LT(slower(132), 1.07) << "who waits for one chain takes no longer for other warps";
}

TEST(Estimate, WhatALaunchLeavesInTheCacheTheNextOneFinds) {
  const machine::Device h200 = device("h200");
  TraceBuilder builder;
  profile::KernelTrace trace = builder.load(4).load(4).load(4).load(4).trace(4, 8, 4);
  for (std::uint32_t site = 0; site < 4; ++site)
    trace.footprints.push_back({site, 4096, 16 << 20, 4 * 8 * 4 * 4, 0});
  CacheContents cache(h200);
  const LaunchShape launch{132 * 8, 8};
  const auto first = timing::estimate(trace, h200, launch, cache);
  const auto second = timing::estimate(trace, h200, launch, cache);
  EXPECT_LT(second.cycles, 0.7 * first.cycles);
  EXPECT_GT(second.cycles, 0.4 * first.cycles) << "the L2 has twice the bandwidth of the memory";
}

TEST(LaunchTimer, ACopyTakesItsBytes) {
  const machine::Device h200 = device("h200");
  LaunchTimer timer(h200);
  const auto copy = [&](double bytes) {
    const std::array regions = {Region{4096, bytes, true}, Region{1 << 30, bytes, false}};
    timer.secondsToMove(regions);
    return timer.secondsToMove(regions) * 1e6;
  };
  EXPECT_NEAR(copy(268e6), 130.5, 3) << "as measured on an H200; from memory";
  EXPECT_NEAR(copy(16.8e6), 6.6, 1) << "in the cache";
}

/// A block that was traced for a short while only shows the beginning of its warps.
TEST(Estimate, LongWarpsAreToldFromDeepBlocks) {
  TraceBuilder builder;
  profile::KernelTrace trace = builder.chain(10, Unit::Fp32).trace(4, 1, 10);
  trace.blocks[1].deep = trace.blocks[3].deep = false;
  keepRepresentativeBlocks(trace);
  EXPECT_EQ(trace.blocks.size(), 4u) << "whole: as good as the others";
  trace.blocks[1].warps[0].cutOff = true;
  keepRepresentativeBlocks(trace);
  ASSERT_EQ(trace.blocks.size(), 2u);
  EXPECT_EQ(trace.blocks[1].number, 2);
}

} // namespace
} // namespace heddle::timing
