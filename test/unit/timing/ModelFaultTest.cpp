// SPDX-License-Identifier: Apache-2.0
#include "timing/ModelFault.h"

#include "TraceBuilder.h"
#include "timing/TimeLaunch.h"

namespace heddle::timing {
namespace {

using profile::LaneUse;
using profile::StepKind;
using profile::Unit;

constexpr int warps = 8;

profile::KernelTiming timed(const machine::Device& on, const profile::KernelTrace& trace,
                            ModelFault fault, int registers, int shared = 0) {
  LaunchTimer timer(on, fault);
  profile::KernelProfile launch;
  launch.block = {32 * warps, 1, 1};
  launch.blocks = 1600;
  launch.branches.resize(2);
  launch.warpInstructions = 1600 * warps * trace.blocks[0].warps[0].instructions;
  const machine::Residency residency =
      machine::residencyOf(on, {.threads = 32 * warps, .registers = registers, .shared = shared},
                           machine::RegisterCount::Fixed);
  timer.time(trace, {registers, 0, profile::RegisterSource::Kind::Given}, residency, launch);
  return *launch.timing;
}

TEST(ModelFault, WithoutOccupancyRegistersAndSharedMemoryAreFree) {
  const machine::Device g80 = device("8800gtx");
  TraceBuilder builder;
  const profile::KernelTrace trace = builder.load(4).chain(10, Unit::Fp32).trace(4, warps, 4);
  const auto seconds = [&](ModelFault fault, int registers, int shared) {
    return timed(g80, trace, fault, registers, shared).seconds;
  };
  const double light = seconds(ModelFault::None, 6, 0);
  EXPECT_GT(seconds(ModelFault::None, 13, 0), 1.05 * light);
  EXPECT_GT(seconds(ModelFault::None, 6, 9000), 1.05 * light);
  EXPECT_EQ(seconds(ModelFault::IgnoreOccupancy, 13, 0), light);
  EXPECT_EQ(seconds(ModelFault::IgnoreOccupancy, 6, 9000), light);
}

/// Block 0 runs with all lanes; block 1 is a side of a branch, with a load of its own.
class DividedWarp : public testing::Test {
protected:
  profile::KernelTrace divided(const LaneUse& side) {
    const auto load = [](int site) {
      return profile::Step{
          .kind = StepKind::Access, .unit = Unit::LoadStore, .bytes = 4, .site = site};
    };
    shape_.blocks = {
        {{load(0), {.unit = Unit::Fp32}}, 2},
        {{{.unit = Unit::Fp32}, load(1), {.unit = Unit::Fp32}, {.unit = Unit::Fp32}}, 4}};
    for (profile::BlockShape& block : shape_.blocks)
      block.work = profile::workOf(block.steps);
    profile::WarpTrace warp{.executions = {{0, 0}, {1, 1}, {0, 0}},
                            .traffic = {{0, 4, 4}, {1, 9, 9}, {0, 5, 5}},
                            .uses = {{.active = 32}, side},
                            .instructions = 80};
    profile::KernelTrace trace{&shape_, {}, {}, 80};
    trace.blocks.push_back({0, true, std::vector<profile::WarpTrace>(warps, warp)});
    return trace;
  }

  profile::KernelShape shape_;
};

TEST_F(DividedWarp, TheSmallerSideGoesWithItsTraffic) {
  const FreedTrace freed = withoutSmallerSides(divided({.active = 8, .branches = {{0, 24}}}));
  const profile::WarpTrace& warp = freed.trace.blocks.at(0).warps.at(0);
  ASSERT_EQ(warp.executions.size(), 2U);
  EXPECT_EQ(warp.executions[1].block, 0U);
  ASSERT_EQ(warp.traffic.size(), 2U);
  EXPECT_EQ(warp.traffic[0].transactions, 4);
  EXPECT_EQ(warp.traffic[1].transactions, 5);
  EXPECT_DOUBLE_EQ(freed.kept, 0.5);
  EXPECT_EQ(warp.instructions, 40U);
  EXPECT_EQ(freed.trace.longestWarp, 40U);
}

TEST_F(DividedWarp, BranchesInBranchesAddUp) {
  const LaneUse third{.active = 10, .branches = {{1, 6}, {0, 16}}};
  EXPECT_DOUBLE_EQ(withoutSmallerSides(divided(third)).kept, 0.5);
}

TEST_F(DividedWarp, OtherExecutionsStay) {
  const LaneUse larger{.active = 24, .branches = {{0, 8}}},
      half{.active = 16, .branches = {{0, 16}}}, inner{.active = 20, .branches = {{1, 4}, {0, 8}}},
      finished{.active = 8, .finished = 24};
  for (const LaneUse& use : {larger, half, inner, finished}) {
    const FreedTrace freed = withoutSmallerSides(divided(use));
    EXPECT_EQ(freed.trace.blocks[0].warps[0].executions.size(), 3U);
    EXPECT_EQ(freed.trace.blocks[0].warps[0].traffic.size(), 3U);
    EXPECT_DOUBLE_EQ(freed.kept, 1);
  }
}

TEST_F(DividedWarp, AFreePathTakesNoTime) {
  const machine::Device g80 = device("8800gtx");
  const LaneUse small{.active = 8, .branches = {{0, 24}}}, all{.active = 32};
  const auto cycles = [&](const LaneUse& side, ModelFault fault) {
    return timed(g80, divided(side), fault, 6).cycles;
  };
  EXPECT_EQ(cycles(all, ModelFault::FreePath), cycles(all, ModelFault::None));
  EXPECT_LT(cycles(small, ModelFault::FreePath), 0.7 * cycles(small, ModelFault::None));
}

} // namespace
} // namespace heddle::timing
