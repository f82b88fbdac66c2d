// SPDX-License-Identifier: Apache-2.0
#include "tune/Pruning.h"

#include "machine/DeviceCatalog.h"

#include <gtest/gtest.h>

namespace heddle::tune {
namespace {

Space blocksAndBounds() {
  Space space;
  space.ownBlock = {256, 1, 1};
  space.parameters = {{ParameterKind::Block, "block", {"256", "32", "1024"}},
                      {ParameterKind::Resident, "resident", {"0", "1024", "2048"}}};
  return space;
}

KernelFacts h200(profile::Bound bound) {
  const machine::Device device = machine::findDevice("h200").value();
  return {.limits = device.limits,
          .multiprocessors = device.multiprocessors,
          .shared = 0,
          .bound = bound,
          .threads = 1 << 22};
}

Attempt attemptWith(int registers, double occupancy) {
  Attempt attempt;
  attempt.outcome.registers = registers;
  attempt.outcome.occupancy = occupancy;
  return attempt;
}

std::string ruling(const KernelFacts& facts, const Point& point, const Attempt& best) {
  const auto found = pruneByOccupancy(facts, blocksAndBounds(), point, best);
  return found ? found->reason : "";
}

TEST(TunePruning, ABlockThatCannotBeLaunched) {
  // 1024 threads of 80 registers are 81920, and a multiprocessor has 65536.
  EXPECT_EQ(ruling(h200(profile::Bound::Issue), {2, 0}, attemptWith(80, 0.375)),
            "a block of 1024 threads with 80 registers each does not fit on a multiprocessor");
  EXPECT_EQ(ruling(h200(profile::Bound::Issue), {2, 0}, attemptWith(32, 1)), "");
}

TEST(TunePruning, SmallBlocksOfAKernelThatWaits) {
  // 32 blocks of a warp at most, of 64 warps.
  EXPECT_EQ(ruling(h200(profile::Bound::Latency), {1, 0}, attemptWith(32, 1)),
            "50 % of the warps at once, where other sizes have 100 %");
  EXPECT_EQ(ruling(h200(profile::Bound::Issue), {1, 0}, attemptWith(32, 1)), "");
  KernelFacts few = h200(profile::Bound::Latency);
  few.threads = 20000; // they never fill the GPU
  EXPECT_EQ(ruling(few, {1, 0}, attemptWith(32, 1)), "");
}

TEST(TunePruning, BoundsThatChangeNothingOrTooMuch) {
  const KernelFacts waits = h200(profile::Bound::Latency);
  EXPECT_EQ(ruling(waits, {0, 2}, attemptWith(32, 1)),
            "32 registers at most, and it has 32 as it is");
  EXPECT_EQ(ruling(waits, {0, 1}, attemptWith(32, 1)), "")
      << "64, and it took all that cost nothing";
  EXPECT_EQ(ruling(waits, {0, 1}, attemptWith(20, 1)),
            "20 registers, where 32 cost no warps: it has no use for more");
  EXPECT_EQ(ruling(waits, {0, 1}, attemptWith(80, 0.375)), "");
  EXPECT_EQ(ruling(waits, {0, 2}, attemptWith(80, 0.375)),
            "32 of 80 registers would be left: it would spill");
  EXPECT_EQ(ruling(h200(profile::Bound::Issue), {0, 2}, attemptWith(40, 0.75)),
            "bound by issue at an occupancy of 75 %: more warps find nothing to do");
}

TEST(TunePruning, PoliciesWhoseTurnsCostMoreThanShortPaths) {
  Space space;
  space.parameters = {{ParameterKind::Policy, "policy:9", {"word<0, 1>", "laggard"}}};
  PayoffPruning brief({{"policy:9", {{0.5, 0.5}, {5, 5}}}});
  EXPECT_FALSE(brief(space, {0}));
  const auto ruling = brief(space, {1}); // 30 instructions a turn for paths of 5
  ASSERT_TRUE(ruling);
  EXPECT_EQ(ruling->by, "payoff");
  PayoffPruning lengthy({{"policy:9", {{0.5, 0.5}, {500, 500}}}});
  EXPECT_FALSE(lengthy(space, {1}));
  PayoffPruning unknown({});
  EXPECT_FALSE(unknown(space, {1}));
}

} // namespace
} // namespace heddle::tune
