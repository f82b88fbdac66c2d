// SPDX-License-Identifier: Apache-2.0
//
// Where lanes part and meet. Programs are assembled of encodings of ptxas; of every instruction it
// is known how often a warp executes it, and with how many lanes.
#include "Assemble.h"

#include <bit>
#include <cstring>
#include <limits>

namespace heddle::sassrun {
namespace {

constexpr LaneMask lowHalf = 0x0000ffff;

/// Lane numbers into a register.
void numberLanes(Bench& bench, unsigned index) {
  for (int lane = 0; lane < warpSize; ++lane)
    bench.warp().set(index, lane, std::uint32_t(lane));
}

TEST(SassrunControlFlow, SidesOfABranchMeet) {
  Bench bench({
      bssy(0),                 // 0
      guarded(0, bra(2)),      // 1: lanes 0 to 15
      addTo(1, 1),             // 2: the others
      bra(1),                  // 3
      addTo(1, 2),             // 4: the side
      bsync(0),                // 5
      guarded(0, addTo(2, 1)), // 6
      exitAll,                 // 7
  });
  bench.warp().setPredicate(0, allLanes, lowHalf);
  bench.run();
  EXPECT_EQ(bench.executions(), (Counts{1, 1, 1, 1, 1, 2, 1, 1}));
  EXPECT_EQ(bench.lanes(), (Counts{32, 32, 16, 16, 16, 32, 32, 32}));
  EXPECT_EQ(bench.on(), (Counts{32, 16, 16, 16, 16, 32, 16, 32}));
  for (int lane = 0; lane < warpSize; ++lane)
    EXPECT_EQ(bench.warp().get(1, lane), lane < 16 ? 2U : 1U) << lane;
}

/// Without a place to meet they go on as two.
TEST(SassrunControlFlow, WithoutBarrierLanesStayApart) {
  Bench bench({guarded(0, bra(1)), addTo(1, 1), nop, exitAll});
  bench.warp().setPredicate(0, allLanes, lowHalf);
  bench.run();
  EXPECT_EQ(bench.executions(), (Counts{1, 1, 2, 2}));
  EXPECT_EQ(bench.lanes(), (Counts{32, 16, 32, 32}));
}

/// Lane l makes l + 1 rounds.
TEST(SassrunControlFlow, LanesLeaveALoopOneByOne) {
  Bench bench({
      bssy(3),                       // 0
      addTo(1, 1),                   // 1: rounds
      lessThan(0, 2, 1),             // 2: lane < rounds
      guarded(0 + negated, bra(-3)), // 3
      bsync(3),                      // 4
      exitAll,                       // 5
  });
  numberLanes(bench, 2);
  bench.run();
  constexpr std::uint64_t all = 32 * 33 / 2;
  EXPECT_EQ(bench.executions(), (Counts{1, 32, 32, 32, 32, 1}));
  EXPECT_EQ(bench.lanes(), (Counts{32, all, all, all, 32, 32}));
  EXPECT_EQ(bench.on(), (Counts{32, all, all, all - 32, 32, 32}));
  for (int lane = 0; lane < warpSize; ++lane)
    EXPECT_EQ(bench.warp().get(1, lane), std::uint32_t(lane) + 1) << lane;
}

/// Lanes 0 to 15 leave the inner region for the end of the outer one; the others do not wait for
/// them.
TEST(SassrunControlFlow, BreakTakesLanesOut) {
  Bench bench({
      bssy(1),                // 0
      bssy(0),                // 1
      guarded(0, breakOf(0)), // 2
      guarded(0, bra(2)),     // 3
      bsync(0),               // 4: 16 lanes
      addTo(1, 1),            // 5
      bsync(1),               // 6
      exitAll,                // 7
  });
  bench.warp().setPredicate(0, allLanes, lowHalf);
  bench.run();
  EXPECT_EQ(bench.executions(), (Counts{1, 1, 1, 1, 1, 1, 2, 1}));
  EXPECT_EQ(bench.lanes(), (Counts{32, 32, 32, 32, 16, 16, 32, 32}));
  EXPECT_EQ(bench.on(), (Counts{32, 32, 16, 16, 16, 16, 32, 32}));
}

/// Those who wait already are let go when the last that they wait for leaves.
TEST(SassrunControlFlow, BreakFreesThoseWhoWait) {
  Bench bench({
      bssy(1),            // 0
      bssy(0),            // 1
      guarded(0, bra(2)), // 2
      bsync(0),           // 3: lanes 16 to 31 wait
      bra(1),             // 4
      breakOf(0),         // 5: lanes 0 to 15
      bsync(1),           // 6
      exitAll,            // 7
  });
  bench.warp().setPredicate(0, allLanes, lowHalf);
  bench.run();
  EXPECT_EQ(bench.executions(), (Counts{1, 1, 1, 1, 1, 1, 2, 1}));
  EXPECT_EQ(bench.lanes(), (Counts{32, 32, 32, 16, 16, 16, 32, 32}));
}

TEST(SassrunControlFlow, ExitFreesThoseWhoWait) {
  Bench bench({
      bssy(0),             // 0
      guarded(0, bra(2)),  // 1
      bsync(0),            // 2: lanes 16 to 31 and, of the others, 8 to 15
      exitAll,             // 3
      guarded(1, exitAll), // 4: lanes 0 to 7 return
      bra(-4),             // 5
  });
  bench.warp().setPredicate(0, allLanes, lowHalf);
  bench.warp().setPredicate(1, allLanes, 0x000000ff);
  bench.run();
  EXPECT_EQ(bench.executions(), (Counts{1, 1, 2, 1, 1, 1}));
  EXPECT_EQ(bench.lanes(), (Counts{32, 32, 24, 24, 16, 8}));
  EXPECT_EQ(bench.on(), (Counts{32, 16, 24, 24, 8, 8}));
}

/// A function with a region of its own in the same barrier register. Lanes 16 to 31 wait outside
/// at B0 while lanes 0 to 15 are in the function; they must not go on when these meet there.
TEST(SassrunControlFlow, CalledFunctionKeepsThoseWhoWaitOutside) {
  Bench bench({
      bssy(0),               // 0
      guarded(0, bra(3)),    // 1: lanes 0 to 15
      bsync(0),              // 2
      addTo(1, 1),           // 3
      exitAll,               // 4
      call(1),               // 5
      bra(-5),               // 6: to BSYNC
      saveBarrier(27, 0),    // 7: the function
      bssy(0),               // 8
      guarded(1, bra(1)),    // 9: lanes 0 to 7
      addTo(1, 16),          // 10
      bsync(0),              // 11
      restoreBarrier(0, 27), // 12
      ret(20, -14),          // 13
  });
  bench.warp().setPredicate(0, allLanes, lowHalf);
  bench.warp().setPredicate(1, allLanes, 0x000000ff);
  bench.setAll(20, 6 * instructionBytes);
  bench.run();
  EXPECT_EQ(bench.executions(), (Counts{1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1}));
  EXPECT_EQ(bench.lanes(), (Counts{32, 32, 32, 32, 32, 16, 16, 16, 16, 16, 8, 16, 16, 16}));
}

/// Lanes of one WARPSYNC with two masks meet in two groups, whatever way they came.
TEST(SassrunControlFlow, WarpsyncMeetsByMask) {
  Bench bench({
      guarded(0, bra(1)), // 0: even lanes
      nop,                // 1: odd ones
      warpsync(12),       // 2: lower and upper half
      addTo(1, 1),        // 3
      exitAll,            // 4
  });
  bench.warp().setPredicate(0, allLanes, 0x55555555);
  for (int lane = 0; lane < warpSize; ++lane)
    bench.warp().set(12, lane, lane < 16 ? lowHalf : ~lowHalf);
  bench.run();
  EXPECT_EQ(bench.executions(), (Counts{1, 1, 2, 2, 2}));
  EXPECT_EQ(bench.lanes(), (Counts{32, 16, 32, 32, 32}));
}

/// A lane that has returned is not waited for.
TEST(SassrunControlFlow, WarpsyncDoesNotWaitForTheFinished) {
  Bench bench({guarded(0, exitAll), warpsync(12), exitAll});
  bench.warp().setPredicate(0, allLanes, 1);
  bench.setAll(12, allLanes);
  bench.run();
  EXPECT_EQ(bench.executions(), (Counts{1, 1, 1}));
  EXPECT_EQ(bench.lanes(), (Counts{32, 31, 31}));
}

/// @P0 BRA P1: lanes jump for which both hold.
TEST(SassrunControlFlow, BranchAsksForASecondPredicate) {
  const Encoding both =
      toward({0x00000000001c0947, 0x000fea0000800000}, 1); // @P0 BRA P1, `(.L_x_1)
  Bench bench({bssy(0), both, addTo(1, 1), bsync(0), exitAll});
  bench.warp().setPredicate(0, allLanes, lowHalf);
  bench.warp().setPredicate(1, allLanes, 0x00ffff00);
  bench.run();
  EXPECT_EQ(bench.executions(), (Counts{1, 1, 1, 2, 1}));
  EXPECT_EQ(bench.lanes(), (Counts{32, 32, 24, 32, 32}));
  for (int lane = 0; lane < warpSize; ++lane)
    EXPECT_EQ(bench.warp().get(1, lane), lane >= 8 && lane < 16 ? 0U : 1U) << lane;
}

/// A spinning group does not keep the one that it waits for from running.
TEST(SassrunControlFlow, LanesThatSpinLetOthersRun) {
  Bench bench({
      guarded(0, bra(3)),                       // 0: lane 0
      {0x0000000005097984, 0x000e620000000800}, // 1: LDS R9, [R5]
      lessThan(1, 9, 8),                        // 2
      guarded(1, bra(-3)),                      // 3: until it is not less than 1
      {0x0000000504007388, 0x008fe80000000800}, // 4: STS [R4], R5
      exitAll,                                  // 5
  });
  numberLanes(bench, 3);
  bench.warp().setPredicate(0, allLanes, 1);
  bench.setAll(4, 64);
  bench.setAll(5, 64);
  bench.setAll(8, 1);
  bench.run();
  EXPECT_EQ(bench.executions()[4], 2U);
  EXPECT_EQ(bench.lanes()[4], 32U);
}

TEST(SassrunControlFlow, LanesThatWaitForEverAreAFailure) {
  Bench bench({
      bssy(0),            // 0
      bssy(1),            // 1
      guarded(0, bra(1)), // 2
      bsync(0),           // 3
      bsync(1),           // 4
      exitAll,            // 5
  });
  bench.warp().setPredicate(0, allLanes, lowHalf);
  EXPECT_EQ(bench.warp().run(1000), WarpState::Failed);
  EXPECT_EQ(bench.warp().failure(), "lanes of a warp wait for each other for ever");
}

/// Runs all warps of a block.
struct WholeBlock {
  explicit WholeBlock(const std::vector<Encoding>& code, int threads)
      : program(Program::fromCode(code)), counts(code.size()) {
    launch.block = {threads, 1, 1};
    block = std::make_unique<Block>(*program, *program->kernel("code"), launch, memory, counts);
  }
  std::uint32_t shared(std::size_t at) const {
    std::uint32_t value = 0;
    std::memcpy(&value, block->shared().data() + at, sizeof value);
    return value;
  }

