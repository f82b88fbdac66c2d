// SPDX-License-Identifier: Apache-2.0
//
// Accounts computed by hand. A loop of dependent steps that the optimiser cannot remove makes each
// path long enough to tell who lost what.
#include "EngineFixture.h"

namespace heddle::engine {
namespace {

using profile::LaunchProfile;

LaunchProfile profileOf(const std::string& body, int grid, int block) {
  const auto kernel =
      compileText("extern \"C\" __global__ void k(int* a, int n) {\n" + body + "\n}");
  EXPECT_TRUE(kernel) << kernel.error().message;
  std::vector<int> data(std::size_t(grid) * std::size_t(block) + 64, 1);
  auto profile = runOn(*kernel, data, grid, block);
  EXPECT_TRUE(profile) << profile.error().message;
  EXPECT_TRUE(profile->addsUp());
  return *profile;
}

TEST(Account, StraightCodeLosesNothing) {
  const LaunchProfile p = profileOf("a[threadIdx.x] = threadIdx.x * 3;", 2, 64);
  EXPECT_EQ(p.efficiency(), 1.0);
  EXPECT_EQ(p.warpInstructions % 4, 0u) << "four warps run the same instructions";
}

TEST(Account, PartialWarpsLoseTheMissingLanes) {
  const LaunchProfile p = profileOf("a[threadIdx.x] = threadIdx.x * 3;", 1, 40);
  // Two warps, of 32 and of 8 lanes: 24 of 64 lanes are missing.
  EXPECT_EQ(p.lostToPartial, p.slots() * 24 / 64);
  EXPECT_EQ(p.lostToBranches() + p.lostToFinished, 0u);
}

TEST(Account, OneLaneOnAPathLosesThirtyOne) {
  const LaunchProfile p = profileOf(R"(
      volatile int* v = a;
      if (threadIdx.x == 0) { v[0] += 1; v[0] += 2; v[0] += 3; v[0] += 4; })",
                                    1, 32);
  ASSERT_EQ(p.branches.size(), 1u);
  EXPECT_EQ(p.branches[0].where.line, 4);
  EXPECT_EQ(p.branches[0].executions, 1u);
  EXPECT_EQ(p.branches[0].divergentExecutions, 1u);
  EXPECT_EQ(p.branches[0].laneExecutions, 32u);
  // load, add, store four times, and the addresses: whatever the path holds, 31 lanes miss all of
  // it
  EXPECT_GE(p.branches[0].lostSlots, 31u * 12);
  EXPECT_EQ(p.branches[0].lostSlots % 31, 0u);
  EXPECT_EQ(p.lostToBranches() + p.threadInstructions, p.slots());
}

TEST(Account, BothSidesOfAnEvenBranchLoseTheOther) {
  const LaunchProfile p = profileOf(R"(
      volatile int* v = a + threadIdx.x;
      if (threadIdx.x & 1) { *v += 1; *v += 2; } else { *v *= 3; *v *= 5; })",
                                    1, 32);
  ASSERT_EQ(p.branches.size(), 1u);
  EXPECT_EQ(p.branches[0].lanesTaken, 16u);
  EXPECT_EQ(p.branches[0].lostSlots % 16, 0u);
  EXPECT_EQ(p.lostToBranches(), p.branches[0].lostSlots);
  // Each side runs with 16 of 32 lanes: as much lost as used there.
  const std::uint64_t onPaths = 2 * p.branches[0].lostSlots;
  EXPECT_EQ(p.slots() - onPaths, p.threadInstructions - p.branches[0].lostSlots);
}

TEST(Account, AUniformBranchLosesNothing) {
  const LaunchProfile p = profileOf(R"(
      volatile int* v = a + threadIdx.x;
      if (blockIdx.x & 1) { *v += 1; *v += 2; } else { *v *= 3; })",
                                    4, 64);
  EXPECT_EQ(p.efficiency(), 1.0);
  ASSERT_EQ(p.branches.size(), 1u);
  EXPECT_EQ(p.branches[0].executions, 8u);
  EXPECT_EQ(p.branches[0].divergentExecutions, 0u);
}

TEST(Account, WarpGranularityDoesNotDiverge) { // ME964: threadIdx.x / WARP_SIZE >= 2
  EXPECT_EQ(
      profileOf("volatile int* v = a; if (threadIdx.x / 32 >= 2) v[threadIdx.x] += 1;", 1, 128)
          .efficiency(),
      1.0);
  EXPECT_LT(profileOf("volatile int* v = a; if (threadIdx.x > 2) v[threadIdx.x] += 1;", 1, 128)
                .efficiency(),
            1.0);
}

TEST(Account, ReturnedThreadsAreFinishedAndNotDivergent) {
  const LaunchProfile p = profileOf(R"(
      volatile int* v = a + threadIdx.x;
      if (threadIdx.x >= 8) return;
      for (int t = 0; t < 100; t++) *v += t;)",
                                    1, 32);
  // The optimiser may fold the return into the loop's guard; either way 24 lanes miss the loop.
  EXPECT_EQ((p.lostToFinished + p.lostToBranches()) % 24, 0u);
  EXPECT_NEAR(p.efficiency(), 0.25, 0.03);
}

TEST(Account, LoopsOfDifferentLengthLoseTheShortLanes) {
  const LaunchProfile p = profileOf(R"(
      volatile int* v = a + threadIdx.x;
      #pragma unroll 1
      for (int t = 0; t <= threadIdx.x; t++) *v += t;)",
                                    1, 32);
  // Iteration t runs with 32 - t lanes: on average 16.5 of 32.
  EXPECT_NEAR(p.efficiency(), 16.5 / 32, 0.02);
}

TEST(Account, DoesNotDependOnTheNumberOfBlocksPerThread) {
  const LaunchProfile one =
      profileOf("volatile int* v = a; if (threadIdx.x & 3) v[threadIdx.x] += 1;", 1, 64);
  const LaunchProfile many =
      profileOf("volatile int* v = a; if (threadIdx.x & 3) v[threadIdx.x] += 1;", 50, 64);
  EXPECT_EQ(many.warpInstructions, 50 * one.warpInstructions);
  ASSERT_EQ(one.branches.size(), 1u);
  EXPECT_EQ(many.branches[0].lostSlots, 50 * one.branches[0].lostSlots);
}

} // namespace
} // namespace heddle::engine
