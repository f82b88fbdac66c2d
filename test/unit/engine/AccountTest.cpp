// SPDX-License-Identifier: Apache-2.0
//
// Accounts computed by hand. A loop of dependent steps that the optimiser cannot remove makes each
// path long enough to tell who lost what.
#include "EngineFixture.h"

#include <numeric>

namespace heddle::engine {
namespace {

using profile::KernelProfile;

KernelProfile profileOf(const std::string& body, int grid, int block) {
  const auto kernel =
      compileText("extern \"C\" __global__ void k(int* a, int n) {\n" + body + "\n}");
  EXPECT_TRUE(kernel) << kernel.error().message;
  std::vector<int> data(std::size_t(grid) * std::size_t(block) + 1024, 1);
  auto profile = runOn(*kernel, data, grid, block);
  EXPECT_TRUE(profile) << profile.error().message;
  EXPECT_TRUE(profile->addsUp());
  return *profile;
}

/// The branch at a line of the kernel's text; its first line is 1.
const profile::BranchProfile& branchAt(const KernelProfile& p, int line) {
  for (const profile::BranchProfile& branch : p.branches)
    if (branch.site.where.line == line)
      return branch;
  ADD_FAILURE() << "no branch at line " << line;
  return p.branches.at(0);
}

/// What a split must have lost: for each side, the lanes of the other one while it ran.
std::uint64_t lostBySides(const profile::BranchProfile& branch, std::uint64_t lanesMissingFirst,
                          std::uint64_t lanesMissingSecond) {
  return branch.pathInstructions[0] * lanesMissingFirst +
         branch.pathInstructions[1] * lanesMissingSecond;
}

/// What runs differently between two runs of a kernel says how long a turn of its loop is, whatever
/// counts as an instruction. `known` stands for a number that the compiler does not see.
std::string known(int number) {
  return "(" + std::to_string(number) + " * a[900])";
}

TEST(Account, StraightCodeLosesNothing) {
  const KernelProfile p = profileOf("a[threadIdx.x] = threadIdx.x * 3;", 2, 64);
  EXPECT_EQ(p.efficiency(), 1.0);
  EXPECT_EQ(p.warpInstructions % 4, 0u) << "four warps run the same instructions";
}

TEST(Account, ADivisionCountsAsTheSequenceItIs) {
  const KernelProfile sum = profileOf("a[threadIdx.x] += n;", 1, 32);
  const KernelProfile quotient = profileOf("a[threadIdx.x] /= n;", 1, 32);
  EXPECT_EQ(quotient.warpInstructions, sum.warpInstructions + 19) << "20 instructions instead of 1";
}

TEST(Account, ARemainderThatClangMasksCountsAsTheDivisionOfNvcc) {
  const char* loop = "unsigned sum = 0; for (unsigned s = 1; s < n; s *= 2) sum += ";
  const auto instructions = [&](const std::string& term) {
    return profileOf(loop + term + "; a[threadIdx.x] = sum;", 1, 32).warpInstructions;
  };
  const auto written = instructions("threadIdx.x % (2 * s)");
  const auto masked = instructions("threadIdx.x & (2 * s - 1)");
  EXPECT_GT(written, masked + 15) << "in every turn";
}

TEST(Account, PartialWarpsLoseTheMissingLanes) {
  const KernelProfile p = profileOf("a[threadIdx.x] = threadIdx.x * 3;", 1, 40);
  // Two warps, of 32 and of 8 lanes: 24 of 64 lanes are missing.
  EXPECT_EQ(p.lostToPartial, p.slots() * 24 / 64);
  EXPECT_EQ(p.lostToBranches() + p.lostToFinished, 0u);
}

TEST(Account, OneLaneOnAPathLosesThirtyOne) {
  const KernelProfile p = profileOf(R"(
      volatile int* v = a;
      if (threadIdx.x == 0) { v[0] += 1; v[0] += 2; v[0] += 3; v[0] += 4; })",
                                    1, 32);
  ASSERT_EQ(p.branches.size(), 1u);
  EXPECT_EQ(p.branches[0].site.where.line, 4);
  EXPECT_EQ(p.branches[0].executions, 1u);
  EXPECT_EQ(p.branches[0].divergentExecutions, 1u);
  EXPECT_EQ(p.branches[0].laneExecutions(), 32u);
  // load, add, store four times, and the addresses: whatever the path holds, 31 lanes miss all of
  // it. They return without lane 0, which misses that.
  const std::uint64_t back = p.branches[0].pathInstructions[0] + p.branches[0].pathInstructions[1];
  EXPECT_GE(p.branches[0].lostSlots, 31u * 12);
  EXPECT_EQ((p.branches[0].lostSlots - back) % 31, 0u);
  EXPECT_EQ(p.lostToBranches() + p.threadInstructions, p.slots());
}

TEST(Account, BothSidesOfAnEvenBranchLoseTheOther) {
  const KernelProfile p = profileOf(R"(
      volatile int* v = a + threadIdx.x;
      if (threadIdx.x & 1) { *v += 1; *v += 2; } else { *v *= 3; *v *= 5; })",
                                    1, 32);
  ASSERT_EQ(p.branches.size(), 1u);
  EXPECT_EQ(p.branches[0].lanes[0], 16u);
  EXPECT_EQ(p.branches[0].lostSlots % 16, 0u);
  EXPECT_EQ(p.lostToBranches(), p.branches[0].lostSlots);
  // Each side runs with 16 of 32 lanes: as much lost as used there.
  const std::uint64_t onPaths = 2 * p.branches[0].lostSlots;
  EXPECT_EQ(p.slots() - onPaths, p.threadInstructions - p.branches[0].lostSlots);
}

