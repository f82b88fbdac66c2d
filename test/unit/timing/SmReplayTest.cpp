// SPDX-License-Identifier: Apache-2.0
//
// Cycles that can be worked out by hand.
#include "timing/SmReplay.h"

#include "TraceBuilder.h"

namespace heddle::timing {
namespace {

using profile::Unit;

double cyclesOn(const machine::Device& on, const profile::KernelTrace& trace, int resident,
                std::int64_t blocks) {
  const DeviceCosts costs(on);
  return replay(trace, costs,
                {.resident = resident, .blocks = blocks, .bytesPerCycle = costs.dramBytes})
      .cycles;
}

TEST(SmReplay, AChainTakesItsLatencies) {
  const machine::Device g80 = device("8800gtx"), h200 = device("h200");
  TraceBuilder builder;
  const profile::KernelTrace trace = builder.chain(101, Unit::Fp32).trace(1, 1);
  EXPECT_NEAR(cyclesOn(g80, trace, 1, 1), 100 * 24, 8) << "the last one only has to issue";
  EXPECT_NEAR(cyclesOn(h200, trace, 1, 1), 100 * 4, 4);
}

TEST(SmReplay, EnoughWarpsHideALatencyAndMoreBringNothing) {
  const machine::Device g80 = device("8800gtx");
  TraceBuilder builder;
  const profile::KernelTrace trace = builder.chain(200, Unit::Fp32).trace(1, 1);
  // Each warp is a block. One instruction issues in 4 cycles, a result takes 24: six warps.
  const double one = cyclesOn(g80, trace, 1, 1), three = cyclesOn(g80, trace, 3, 3),
               six = cyclesOn(g80, trace, 6, 6), twelve = cyclesOn(g80, trace, 12, 12);
  EXPECT_NEAR(three / one, 1, 0.01) << "three warps wait as one does";
  EXPECT_NEAR(six / one, 1, 0.02);
  EXPECT_NEAR(twelve / six, 2, 0.02) << "from here on the issue slots are full";
}

TEST(SmReplay, AWarpWaitsLongerWhereItsLanesPart) {
  const machine::Device h200 = device("h200");
  TraceBuilder builder;
  profile::KernelTrace trace = builder.branch().trace(1, 1, 11);
  const double whole = cyclesOn(h200, trace, 1, 1);
  profile::WarpTrace& warp = trace.blocks[0].warps[0];
  warp.uses.push_back({.active = 5, .depth = 1});
  for (std::size_t i = 1; i < warp.executions.size(); ++i)
    warp.executions[i].use = 1;
  EXPECT_NEAR(cyclesOn(h200, trace, 1, 1) - whole, h200.controlCycles->divergence, 1e-9)
      << "once, not while the five stay together";
  warp.uses[1].ended = 27;
  EXPECT_EQ(cyclesOn(h200, trace, 1, 1), whole) << "the others have ended";
  warp.uses = {{.active = 27, .depth = 1}, {.active = 5, .depth = 1}};
  EXPECT_EQ(cyclesOn(h200, trace, 1, 1), whole) << "the other side of a branch, with fewer lanes";
}

/// Cycles of a turn of a loop, of so many warps on one scheduler each.
double turnOn(const machine::Device& on, int sums, int warps) {
  TraceBuilder builder;
  const profile::KernelTrace trace = builder.chain(sums, Unit::Fp32).branch().trace(1, warps, 100);
  return cyclesOn(on, trace, 1, 1) / 100;
}

TEST(SmReplay, AJumpBackToCodeThatIsNotHeldTakesLonger) {
  const machine::Device h200 = device("h200"), g80 = device("8800gtx");
  const DeviceCosts costs(h200);
  EXPECT_NEAR(turnOn(h200, 30, 1) - turnOn(h200, 10, 1), 20 * 4 + costs.farBack, 0.5);
  EXPECT_NEAR(turnOn(h200, 20, 1) - turnOn(h200, 10, 1), 10 * 4, 0.5) << "both are held";
  EXPECT_NEAR(turnOn(g80, 30, 1) - turnOn(g80, 10, 1), 20 * 24, 1) << "a branch like any";
}

TEST(SmReplay, WarpsThatJumpWaitForOneAnother) {
  const machine::Device h200 = device("h200");
  const DeviceCosts costs(h200);
  EXPECT_NEAR(turnOn(h200, 1, 64) / 16, costs.fetchInterval, 0.1) << "16 warps a scheduler";
  EXPECT_GT(turnOn(h200, 1, 16), turnOn(h200, 1, 4) + 2) << "four of them are in each other's way";
}

TEST(SmReplay, ABranchThatIsNotTakenIsCheap) {
  const machine::Device h200 = device("h200");
  const DeviceCosts costs(h200);
  profile::KernelShape shape;
  for (int i = 0; i < 20; ++i)
    shape.blocks.push_back({{{.kind = profile::StepKind::Branch, .unit = Unit::Control}}, 1});
  profile::WarpTrace warp;
  warp.uses = {{.active = 32}};
  for (std::uint32_t i = 0; i < 20; ++i)
    warp.executions.push_back({i, 0});
  const profile::KernelTrace trace{&shape, {{0, true, {warp}}}, {}, 20};
  EXPECT_NEAR(cyclesOn(h200, trace, 1, 1), 20 * (1 + costs.straightOn), 1);
}

TEST(SmReplay, WarpsArriveAtABarrierOneAfterTheOther) {
  const machine::Device h200 = device("h200");
  TraceBuilder builder;
  const profile::KernelTrace few = builder.barrier().trace(1, 4, 100);
  const profile::KernelTrace many = builder.trace(1, 32, 100);
  const double more = (cyclesOn(h200, many, 1, 1) - cyclesOn(h200, few, 1, 1)) / 100;
  EXPECT_NEAR(more, 28 * h200.controlCycles->barrierPerWarp, 2);
}

TEST(SmReplay, AConditionDelaysWhatNeedsItAndNothingElse) {
  const machine::Device h200 = device("h200");
  const DeviceCosts costs(h200);
  profile::KernelShape shape{{{}}, 3};
  const profile::Step condition{.kind = profile::StepKind::Merge,
                                .issues = 0,
                                .waitsForPredicate = true,
                                .result = 1,
                                .operands = {0, -1, -1, -1}};
  const profile::Step needs{.unit = Unit::Fp32, .operands = {1, -1, -1, -1}};
  shape.blocks[0].steps = {{.unit = Unit::Int32, .result = 0}, condition, {.unit = Unit::Fp32}};
  TraceBuilder builder;
  profile::KernelTrace trace = builder.trace(1, 1);
  trace.shape = &shape;
  EXPECT_NEAR(cyclesOn(h200, trace, 1, 1), 2, 1e-9);
  shape.blocks[0].steps.push_back(needs);
  EXPECT_NEAR(cyclesOn(h200, trace, 1, 1), h200.controlCycles->predicate + 1, 1e-9);
}

/// A kernel of one block whose machine instructions are known, run some times by one warp.
struct Planned {
  Planned(std::vector<profile::Step> steps, std::uint32_t times, unsigned rounds = 1) {
    const auto instructions = std::uint32_t(steps.size());
    shape.blocks.push_back({.steps = std::move(steps),
                            .instructions = instructions,
                            .isMachineCode = true,
                            .rounds = rounds});
    profile::WarpTrace warp;
    warp.uses = {{.active = 32}};
    for (std::uint32_t i = 0; i < times; ++i)
      warp.executions.push_back({0, 0, i});
    trace = {&shape, {{0, true, {warp}}}, {}, times};
  }

