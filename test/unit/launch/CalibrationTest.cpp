// SPDX-License-Identifier: Apache-2.0
//
// How the account follows what machine code counted. Samples are runs of two small programs whose
// counts are known.
#include "launch/Calibration.h"

#include <gtest/gtest.h>

namespace heddle::launch {
namespace {

using sassrun::Encoding;

constexpr Encoding block = {0x00000000000479c3, 0x000e620000002500}; // S2UR UR4, SR_CTAID.X
constexpr Encoding copy = {0x0000000400027c02, 0x000fe20008000f00};  // MOV R2, UR4
constexpr Encoding count = {0xffffffff02027836, 0x000fe20000000000}; // VIADD R2, R2, -0x1
constexpr Encoding isLeft = {0xffffffff0200780c,
                             0x000fc80003f04270}; // ISETP.GT.AND P0, PT, R2, -0x1, PT
constexpr Encoding again = {0xfffffffc00f40947, 0x000fec000383ffff};   // @P0 BRA, two back
constexpr Encoding nop = {0x0000000000007918, 0x000fc00000000000};     // NOP
constexpr Encoding exitAll = {0x000000000000794d, 0x000fea0003800000}; // EXIT

/// Ran some blocks of so many threads.
struct Sample {
  Sample(const std::vector<Encoding>& code, int threads, const std::vector<std::int64_t>& blocks)
      : program(sassrun::Program::fromCode(code)),
        run(
            *program, *program->kernel("code"), {.grid = {100, 1, 1}, .block = {threads, 1, 1}},
            [](std::uint64_t) { return sassrun::LiveRange{}; }, 100'000) {
    for (const std::int64_t each : blocks)
      run.run(each);
    EXPECT_EQ(run.failure(), "");
  }

  std::unique_ptr<sassrun::Program> program;
  sassrun::SampleRun run;
};

/// What the engine says of a launch.
engine::LaunchOutcome outcomeOf(std::uint64_t blocks, std::uint64_t warps, std::uint64_t lanes) {
  engine::LaunchOutcome made;
  made.profile.blocks = blocks;
  made.profile.warpInstructions = warps;
  made.profile.threadInstructions = lanes;
  return made;
}

void calibrate(const sassrun::SampleRun& run, engine::LaunchOutcome& outcome) {
  if (const auto found = calibrationOf(run, outcome, ptx::SourceLines("")))
    apply(*found, outcome.profile);
}

/// All lost slots to one branch.
void loseToBranch(engine::LaunchOutcome& outcome) {
  profile::BranchProfile branch;
  branch.lostSlots = outcome.profile.slots() - outcome.profile.threadInstructions;
  outcome.profile.branches.push_back(branch);
}

const std::vector<Encoding> straight = {nop, nop, nop, exitAll};
/// Block b makes b + 1 rounds, of 3 instructions: 3 b + 6 in all.
const std::vector<Encoding> rounds = {block, copy, count, isLeft, again, exitAll};

TEST(Calibration, SumsOfAllBlocksAreTaken) {
  const Sample sample(rounds, 32, {0, 1, 2});
  auto outcome = outcomeOf(3, 1000, 16000);
  loseToBranch(outcome);
  for (const std::int64_t each : {0, 1, 2})
    outcome.sampled[each] = {333, 5000};
  calibrate(sample.run, outcome);
  EXPECT_EQ(outcome.profile.warpInstructions, 6U + 9 + 12);
  EXPECT_EQ(outcome.profile.threadInstructions, 32 * (6U + 9 + 12));
  EXPECT_EQ(outcome.profile.branches[0].lostSlots, 0U);
  EXPECT_TRUE(outcome.profile.addsUp());
}

/// Where blocks differ as the engine says they do, its sum is multiplied.
TEST(Calibration, SamplesGoByTheRatio) {
  const Sample sample(rounds, 32, {8, 18}); // 30 and 60
  auto outcome = outcomeOf(100, 2000, 64000);
  outcome.sampled[8] = {10, 320};
  outcome.sampled[18] = {20, 640};
  calibrate(sample.run, outcome);
  EXPECT_EQ(outcome.profile.warpInstructions, 6000U);
  EXPECT_EQ(outcome.profile.threadInstructions, 6000U * 32);
  EXPECT_TRUE(outcome.profile.addsUp());
}

/// Where the engine's blocks differ and those of machine code do not, their mean counts.
TEST(Calibration, SamplesGoByTheMean) {
  const Sample sample(straight, 32, {1, 2}); // 4 each
  auto outcome = outcomeOf(100, 5000, 5000 * 32);
  outcome.sampled[1] = {10, 320};
  outcome.sampled[2] = {90, 2880};
  calibrate(sample.run, outcome);
  EXPECT_EQ(outcome.profile.warpInstructions, 400U);
  EXPECT_EQ(outcome.profile.threadInstructions, 400U * 32);
}

/// Lanes without a thread keep their share, and what is left goes to whom it went before.
TEST(Calibration, LostSlotsKeepTheirOwners) {
  const Sample sample(straight, 24, {0}); // 4, with 24 lanes
  auto outcome = outcomeOf(1, 8, 8 * 20);
  outcome.profile.lostToPartial = 8 * 8;
  outcome.profile.lostToFinished = 8;
  profile::BranchProfile branch;
  branch.lostSlots = 24;
  branch.pathInstructions = {6, 2};
  outcome.profile.branches = {branch};
  ASSERT_TRUE(outcome.profile.addsUp());
  outcome.sampled[0] = {8, 160};
  calibrate(sample.run, outcome);
  EXPECT_EQ(outcome.profile.lostToPartial, 4U * 8);
  EXPECT_EQ(outcome.profile.threadInstructions, 4U * 24);
  EXPECT_EQ(outcome.profile.branches[0].pathInstructions[0], 3U);
  EXPECT_EQ(outcome.profile.branches[0].pathInstructions[1], 1U);
  EXPECT_TRUE(outcome.profile.addsUp());
}

/// The engine saw no lane lost, machine code did: somebody has to own them.
TEST(Calibration, AddsUpWhereNobodyHadLostLanes) {
  const Sample sample(straight, 24, {0});
  auto outcome = outcomeOf(1, 4, 4 * 32);
  ASSERT_TRUE(outcome.profile.addsUp());
  outcome.sampled[0] = {4, 128};
  calibrate(sample.run, outcome);
  EXPECT_EQ(outcome.profile.threadInstructions, 4U * 24);
  EXPECT_EQ(outcome.profile.lostToSequences, 4U * 8);
  EXPECT_TRUE(outcome.profile.addsUp());
}

TEST(Calibration, NothingChangesWithoutTheEnginesCounts) {
  const Sample sample(straight, 32, {0, 1});
  auto outcome = outcomeOf(2, 50, 1600);
  outcome.sampled[0] = {25, 800};
  calibrate(sample.run, outcome);
  EXPECT_EQ(outcome.profile.warpInstructions, 50U);
}

TEST(Calibration, ASampleThatFailedIsNotUsed) {
  const auto program = sassrun::Program::fromCode({{0xfffffffc00f07947, 0x000fc0000383ffff}});
  sassrun::SampleRun run(
      *program, *program->kernel("code"), {.block = {32, 1, 1}},
      [](std::uint64_t) { return sassrun::LiveRange{}; }, 1000);
  run.run(0);
  EXPECT_NE(run.failure(), "");
  auto outcome = outcomeOf(1, 50, 1600);
  outcome.sampled[0] = {50, 1600};
  calibrate(run, outcome);
  EXPECT_EQ(outcome.profile.warpInstructions, 50U);
}

} // namespace
} // namespace heddle::launch