TEST(Account, AUniformBranchLosesNothing) {
  const KernelProfile p = profileOf(R"(
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
  const char* change =
      "{ int* w = a + threadIdx.x; *(volatile int*)w += 1; *(volatile int*)w += 2; "
      "*(volatile int*)w += 3; *(volatile int*)w += 4; }";
  EXPECT_LT(profileOf(std::string("if (threadIdx.x > 2) ") + change, 1, 128).efficiency(), 1.0);
}

TEST(Account, AGuardLosesTheLanesItSendsHome) {
  const auto run = [](int turns) {
    return profileOf(R"(volatile int* v = a + threadIdx.x;
      if (threadIdx.x >= 8) return;
      #pragma unroll 1
      for (int t = 0; t < )" +
                         known(turns) + "; t++) *v += t;",
                     1, 32);
  };
  const KernelProfile p = run(100), longer = run(110);
  const std::uint64_t tenTurns = longer.warpInstructions - p.warpInstructions;
  EXPECT_EQ(branchAt(longer, 3).lostSlots - branchAt(p, 3).lostSlots, 24 * tenTurns);
  EXPECT_EQ(p.lostToBranches(), branchAt(p, 3).lostSlots);
  EXPECT_EQ(p.lostToFinished, 0u);
  EXPECT_NEAR(p.efficiency(), 0.25, 0.03);
}

/// Warps that are traced go from block to block in WarpRun, others mostly in compiled code.
TEST(Account, TracedAndOtherWarpsCountTheSame) {
  const std::string body = R"(
      __shared__ int s[64];
      const int t = threadIdx.x;
      s[t] = t;
      __syncthreads();
      #pragma unroll 1
      for (int stride = 32; stride > 0; stride /= 2) {
        if (t < stride) s[t] += s[t + stride];
        __syncthreads();
      }
      volatile int* v = s;
      #pragma unroll 1
      for (int i = 0; i < t % 7; i++) {
        if (i == 3 && t > 40) break;
        switch (t + i & 3) { case 0: v[t] += i; break; case 1: v[t] *= 3; break; default: v[t] ^= 5; }
      }
      a[blockIdx.x * 64 + t] = s[t];)";
  constexpr std::uint64_t times = 600;
  const KernelProfile few = profileOf(body, 4, 64), many = profileOf(body, int(4 * times), 64);
  EXPECT_EQ(few.memoryBlocks, 4u);
  EXPECT_LT(many.memoryBlocks, 100u);
  EXPECT_EQ(many.threadInstructions, times * few.threadInstructions);
  EXPECT_EQ(many.slots(), times * few.slots());
  ASSERT_GE(few.branches.size(), 5u);
  for (std::size_t i = 0; i < few.branches.size(); ++i) {
    SCOPED_TRACE(few.branches[i].site.where.line);
    EXPECT_EQ(many.branches[i].executions, times * few.branches[i].executions);
    EXPECT_EQ(many.branches[i].divergentExecutions, times * few.branches[i].divergentExecutions);
    EXPECT_EQ(many.branches[i].laneExecutions(), times * few.branches[i].laneExecutions());
    EXPECT_EQ(many.branches[i].lanes[0], times * few.branches[i].lanes[0]);
    EXPECT_EQ(many.branches[i].lostSlots, times * few.branches[i].lostSlots);
    for (const std::size_t side : {0u, 1u})
      EXPECT_EQ(many.branches[i].pathInstructions[side],
                times * few.branches[i].pathInstructions[side]);
  }
  ASSERT_EQ(few.loops.size(), 2u);
  for (std::size_t i = 0; i < few.loops.size(); ++i) {
    EXPECT_EQ(many.loops[i].lanes, times * few.loops[i].lanes);
    EXPECT_EQ(many.loops[i].iterations, times * few.loops[i].iterations);
    EXPECT_EQ(many.loops[i].most, few.loops[i].most);
  }
}