  double cycles(const machine::Device& on) const { return cyclesOn(on, trace, 1, 1); }

  profile::KernelShape shape;
  profile::KernelTrace trace;
};

TEST(SmReplay, APlannedStepStallsTheWarpAsPlanned) {
  const auto waiting = [](std::uint8_t cycles) {
    return profile::Step{.unit = Unit::Control, .stall = cycles};
  };
  const Planned three({waiting(1), waiting(6), waiting(13)}, 10);
  EXPECT_EQ(three.cycles(device("h200")), 10 * 20);
}

TEST(SmReplay, AScoreboardIsClearWhenTheResultIsThere) {
  const machine::Device h200 = device("h200");
  const DeviceCosts costs(h200);
  const profile::Step load{.kind = profile::StepKind::Access,
                           .unit = Unit::LoadStore,
                           .space = profile::MemorySpace::Shared,
                           .stall = 1,
                           .sets = 3};
  const profile::Step other{.stall = 1, .waits = 1U << 2}, use{.stall = 1, .waits = 1U << 3};
  EXPECT_EQ(Planned({load, other}, 1).cycles(h200), 2) << "another scoreboard";
  EXPECT_GE(Planned({load, use}, 1).cycles(h200), costs.latencyOf(Unit::LoadStore));
}

TEST(SmReplay, AnUnrolledBlockStandsForItsRounds) {
  const std::vector<profile::Step> steps = {{.stall = 5}, {.stall = 5}};
  EXPECT_EQ(Planned(steps, 12, 4).cycles(device("h200")), 3 * 10);
  EXPECT_EQ(Planned(steps, 13, 4).cycles(device("h200")), 4 * 10);
}

/// In whatever order: ptxas moves loads. What no lane did moves nothing.
TEST(SmReplay, APlannedAccessFindsItsTraffic) {
  const machine::Device h200 = device("h200");
  const auto load = [](int site) {
    return profile::Step{.kind = profile::StepKind::Access,
                         .unit = Unit::LoadStore,
                         .site = site,
                         .stall = 1,
                         .sets = 0};
  };
  const profile::Step use{.stall = 1, .waits = 1};
  const auto cyclesOf = [&](std::vector<profile::Traffic> traffic) {
    Planned both({load(1), load(0), use}, 1);
    both.trace.blocks[0].warps[0].traffic = std::move(traffic);
    return both.cycles(h200);
  };
  const double none = cyclesOf({}), first = cyclesOf({{0, 4, 4}}),
               both = cyclesOf({{0, 4, 4}, {1, 4, 4}}), wide = cyclesOf({{0, 4, 4}, {1, 32, 32}});
  EXPECT_LT(none, first);
  EXPECT_LT(first, both);
  EXPECT_LT(both, wide);
}

TEST(SmReplay, AUnitIsSharedByAllSchedulers) {
  const machine::Device h200 = device("h200");
  TraceBuilder special, fp32;
  const profile::KernelTrace slow = special.independent(100, Unit::Special).trace(1, 16);
  const profile::KernelTrace fast = fp32.independent(100, Unit::Fp32).trace(1, 16);
  EXPECT_NEAR(cyclesOn(h200, slow, 1, 1), 16 * 100 * 32 / 16.0, 16);
  EXPECT_NEAR(cyclesOn(h200, fast, 1, 1), 16 * 100 / 4.0, 16) << "four schedulers, one each";
}

TEST(SmReplay, ShiftsAndLogicShareAPipeSumsHaveAnother) {
  const machine::Device h200 = device("h200");
  TraceBuilder shifts, sums;
  const profile::KernelTrace one =
      shifts.independent(100, Unit::Shift).independent(100, Unit::Int32).trace(1, 16);
  const profile::KernelTrace two =
      sums.independent(100, Unit::IntAdd).independent(100, Unit::Int32).trace(1, 16);
  EXPECT_NEAR(cyclesOn(h200, one, 1, 1), 16 * 200 / 2.0, 16);
  EXPECT_LT(cyclesOn(h200, two, 1, 1), 16 * 200 / 2.0 * 0.8);
}

TEST(SmReplay, FirstWarpsOfBlocksDoNotShareOneScheduler) {
  const machine::Device h200 = device("h200");
  TraceBuilder builder;
  profile::KernelTrace trace = builder.independent(100, Unit::Fp32).trace(1, 4);
  // The first warp of every block of four has twice the work: 5/4 of that of equal warps in all.
  const double equal = cyclesOn(h200, trace, 16, 160);
  trace.blocks[0].warps[0].executions.push_back({0, 0});
  const double share = cyclesOn(h200, trace, 16, 160) / equal;
  EXPECT_GT(share, 1.2);
  EXPECT_LT(share, 1.6) << "twice the time, were they all on one scheduler";
}

TEST(SmReplay, MemoryMovesItsBytesAndNoFaster) {
  const machine::Device g80 = device("8800gtx");
  TraceBuilder builder;
  for (int i = 0; i < 20; ++i)
    builder.load(4);
  const profile::KernelTrace trace = builder.trace(1, 8);
  const DeviceCosts costs(g80);
  const ReplayResult result =
      replay(trace, costs, {.resident = 3, .blocks = 30, .bytesPerCycle = 4});
  const double bytes = 30.0 * 8 * 20 * 4 * 32;
  EXPECT_NEAR(result.memoryBusy, bytes / 4, 1);
  EXPECT_GE(result.cycles, bytes / 4);
  EXPECT_LE(result.cycles, bytes / 4 + 2 * 20 * 500) << "24 warps keep the memory busy";
}

/// Loops with two and with four loads in flight: 3.6 and 4.4 of 4.66 TB/s on an H200.
TEST(SmReplay, MemoryCrowdsBeforeItIsFull) {
  const machine::Device h200 = device("h200");
  const DeviceCosts costs(h200);
  const auto busy = [&](int loadsAtOnce) {
    TraceBuilder builder;
    builder.loads(loadsAtOnce, 4);
    const profile::KernelTrace trace = builder.trace(1, 64, 64);
    const ReplayResult result =
        replay(trace, costs, {.resident = 1, .blocks = 1, .bytesPerCycle = costs.dramBytes / 132});
    return result.memoryBusy / result.cycles;
  };
  EXPECT_NEAR(busy(2), 0.78, 0.04);
  EXPECT_NEAR(busy(4), 0.95, 0.04);
}

TEST(SmReplay, WhatComesFromTheL2IsNearer) {
  const machine::Device h200 = device("h200");
  const DeviceCosts costs(h200);
  constexpr int count = 1000;
  TraceBuilder builder;
  for (int i = 0; i < count; ++i)
    builder.load(4);
  const profile::KernelTrace trace = builder.trace(1, 1);
  const auto ofALoad = [&](double fromDram) {
    const ReplaySettings settings{.bytesPerCycle = 18,
                                  .l2BytesPerCycle = 33,
                                  .fromDram = std::vector<double>(count, fromDram)};
    return replay(trace, costs, settings).cycles / count;
  };
  EXPECT_NEAR(ofALoad(1) - ofALoad(0), 720 - 287, 25);
  EXPECT_NEAR(ofALoad(0.5) - ofALoad(0), (720 - 287) / 2.0, 25);
}

/// On an H200 a warp's load takes 788 cycles in the mean, the longest of a block's eight 896.
TEST(SmReplay, SomeLoadsTakeLongerThanOthers) {
  const machine::Device h200 = device("h200");
  const DeviceCosts costs(h200);
  TraceBuilder builder;
  const ReplaySettings settings{.resident = 1, .blocks = 200, .bytesPerCycle = 18};
  builder.load(4);
  const double one = replay(builder.trace(1, 1), costs, settings).cycles / settings.blocks;
  const double longest = replay(builder.trace(1, 8), costs, settings).cycles / settings.blocks;
  const double bytes = 7 * 4 * 32 / 18.0, starts = 7 * costs.warpStart;
  EXPECT_NEAR(longest - one - bytes - starts, 896 - 788, 40);
}

/// On an H200 it keeps its place 55 to 85 cycles longer than one that does nothing
/// (bench/cuda/device_blocks.cu), where a load takes 330.
TEST(SmReplay, ABlockWaitsUntilItsStoresAreTaken) {
  const machine::Device h200 = device("h200");
  const DeviceCosts costs(h200);
  const ReplaySettings settings{
      .resident = 1, .blocks = 100, .bytesPerCycle = 18, .l2BytesPerCycle = 33, .fromDram = {0}};
  TraceBuilder nothing, store;
  nothing.independent(1, Unit::Int32);
  store.independent(1, Unit::Int32).store(4);
  const double more = replay(store.trace(1, 4), costs, settings).cycles -
                      replay(nothing.trace(1, 4), costs, settings).cycles;
  EXPECT_NEAR(more / 99, 75, 15);
}

TEST(SmReplay, FewWarpsWaitForMemory) {
  const machine::Device g80 = device("8800gtx");
  TraceBuilder builder;
  for (int i = 0; i < 20; ++i)
    builder.load(4);
  EXPECT_NEAR(cyclesOn(g80, builder.trace(1, 1), 1, 1), 20 * (500 + 128 / 59.0 + 8), 200);
}

TEST(SmReplay, ABarrierWaitsForTheLastWarp) {
  const machine::Device h200 = device("h200");
  TraceBuilder builder;
  profile::KernelTrace trace = builder.chain(10, Unit::Fp32).barrier().trace(1, 2, 2);
  const double both = cyclesOn(h200, trace, 1, 1);
  trace.blocks[0].warps[1].executions.resize(1); // ends after one barrier: the other goes on
  EXPECT_NEAR(cyclesOn(h200, trace, 1, 1), both, 8);
}

TEST(SmReplay, BlocksRunInWaves) {
  const machine::Device g80 = device("8800gtx");
  TraceBuilder builder;
  const profile::KernelTrace trace = builder.chain(100, Unit::Fp32).trace(1, 1);
  const double wave = cyclesOn(g80, trace, 2, 2);
  EXPECT_NEAR(cyclesOn(g80, trace, 2, 6), 3 * wave, 30);
  EXPECT_NEAR(cyclesOn(g80, trace, 2, 5), 3 * wave, 30) << "the tail is as long as a wave";
}

/// As on an H200 (bench/cuda/device_turns.cu): four blocks with a warp on each scheduler fill it,
/// two more take as long again.
TEST(SmReplay, WarpsOfTheOldestBlocksIssueFirst) {
  TraceBuilder builder;
  const profile::KernelTrace trace = builder.chain(1000, Unit::Fp32).trace(1, 4);
  const double alone = cyclesOn(device("h200"), trace, 6, 1);
  EXPECT_NEAR(cyclesOn(device("h200"), trace, 6, 4), alone, 0.05 * alone);
  EXPECT_NEAR(cyclesOn(device("h200"), trace, 6, 6), 2 * alone, 0.1 * alone);
  TraceBuilder one;
  const profile::KernelTrace together = one.chain(1000, Unit::Fp32).trace(1, 24);
  EXPECT_NEAR(cyclesOn(device("h200"), together, 1, 1), 1.5 * alone, 0.1 * alone)
      << "warps of one block take turns";
}

/// Which warp wants a sector first, and waits for the L2, is found by the replay.
TEST(SmReplay, ASectorOfTheBlockComesOnce) {
  TraceBuilder builder;
  builder.load(4);
  profile::KernelTrace trace = builder.trace(1, 2);
  const auto with = [&](std::vector<std::uint32_t> first, std::vector<std::uint32_t> second) {
    profile::BlockTrace& block = trace.blocks[0];
    block.sectors = 8;
    block.warps[0].sectors = std::move(first);
    block.warps[1].sectors = std::move(second);
    for (profile::WarpTrace& warp : block.warps)
      warp.traffic[0] = {0, 4, 4, 0};
    ReplaySettings settings;
    settings.fromDram = {0};
    settings.l2BytesPerCycle = 32;
    return replay(trace, DeviceCosts(device("h200")), settings);
  };
  const ReplayResult apart = with({0, 1, 2, 3}, {4, 5, 6, 7}),
                     same = with({0, 1, 2, 3}, {0, 1, 2, 3});
  EXPECT_DOUBLE_EQ(apart.memoryBusy, 2 * same.memoryBusy);
  EXPECT_GT(same.cycles, 280) << "the second warp waits for what the first has asked for";
}

/// One warp that writes to these sectors, each time the same, with other steps between.
double cyclesToWrite(const std::vector<std::uint32_t>& sectors, int times, int between) {
  const machine::Device h200 = device("h200");
  TraceBuilder builder;
  for (int i = 0; i < times; ++i)
    builder.independent(between, Unit::IntAdd).store(int(sectors.size()));
  profile::KernelTrace trace = builder.trace(1, 1);
  trace.blocks[0].sectors = 1024;
  profile::WarpTrace& warp = trace.blocks[0].warps[0];
  for (profile::Traffic& traffic : warp.traffic) {
    traffic = {traffic.site, std::uint16_t(sectors.size()), 0, std::uint32_t(warp.sectors.size())};
    warp.sectors.insert(warp.sectors.end(), sectors.begin(), sectors.end());
  }
  const DeviceCosts costs(h200);
  return replay(trace, costs,
                {.writeBytesPerCycle = costs.writeBytesOfOne,
                 .fromDram = std::vector<double>(std::size_t(times), 0.0)})
      .cycles;
}

std::vector<std::uint32_t> sectorsOf(std::uint32_t count, std::uint32_t stride) {
  std::vector<std::uint32_t> sectors;
  for (std::uint32_t i = 0; i < count; ++i)
    sectors.push_back(i * stride);
  return sectors;
}

/// bench/cuda/device_strided.cu: a word of each of 32 records takes as long as the sectors it lies
/// in, although their other words have been written before, or twice that where each has a line of
/// its own.
TEST(SmReplay, EachWriteGoesToTheL2) {
  const DeviceCosts costs(device("h200"));
  const double ofOne = 32 * 32 / costs.writeBytesOfOne;
  const double packed = cyclesToWrite(sectorsOf(32, 1), 10, 10),
               apart = cyclesToWrite(sectorsOf(32, 4), 10, 10);
  EXPECT_NEAR(packed / (10 * ofOne), 1, 0.3);
  EXPECT_NEAR(apart / packed, costs.writeBytesOfLine / 32, 0.3);
}

TEST(SmReplay, StoresToFewLinesThatFollowOneAnotherAreJoined) {
  const double joined = cyclesToWrite(sectorsOf(16, 1), 16, 0),
               separate = cyclesToWrite(sectorsOf(16, 1), 16, 10),
               many = cyclesToWrite(sectorsOf(16, 4), 16, 0);
  EXPECT_LT(joined, separate / 2) << "four lines";
  EXPECT_GT(many, separate) << "sixteen";
}

/// bench/cuda/device_lines.cu: 3.2 cycles for 9 lines, 8.7 for 32; or as many as words are wanted
/// of one bank.
TEST(SmReplay, TheL1TakesAnAccessByItsLinesAndBanks) {
  const machine::Device h200 = device("h200");
  const auto turn = [&](std::uint32_t stride, std::uint16_t banks) {
    TraceBuilder builder;
    builder.load(32);
    profile::KernelTrace trace = builder.trace(1, 16, 50);
    trace.blocks[0].sectors = 32 * 4;
    for (profile::WarpTrace& warp : trace.blocks[0].warps) {
      warp.sectors = sectorsOf(32, stride);
      for (profile::Traffic& traffic : warp.traffic)
        traffic = {0, 32, 0, 0, banks};
    }
    const DeviceCosts costs(h200);
    return replay(trace, costs, {.l2BytesPerCycle = 1e6, .fromDram = {0}}).cycles / (16 * 50);
  };
  EXPECT_NEAR(turn(4, 1), 9.6, 1) << "32 lines";
  EXPECT_NEAR(turn(1, 8), 8, 1) << "8 words of one bank";
  EXPECT_LT(turn(1, 1), 5.5) << "8 lines";
}

/// Where nobody polls: what polls is left out of a launch.
TEST(SmReplay, AVolatileLoadComesFromTheL2EachTime) {
  const machine::Device h200 = device("h200");
  TraceBuilder builder;
  builder.load(1);
  profile::KernelTrace trace = builder.trace(1, 1, 10);
  trace.blocks[0].sectors = 4;
  trace.blocks[0].warps[0].sectors = {0};
  for (profile::Traffic& traffic : trace.blocks[0].warps[0].traffic)
    traffic = {0, 1, 0, 0};
  const auto cycles = [&] {
    return replay(trace, DeviceCosts(h200), {.l2BytesPerCycle = 1e6, .fromDram = {0}}).cycles;
  };
  const double cached = cycles();
  profile::KernelShape shape = *trace.shape;
  shape.blocks[0].steps[0].isStrong = true;
  trace.shape = &shape;
  EXPECT_NEAR(cycles() - cached, 9 * (280 - 33), 60);
  trace.polls = 1;
  EXPECT_EQ(cycles(), cached);
}

} // namespace
} // namespace heddle::timing
