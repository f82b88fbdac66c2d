// SPDX-License-Identifier: Apache-2.0
#include "timing/TimeKind.h"

#include "TraceBuilder.h"

namespace heddle::timing {
namespace {

using profile::TimeKind;
using profile::Unit;

/// A kernel that waits, and what changes its kind.
class TimeKindTest : public testing::Test {
protected:
  TimeKind kind() {
    profile::KernelTrace asked = trace_;
    asked.shape = &shape_;
    return kindOf(asked, h200_, {.blocks = blocks_}, timing_);
  }

  const machine::Device h200_ = device("h200");
  TraceBuilder builder_;
  profile::KernelTrace trace_ = builder_.chain(100, Unit::Fp32).load(1).trace(4, 1, 50);
  profile::KernelShape shape_ = *trace_.shape;
  std::int64_t blocks_ = 400;
  profile::LaunchTiming timing_{.cycles = 1e5, .bound = profile::Bound::Latency};
};

TEST_F(TimeKindTest, IsWhatBoundsTheTime) {
  EXPECT_EQ(kind(), TimeKind::Latency);
  timing_.bound = profile::Bound::Memory;
  EXPECT_EQ(kind(), TimeKind::Memory);
  timing_.bound = profile::Bound::Issue;
  EXPECT_EQ(kind(), TimeKind::Issue);
  blocks_ = 131;
  EXPECT_EQ(kind(), TimeKind::Latency) << "a multiprocessor is idle";
}

TEST_F(TimeKindTest, KnowsWarpsThatAreLongerThanTheirTrace) {
  for (profile::BlockTrace& block : trace_.blocks)
    block.warps.front().instructions *= 3;
  EXPECT_EQ(kind(), TimeKind::LongWarps);
}

TEST_F(TimeKindTest, KnowsDoublePrecision) {
  shape_.blocks.front().work.issues[std::size_t(Unit::Fp64)] = 20;
  EXPECT_EQ(kind(), TimeKind::Double);
}

TEST_F(TimeKindTest, KnowsAtomicsThatWaitForOneAnother) {
  timing_.atomicCycles = 0.05 * timing_.cycles;
  EXPECT_EQ(kind(), TimeKind::Latency);
  timing_.atomicCycles = 0.2 * timing_.cycles;
  EXPECT_EQ(kind(), TimeKind::Atomics);
}

TEST_F(TimeKindTest, KnowsWhereTheSampleIsPoor) {
  blocks_ = 1;
  EXPECT_EQ(kind(), TimeKind::OneBlock);
  shape_.callsByPointer = true;
  EXPECT_EQ(kind(), TimeKind::Calls);
  shape_.recurses = true;
  EXPECT_EQ(kind(), TimeKind::Recursion);
  trace_.polled = true;
  EXPECT_EQ(kind(), TimeKind::Polling);
}

/// A launch takes as long as it takes, whatever little there is in it.
TEST_F(TimeKindTest, ALaunchIsALaunch) {
  timing_.bound = profile::Bound::Launch;
  blocks_ = 1;
  shape_.recurses = true;
  EXPECT_EQ(kind(), TimeKind::Launch);
  trace_.polled = true;
  EXPECT_EQ(kind(), TimeKind::Polling) << "but not where it may take for ever";
}

} // namespace
} // namespace heddle::timing