TEST(Account, LoopsOfDifferentLengthLoseTheShortLanes) {
  const KernelProfile p = profileOf(R"(
      volatile int* v = a + threadIdx.x;
      #pragma unroll 1
      for (int t = 0; t < 4 * (threadIdx.x + 1); t++) *v += t;
      *v += 1;)",
                                    1, 32);
  // Four iterations each run with 32, 31, ... lanes: on average 16.5 of 32. They meet behind the
  // loop.
  EXPECT_NEAR(p.efficiency(), 16.5 / 32, 0.02);
}

TEST(Account, DoesNotDependOnTheNumberOfBlocksPerThread) {
  const KernelProfile one =
      profileOf("volatile int* v = a; if (threadIdx.x & 3) v[threadIdx.x] += 1;", 1, 64);
  const KernelProfile many =
      profileOf("volatile int* v = a; if (threadIdx.x & 3) v[threadIdx.x] += 1;", 50, 64);
  EXPECT_EQ(many.warpInstructions, 50 * one.warpInstructions);
  ASSERT_EQ(one.branches.size(), 1u);
  EXPECT_EQ(many.branches[0].lostSlots, 50 * one.branches[0].lostSlots);
}

TEST(Account, NestedBranchesEachLoseTheirOwnLanes) {
  const KernelProfile p = profileOf(R"(volatile int* v = a + threadIdx.x;
      if (threadIdx.x < 16) {
        *v += 1;
        if (threadIdx.x < 4) { *v += 2; *v += 3; *v += 4; *v += 5; }
        *v += 4;
      }
      *v += 5;)",
                                    1, 32);
  // The inner branch loses 12 lanes of 16 on its path, the outer one 16 of 32 on its whole path.
  const profile::BranchProfile& outer = branchAt(p, 3);
  const profile::BranchProfile& inner = branchAt(p, 5);
  EXPECT_EQ(inner.lostSlots, (inner.pathInstructions[0] + inner.pathInstructions[1]) * 12);
  EXPECT_EQ(outer.lostSlots, (outer.pathInstructions[0] + outer.pathInstructions[1]) * 16);
  EXPECT_EQ(inner.laneExecutions(), 16u);
  EXPECT_GE(inner.pathInstructions[0] + inner.pathInstructions[1], 6u);
  EXPECT_EQ(p.lostToBranches(), inner.lostSlots + outer.lostSlots);
}

