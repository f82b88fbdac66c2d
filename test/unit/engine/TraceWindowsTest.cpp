// SPDX-License-Identifier: Apache-2.0
#include "engine/TraceWindows.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>

namespace heddle::engine {
namespace {

constexpr TraceWindows::Limits limits{.executions = 1 << 20, .accesses = 1024, .spread = true};
constexpr unsigned windows = 32, accesses = 32;

/// A warp that makes an access each so many instructions, until it has run as many as that.
profile::WarpTrace traced(std::uint64_t instructions, std::uint64_t block = 0,
                          std::uint64_t countedAtOnce = 1) {
  profile::WarpTrace trace;
  TraceWindows places;
  places.start(&trace, limits, block);
  std::uint64_t resume = 0;
  bool traces = true;
  for (std::uint64_t at = 0; at < instructions; ++at) {
    const std::uint64_t told = at / countedAtOnce * countedAtOnce;
    if (!traces && told >= resume) {
      places.resume(told);
      traces = true;
    }
    if (!traces)
      continue;
    trace.executions.push_back({0, 0, std::uint32_t(trace.traffic.size())});
    trace.traffic.push_back({std::int32_t(at)});
    if (places.isFull()) {
      resume = places.end(told, true);
      traces = resume <= told;
      if (traces)
        places.resume(told);
    }
  }
  return trace;
}

TEST(TraceWindows, AShortWarpIsTracedWhole) {
  const profile::WarpTrace trace = traced(windows * accesses / 2);
  EXPECT_EQ(trace.traffic.size(), windows * accesses / 2);
  EXPECT_FALSE(trace.cutOff);
}

TEST(TraceWindows, ALongWarpIsSeenFromTheSecondWindowOn) {
  constexpr std::uint64_t long_ = 100'000;
  const profile::WarpTrace trace = traced(long_);
  EXPECT_TRUE(trace.cutOff);
  EXPECT_GE(trace.windows.size(), windows / 2);
  // What it does once, as it begins, stands for nothing else.
  EXPECT_GT(trace.traffic.front().site, int(accesses));
  EXPECT_GT(trace.traffic.back().site, int(long_ * 3 / 4));
  for (std::size_t i = 0; i < trace.windows.size(); ++i)
    EXPECT_EQ(trace.traffic[trace.windows[i].traffic].site, int(trace.windows[i].instructions));
}

TEST(TraceWindows, WindowsDoNotFallIntoStep) {
  // Rounds of 1024: evenly spaced windows of a power of two would see one place of them only.
  std::set<int> places;
  for (const profile::WarpTrace& trace : {traced(1'000'000), traced(1'000'000, 1)})
    for (const auto& window : trace.windows)
      places.insert(int(window.instructions % 1024) / 128);
  EXPECT_EQ(places.size(), 8);
  EXPECT_EQ(traced(1'000'000, 1).traffic.back().site, traced(1'000'000, 1).traffic.back().site);
}

TEST(TraceWindows, InstructionsMayBeCountedManyWindowsLater) {
  constexpr std::uint64_t long_ = 100'000;
  const profile::WarpTrace trace = traced(long_, 0, 200);
  EXPECT_GT(trace.traffic.back().site, int(long_ * 3 / 4));
  EXPECT_GE(trace.windows.size(), windows / 4);
}

} // namespace
} // namespace heddle::engine