  std::unique_ptr<Program> program;
  std::vector<InstructionCounts> counts;
  LaunchShape launch;
  MemoryView view = [](std::uint64_t) { return LiveRange{}; };
  PrivateMemory memory{view};
  std::unique_ptr<Block> block;
};

/// The first warp waits for the second, which writes what the first reads.
TEST(SassrunControlFlow, WarpsOfABlockWaitForEachOther) {
  WholeBlock whole(
      {
          tid,                                                      // 0: R4 = thread
          {0x0000004000007802, 0x000fe20000000f00},                 // 1: MOV R0, 0x40
          with({0x0000000400097202, 0x001fe20000000f00}, 16, 8, 5), // 2: MOV R5, R4
          // R4 = R4 * 4
          {0x0000000404047824, 0x000fe200078e02ff}, // 3: IMAD R4, R4, 0x4, RZ
          {0x0000000504007388, 0x008fe80000000800}, // 4: STS [R4], R5
          barSync,                                  // 5
          {0x0000800004097984, 0x000e620000000800}, // 6: LDS R9, [R4+0x80]
          {0x0001000904007388, 0x008fe80000000800}, // 7: STS [R4+0x100], R9
          exitAll,                                  // 8
      },
      48);
  ASSERT_TRUE(whole.block->run(0, 1000));
  for (const InstructionCounts& each : whole.counts) {
    EXPECT_EQ(each.executions, 2U);
    EXPECT_EQ(each.lanes, 48U);
    EXPECT_EQ(each.on, 48U);
  }
  for (std::size_t thread = 0; thread < 16; ++thread)
    EXPECT_EQ(whole.shared(256 + 4 * thread), 32 + thread) << thread;
}

TEST(SassrunControlFlow, ABlockThatRunsTooLongFails) {
  WholeBlock whole({bra(-1)}, 32);
  const auto ran = whole.block->run(0, 1000);
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().message, "it runs more than 1000 instructions");
}

/// ATOMS.CAST.SPIN lets one of the lanes through that want the same word, also where it would stay
/// what the others expect.
TEST(SassrunControlFlow, OneLaneGetsAWordAtATime) {
  Bench bench({{0x000008060207738d, 0x000e240001800007}}); // ATOMS.CAST.SPIN R7, [R2+0x8], R6, R7
  for (int lane = 0; lane < warpSize; ++lane) {
    bench.warp().set(2, lane, lane < 16 ? 0 : 4);
    bench.warp().set(7, lane, lane < 16 ? std::uint32_t(lane) + 1 : 0);
  }
  bench.execute(0);
  for (int lane = 0; lane < warpSize; ++lane)
    EXPECT_EQ(bench.warp().get(7, lane), lane % 16 == 0 ? 1U : 0U) << lane;
  std::uint32_t words[4] = {};
  std::memcpy(words, bench.block().shared().data(), sizeof words);
  EXPECT_EQ(words[2], 1U);
  EXPECT_EQ(words[3], 0U);
}

/// FCHK looks at exponents: what a division by a reciprocal cannot do.
TEST(SassrunControlFlow, DivisionsThatNeedTheSlowPath) {
  Bench bench({{0x0000001106007302, 0x000e620000000100}}); // FCHK P0, -R6, R17
  const auto isSlow = [&](float a, float b) {
    bench.setAll(6, std::bit_cast<std::uint32_t>(a));
    bench.setAll(17, std::bit_cast<std::uint32_t>(b));
    bench.execute(0);
    return bench.warp().predicate(0) == allLanes;
  };
  EXPECT_FALSE(isSlow(1, 3));
  EXPECT_FALSE(isSlow(0x1p-102F, 1));
  EXPECT_TRUE(isSlow(0x0.8p-102F, 1));
  EXPECT_TRUE(isSlow(0, 1));
  EXPECT_TRUE(isSlow(1, 0));
  EXPECT_FALSE(isSlow(1, 0x1p-125F));
  EXPECT_TRUE(isSlow(1, 0x1p-126F));
  EXPECT_FALSE(isSlow(0x1p100F, 0x1.8p124F));
  EXPECT_TRUE(isSlow(0x1p100F, 0x1p125F));
  EXPECT_FALSE(isSlow(0x1p63F, 0x1p-63F));
  EXPECT_TRUE(isSlow(0x1p64F, 0x1p-63F));
  EXPECT_FALSE(isSlow(0x1p-62F, 0x1p62F));
  EXPECT_TRUE(isSlow(0x1p-63F, 0x1p62F));
  EXPECT_TRUE(isSlow(std::numeric_limits<float>::infinity(), 1));
}

} // namespace
} // namespace heddle::sassrun