TEST(Account, ASwitchIsOneBranchWithItsTargets) {
  const KernelProfile p = profileOf(R"(volatile int* v = a + threadIdx.x;
      switch (threadIdx.x & 3) {
      case 0: *v += 1; *v *= 3; break;
      case 1: *v -= 7; break;
      case 2: *v *= 5; *v += 9; *v -= 1; break;
      default: *v ^= 6; break;
      }
      *v += 1;)",
                                    1, 64);
  const profile::BranchProfile& choice = branchAt(p, 3);
  EXPECT_EQ(choice.targets, 4);
  EXPECT_EQ(choice.executions, 2u) << "once for each warp";
  EXPECT_EQ(choice.divergentExecutions, 6u) << "three splits make four paths";
  EXPECT_EQ(p.lostToBranches(), choice.lostSlots);
  EXPECT_EQ(choice.lostSlots % 8, 0u);
}

TEST(Account, TripCountsOfALoop) {
  const KernelProfile p = profileOf(R"(volatile int* v = a + threadIdx.x;
      #pragma unroll 1
      for (int t = 0; t <= threadIdx.x; t++) *v += t;)",
                                    1, 32);
  ASSERT_EQ(p.loops.size(), 1u);
  const profile::LoopProfile& loop = p.loops[0];
  EXPECT_EQ(loop.lanes, 32u);
  EXPECT_EQ(loop.iterations, 32u * 33 / 2);
  EXPECT_EQ(loop.fewest, 1u);
  EXPECT_EQ(loop.most, 32u);
  EXPECT_EQ(loop.histogram[0], 1u);  // one lane goes round once
  EXPECT_EQ(loop.histogram[4], 16u); // 16 to 31
  EXPECT_EQ(loop.histogram[5], 1u);  // 32
  const profile::BranchProfile& exit = branchAt(p, 4);
  // Iteration t runs with 32 - t lanes; 0 + 1 + ... + 31 lane slots are lost for each instruction.
  EXPECT_EQ(exit.lostSlots % (31 * 32 / 2), 0u);
  EXPECT_EQ(p.lostToBranches(), exit.lostSlots);
}

/// The only loop of a kernel, unrolled as the compiler likes: lane i goes round i + 1 times.
profile::LoopProfile unrolledLoop(const std::string& work) {
  const KernelProfile p = profileOf("int s = 0; float f = a[0];\n"
                                    "for (int t = 0; t <= threadIdx.x; t++) {" +
                                        work + "}\na[threadIdx.x] = s + f;",
                                    1, 32);
  EXPECT_EQ(p.loops.size(), 1u);
  return p.loops.empty() ? profile::LoopProfile{} : p.loops[0];
}

TEST(Account, TripCountsOfAnUnrolledLoopAreTheSources) {
  const std::string large =
      "f = f * f + a[t * 5]; f = f * 0.5f + a[t * 7 + 1]; f = f * f - a[t + 9];"
      "f = f * 0.25f + a[t * 3 + 2]; f = f * f + a[t + 4]; s += a[t * 9];";
  for (const std::string& work : {std::string("s += a[t * 3];"), large, large + large + large}) {
    const profile::LoopProfile loop = unrolledLoop(work);
    EXPECT_EQ(loop.lanes, 32u) << work;
    EXPECT_EQ(loop.iterations, 32u * 33 / 2) << work;
    EXPECT_EQ(loop.fewest, 1u) << work;
    EXPECT_EQ(loop.most, 32u) << work;
  }
}

TEST(Account, AnUnrolledLoopWithoutARestCountsAllIterations) {
  const KernelProfile p =
      profileOf("int s = 0; for (int t = 0; t < 960; t++) s += a[t * threadIdx.x & 1023];\n"
                "a[threadIdx.x] = s;",
                1, 32);
  ASSERT_EQ(p.loops.size(), 1u);
  EXPECT_EQ(p.loops[0].iterations, 32u * 960);
  EXPECT_EQ(p.loops[0].most, 960u);
}

