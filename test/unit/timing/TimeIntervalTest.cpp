// SPDX-License-Identifier: Apache-2.0
#include "timing/TimeInterval.h"

#include "TraceBuilder.h"
#include "timing/TimeLaunch.h"

#include <algorithm>
#include <string_view>

namespace heddle::timing {
namespace {

using profile::TimeKind;

struct IntervalLine {
  std::string_view code, kind;
  double low, high;
  int count;
};

constexpr IntervalLine intervalLines[] = {
#define HEDDLE_TIME_INTERVAL(code, kind, low, high, count) {code, kind, low, high, count},
#include "timing/TimeIntervals.def"
#undef HEDDLE_TIME_INTERVAL
};

const IntervalLine* lineOf(std::string_view code, std::string_view kind) {
  for (const IntervalLine& line : intervalLines)
    if (line.code == code && line.kind == kind)
      return &line;
  return nullptr;
}

/// Of fewer than 19 kernels, not even the whole range holds nine of ten: they have at least the
/// interval of all kinds.
TEST(TimeInterval, TheTableIsOfKindsThatThereAre) {
  for (const IntervalLine& line : intervalLines) {
    EXPECT_TRUE(line.code == "machine" || line.code == "model");
    EXPECT_TRUE(line.kind.empty() || line.kind == "busy" ||
                std::ranges::count(profile::timeKindNames, line.kind) == 1)
        << line.kind;
    EXPECT_LT(line.low, line.high) << line.kind;
    const IntervalLine* all = lineOf(line.code, "");
    ASSERT_NE(all, nullptr);
    if (line.count < 19) {
      EXPECT_LE(line.low, all->low) << line.kind;
      EXPECT_GE(line.high, all->high) << line.kind;
    }
  }
}

TEST(TimeInterval, IsTheOneOfTheTableOrThatOfAllKinds) {
  for (const bool isMachineCode : {true, false})
    for (std::size_t i = 0; i < profile::timeKindCount; ++i) {
      const char* code = isMachineCode ? "machine" : "model";
      const bool isBusy = TimeKind(i) == TimeKind::Issue || TimeKind(i) == TimeKind::Memory;
      const IntervalLine* own = lineOf(code, isBusy ? "busy" : profile::timeKindNames[i]);
      const IntervalLine* expected = own == nullptr ? lineOf(code, "") : own;
      ASSERT_NE(expected, nullptr);
      const TimeInterval found = timeInterval(TimeKind(i), isMachineCode);
      EXPECT_EQ(found.low, expected->low) << profile::timeKindNames[i];
      EXPECT_EQ(found.high, expected->high) << profile::timeKindNames[i];
    }
}

/// Of another compiler's code less is known.
TEST(TimeInterval, IsNarrowerWithMachineCode) {
  const TimeInterval known = timeInterval(TimeKind::Latency, true);
  const TimeInterval guessed = timeInterval(TimeKind::Latency, false);
  EXPECT_LT(known.high / known.low, guessed.high / guessed.low);
}

/// Waiting is what the model knows least of.
TEST(TimeInterval, IsNarrowerForBusyKernels) {
  for (const bool isMachineCode : {true, false}) {
    const TimeInterval busy = timeInterval(TimeKind::Issue, isMachineCode);
    const TimeInterval waiting = timeInterval(TimeKind::Latency, isMachineCode);
    EXPECT_LT(busy.high / busy.low, waiting.high / waiting.low);
  }
}

/// Two launches: the ends add up, the kind is that of the longer one.
TEST(TimeInterval, OfAllLaunchesIsTheSum) {
  const machine::Device h200 = device("h200");
  TraceBuilder shorter, longer;
  const auto timed = [&](const profile::KernelTrace& trace, std::uint64_t blocks) {
    LaunchTimer timer(h200);
    profile::KernelProfile launch;
    launch.blocks = blocks;
    timer.time(
        trace, {},
        machine::residencyOf(h200, {.threads = 32, .registers = 32}, machine::RegisterCount::Fixed),
        launch);
    return *launch.timing;
  };
  profile::KernelTiming sum = timed(shorter.chain(1, profile::Unit::Fp32).trace(1, 1), 132);
  const profile::KernelTiming empty = sum;
  const profile::KernelTiming busy =
      timed(longer.chain(1000, profile::Unit::Fp32).trace(4, 1, 50), 132);
  sum.add(busy);
  EXPECT_EQ(empty.kind, TimeKind::Launch);
  EXPECT_EQ(sum.kind, TimeKind::Latency);
  EXPECT_EQ(sum.longest, busy.seconds);
  EXPECT_DOUBLE_EQ(sum.low, empty.low + busy.low);
  EXPECT_DOUBLE_EQ(sum.high, empty.high + busy.high);
  EXPECT_DOUBLE_EQ(busy.low, busy.seconds * timeInterval(TimeKind::Latency, false).low);
  EXPECT_EQ(sum.intervalFrom, h200.name);
}

} // namespace
} // namespace heddle::timing