TEST(Account, AnUnrolledLoopInAnUnrolledLoopCountsAllIterations) {
  const KernelProfile p =
      profileOf("int s = 0; for (int k = 0; k < 3; k++)\n"
                "for (int t = 0; t <= threadIdx.x; t++) s += a[t * 3 + k * s];\n"
                "a[threadIdx.x] = s;",
                1, 32);
  ASSERT_EQ(p.loops.size(), 1u);
  EXPECT_EQ(p.loops[0].lanes, 3u * 32);
  EXPECT_EQ(p.loops[0].iterations, 3u * 32 * 33 / 2);
  EXPECT_EQ(p.loops[0].most, 32u);
}

/// Instructions of a warp for each of some kernel's bytes.
double instructionsFor(double bytes, const std::string& body) {
  const auto all = profileOf(body, 1, 32).warpInstructions;
  const auto others = profileOf("a[threadIdx.x] = n;", 1, 32).warpInstructions;
  return double(all - others) / bytes;
}

TEST(Account, AMemsetCostsOneInstructionForWhatAlignmentAllows) {
  const std::string use = "s[a[n & 7] & 255] += 1; a[threadIdx.x] = s[a[n & 3] & 255];";
  EXPECT_NEAR(instructionsFor(4096, "int s[1024]; memset(s, 0, sizeof s);" + use), 1.0 / 16, 0.01);
  EXPECT_NEAR(instructionsFor(4096, "char s[4096]; memset(s, 0, sizeof s);" + use), 1, 0.02)
      << "as nvcc does";
}

TEST(Account, ACopyOfAStructGoesByItsAlignment) {
  const char* copy = "struct S { int v[256]; }; ((S*)a)[0] = ((const S*)(a + 300))[0];";
  EXPECT_NEAR(instructionsFor(1024, copy), 2.0 / 4, 0.05) << "a load and a store of 4 bytes";
  const KernelProfile p = profileOf(copy, 1, 1);
  EXPECT_TRUE(p.loops.empty()) << "it is no loop of the source";
  for (const profile::MemoryProfile& access : p.accesses)
    EXPECT_EQ(access.site.where.line, 2);
}

TEST(Account, BreakLeavesTheLoopAndContinueDoesNot) {
  const KernelProfile p = profileOf(R"(volatile int* v = a + threadIdx.x;
      #pragma unroll 1
      for (int t = 0; t < 20; t++) {
        if (t == threadIdx.x + 2) break;
        *v += t;
        if (threadIdx.x & 1) continue;
        *v += 3; *v += 4;
      }
      *v += 5;)",
                                    1, 32);
  ASSERT_EQ(p.loops.size(), 1u);
  EXPECT_EQ(p.loops[0].lanes, 32u);
  EXPECT_EQ(p.loops[0].most, 20u);
  EXPECT_LE(p.loops[0].fewest, 3u);
  const profile::BranchProfile& skip = branchAt(p, 7);
  EXPECT_GE(skip.divergentExecutions, 19u) << "odd and even lanes part in every round";
  EXPECT_TRUE(p.addsUp());
}

TEST(Account, LanesThatReturnAreLostToTheBranchThatLetThem) {
  const auto run = [](int turns) {
    return profileOf(R"(volatile int* v = a + threadIdx.x;
      if (threadIdx.x & 1) {
        *v += 1;
        if (threadIdx.x > 15) return;
        *v += 2;
      }
      #pragma unroll 1
      for (int t = 0; t < )" +
                         known(turns) + "; t++) *v += t;",
                     1, 32);
  };
  const KernelProfile shorter = run(50), longer = run(60);
  // Odd lanes from 17 on, eight of them, miss the loop; the other 24 meet before it.
  const std::uint64_t tenTurns = longer.warpInstructions - shorter.warpInstructions;
  EXPECT_EQ(branchAt(longer, 5).lostSlots - branchAt(shorter, 5).lostSlots, 8 * tenTurns);
  EXPECT_EQ(branchAt(longer, 3).lostSlots, branchAt(shorter, 3).lostSlots);
  EXPECT_EQ(longer.lostToFinished, 0u);
}

TEST(Account, LanesThatReturnFromALoopOneByOneAreLostToTheirBranch) {
  const auto run = [](int wait) {
    return profileOf(R"(volatile int* v = a + threadIdx.x;
      const int goal = threadIdx.x + )" +
                         known(wait) + R"(;
      #pragma unroll 1
      for (int t = 0; t < 100; t++) {
        *v += t;
        if (t == goal) return;
        *v += 1;
      })",
                     1, 32);
  };
  const KernelProfile early = run(0), late = run(10);
  // A turn has two parts, up to the return and after it. In turn t the first runs without the t
  // lanes that have gone, the second without t + 1; the last turn, 31, has no second part:
  // 0 + ... + 31 = 1 + ... + 31 = 496. And each lane returns alone, without 31 others; for the last
  // one that is no split.
  const std::uint64_t turn = (late.warpInstructions - early.warpInstructions) / 10;
  const profile::BranchProfile& leave = branchAt(early, 7);
  const std::uint64_t back = leave.pathInstructions[leave.lanes[0] == 32 ? 0 : 1] / 31;
  EXPECT_EQ(leave.divergentExecutions, 31u);
  EXPECT_EQ(leave.lostSlots, 496 * turn + 32 * 31 * back);
  EXPECT_EQ(branchAt(late, 7).lostSlots, leave.lostSlots);
  EXPECT_EQ(early.lostToBranches(), leave.lostSlots);
  EXPECT_EQ(early.lostToFinished, 0u);
}

TEST(Account, LanesThatLeaveALoopFromABranchAreLostToTheirBreak) {
  const auto run = [](int leaveAt, int turns) {
    return profileOf(R"(volatile int* v = a + threadIdx.x;
      const int leaveAt = )" +
                         known(leaveAt) + ", turns = " + known(turns) + R"(;
      #pragma unroll 1
      for (int t = 0; t < turns; t++) {
        if (threadIdx.x & 1) {
          *v += 1;
          if (threadIdx.x < leaveAt * t) break;
          *v += 2;
        }
        *v += 3;
      }
      *v += 4;)",
                     1, 32);
  };
  // 8 * t is above 7 first in turn 1: lanes 1, 3, 5 and 7 leave; 9 to 15 in turn 2, and so on to
  // turn 4. From 32 * 1 on all odd lanes leave in turn 1.
  const KernelProfile all = run(32, 10), longer = run(32, 20), stepwise = run(8, 10);
  const std::uint64_t turn = (longer.warpInstructions - all.warpInstructions) / 10;
  EXPECT_EQ(branchAt(longer, 8).lostSlots - branchAt(all, 8).lostSlots, 16 * 10 * turn)
      << "the even lanes go round alone, " << turn << " instructions a turn";
  // While the odd lanes are in their branch the 16 even ones wait.
  const profile::BranchProfile& odd = branchAt(stepwise, 6);
  EXPECT_EQ(odd.lostSlots, 16 * (odd.pathInstructions[0] + odd.pathInstructions[1]));
  EXPECT_EQ(stepwise.lostToBranches(), odd.lostSlots + branchAt(stepwise, 8).lostSlots)
      << "nothing is lost to the loop: those that stay leave it together";
  EXPECT_EQ(stepwise.lostToFinished, 0u);
}

TEST(Account, LanesMeetBehindAnInnerLoopThatBeginsItsOuterOne) {
  const KernelProfile p = profileOf(R"(unsigned x = threadIdx.x * 2654435761u + 1, s = 0;
      #pragma unroll 1
      for (int i = 0; i < 20; ++i) {
        #pragma unroll 1
        do {
          x = x * 1664525u + 1013904223u;
        } while (x >> 28);
        s = (s ^ x) * 3;
      }
      a[threadIdx.x] = s;)",
                                    1, 32);
  // Each lane goes round the inner loop as often as it likes, but all count to 20 together.
  EXPECT_EQ(branchAt(p, 4).executions, 20u);
  EXPECT_EQ(branchAt(p, 4).laneExecutions(), 20u * 32);
  EXPECT_EQ(p.lostToBranches(), branchAt(p, 8).lostSlots);
  ASSERT_EQ(p.loops.size(), 2u);
  EXPECT_EQ(p.loops[0].site.where.line, 4);
  EXPECT_EQ(p.loops[0].fewest, 20u);
  EXPECT_EQ(p.loops[0].most, 20u);
  EXPECT_EQ(p.loops[1].lanes, 20u * 32);
}

TEST(Account, ABranchWhosePlaceTheCompilerForgotHasTheNearest) {
  const KernelProfile p = profileOf(R"(float s = a[threadIdx.x];
      int k = 0;
      for (; k < 100; ++k) {
        float d = s * s - 2.0f;
        if (fabsf(d) < 1e-4f)
          break;
        s = s - 0.7f * d / (2.0f * s);
      }
      a[threadIdx.x] = k;)",
                                    1, 32);
  for (const profile::BranchProfile& branch : p.branches)
    EXPECT_FALSE(branch.site.where.file.empty());
  EXPECT_EQ(branchAt(p, 6).laneExecutions() % 32, 0u) << "all lanes begin with 1";
  ASSERT_EQ(p.loops.size(), 1u);
  EXPECT_EQ(p.loops[0].site.where.line, 6);
}

TEST(Account, CallsThatAreNotInlinedBelongToTheirBranch) {
  const auto kernel = compileText(R"(
__device__ __noinline__ int up(volatile int* v) { *v += 1; *v += 2; return *v; }
__device__ __noinline__ int down(volatile int* v) { *v -= 1; return *v * 3; }
extern "C" __global__ void k(int* a, int n) {
  volatile int* v = a + threadIdx.x;
  int r;
  if (threadIdx.x < 8) r = up(v); else r = down(v);
  *v = r;
})");
  ASSERT_TRUE(kernel) << kernel.error().message;
  std::vector<int> data(64, 10);
  const auto p = runOn(*kernel, data, 1, 32);
  ASSERT_TRUE(p) << p.error().message;
  EXPECT_EQ(data[0], 13);
  EXPECT_EQ(data[8], 27);
  const profile::BranchProfile& branch = branchAt(*p, 7);
  const bool upFirst = branch.lanes[0] == 8;
  EXPECT_EQ(branch.lostSlots, lostBySides(branch, upFirst ? 24 : 8, upFirst ? 8 : 24));
  EXPECT_EQ(p->lostToBranches(), branch.lostSlots);
  EXPECT_GE(branch.pathInstructions[0] + branch.pathInstructions[1], 12u) << "bodies included";
}

TEST(Account, ACallThroughAPointerIsABranch) {
  const auto kernel = compileText(R"(
__device__ __noinline__ int up(int x) { return x * 3 + 1; }
__device__ __noinline__ int down(int x) { return x / 2; }
__device__ int (*table[])(int) = {up, down};
extern "C" __global__ void k(int* a, int n) {
  a[threadIdx.x] = table[a[threadIdx.x] & 1](a[threadIdx.x]);
})");
  ASSERT_TRUE(kernel) << kernel.error().message;
  std::vector<int> data(64);
  std::iota(data.begin(), data.end(), 0);
  const auto p = runOn(*kernel, data, 1, 32);
  ASSERT_TRUE(p) << p.error().message;
  EXPECT_EQ(data[4], 13);
  EXPECT_EQ(data[5], 2);
  const profile::BranchProfile& call = branchAt(*p, 6);
  EXPECT_EQ(call.targets, 0);
  EXPECT_EQ(call.executions, 1u);
  EXPECT_EQ(call.divergentExecutions, 1u);
  EXPECT_EQ(call.pathRuns[0], 2u);
  EXPECT_EQ(call.lostSlots, call.pathInstructions[0] * 16);
  EXPECT_EQ(p->lostToBranches(), call.lostSlots);
}

TEST(Account, InlinedBranchesKnowTheirCallers) {
  const auto kernel = compileText(R"(
__device__ __forceinline__ void step(volatile int* v) { if (*v & 1) { *v += 1; *v += 2; } }
extern "C" __global__ void k(int* a, int n) {
  step(a + threadIdx.x);
  step(a + threadIdx.x + 1);
})");
  ASSERT_TRUE(kernel) << kernel.error().message;
  std::vector<int> data(64);
  std::iota(data.begin(), data.end(), 0);
  const auto p = runOn(*kernel, data, 1, 32);
  ASSERT_TRUE(p) << p.error().message;
  ASSERT_EQ(p->branches.size(), 2u);
  for (const profile::BranchProfile& branch : p->branches) {
    EXPECT_EQ(branch.site.where.line, 2);
    EXPECT_EQ(branch.site.function, "step");
    ASSERT_EQ(branch.site.inlinedAt.size(), 1u);
  }
  EXPECT_EQ(p->branches[0].site.inlinedAt[0].line, 4);
  EXPECT_EQ(p->branches[1].site.inlinedAt[0].line, 5);
}

/// Transactions of the one access of a kind in a space, divided by its executions.
double transactionsEach(const KernelProfile& p, profile::AccessKind kind,
                        profile::MemorySpace space) {
  for (const profile::MemoryProfile& access : p.accesses)
    if (access.kind == kind && access.space == space && access.executions > 0)
      return double(access.transactions) / double(access.executions);
  return -1;
}

TEST(Account, SectorsOfGlobalMemory) {
  using enum profile::AccessKind;
  constexpr auto global = profile::MemorySpace::Global;
  const auto storeOf = [&](const std::string& body) {
    return transactionsEach(profileOf(body, 33, 32), Store, global);
  };
  EXPECT_EQ(storeOf("alignas(32) int* w = (int*)(((size_t)a + 31) / 32 * 32); w[threadIdx.x] = 1;"),
            4);
  EXPECT_EQ(storeOf("int* w = (int*)(((size_t)a + 31) / 32 * 32); w[threadIdx.x * 8] = 1;"), 32);
  EXPECT_EQ(storeOf("int* w = (int*)(((size_t)a + 31) / 32 * 32); w[threadIdx.x * 2] = 1;"), 8);
  EXPECT_EQ(storeOf("int* w = (int*)(((size_t)a + 31) / 32 * 32); w[31 - threadIdx.x] = 1;"), 4);
}

TEST(Account, PassesOverTheBanksOfSharedMemory) {
  const auto passes = [](const std::string& place) {
    const KernelProfile p = profileOf(
        "__shared__ volatile int s[2048];\n int x = s[" + place + "]; a[threadIdx.x] = x;", 1, 32);
    return transactionsEach(p, profile::AccessKind::Load, profile::MemorySpace::Shared);
  };
  EXPECT_EQ(passes("threadIdx.x"), 1);
  EXPECT_EQ(passes("threadIdx.x * 2"), 2);
  EXPECT_EQ(passes("threadIdx.x * 32"), 32);
  EXPECT_EQ(passes("threadIdx.x * 33"), 1);
  EXPECT_EQ(passes("threadIdx.x / 32"), 1) << "one word for all is one pass";
}

TEST(Account, NeighbouringWordsOfAThreadAreOneAccess) {
  const KernelProfile p =
      profileOf("__shared__ uint4 s[32];\n"
                "s[threadIdx.x] = make_uint4(a[0], a[1], a[2], n);\n"
                "__syncthreads();\n"
                "const uint4 x = s[n % 32]; a[threadIdx.x] = x.x + x.y + x.z + x.w;",
                1, 32);
  EXPECT_EQ(transactionsEach(p, profile::AccessKind::Store, profile::MemorySpace::Shared), 4)
      << "four passes of 128 bytes, where four stores of a word in four would take 16";
}

} // namespace
} // namespace heddle::engine
