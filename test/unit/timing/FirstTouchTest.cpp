// SPDX-License-Identifier: Apache-2.0
#include "timing/FirstTouch.h"

#include "TraceBuilder.h"
#include "timing/HostMemory.h"

namespace heddle::timing {
namespace {

constexpr double mebibyte = 1 << 20;

double writtenMicroseconds(double bytes) {
  return 1e6 * firstTouchSeconds(device("h200"), bytes, 0);
}

/// Four blocks that touch 32 sectors of 32 bytes each, of one allocation of 1 MiB.
profile::KernelTrace oneLoad(TraceBuilder& builder) {
  profile::KernelTrace trace = builder.load(4).trace(4, 8);
  trace.footprints = {{0, 4096, std::uint64_t(mebibyte), 4 * 8 * 4, 0, 0, 4096}};
  return trace;
}

TEST(FirstTouch, TakesWhatAnH200Takes) {
  // bench/cuda/device_managed.cu: the mean of kernels that read and that change, without a launch
  for (const auto& [mebibytes, measured] : {std::pair{0.0625, 93.0},
                                            {0.25, 115.0},
                                            {1.0, 342.0},
                                            {4.0, 606.0},
                                            {16.0, 1829.0},
                                            {64.0, 5977.0}})
    EXPECT_NEAR(writtenMicroseconds(mebibytes * mebibyte) / measured, 1, 0.2) << mebibytes;
}

TEST(FirstTouch, PrefetchingTakesLess) {
  for (const auto& [mebibytes, measured] : {std::pair{0.0625, 22.1},
                                            {0.25, 33.3},
                                            {1.0, 81.4},
                                            {4.0, 137.7},
                                            {16.0, 374.7},
                                            {64.0, 1384.2}})
    EXPECT_NEAR(1e6 * prefetchSeconds(device("h200"), mebibytes * mebibyte) / measured, 1, 0.12)
        << mebibytes;
  EXPECT_EQ(prefetchSeconds(device("h200"), 0), 0);
}

TEST(FirstTouch, NewMemoryAndWrittenMemoryAreWaitedForTogether) {
  const double fresh = 1e6 * firstTouchSeconds(device("h200"), 0, 64 * mebibyte);
  EXPECT_NEAR(fresh, 4724 - 9, 150);
  EXPECT_DOUBLE_EQ(1e6 * firstTouchSeconds(device("h200"), 64 * mebibyte, 64 * mebibyte),
                   fresh + writtenMicroseconds(64 * mebibyte) - 60);
  EXPECT_EQ(firstTouchSeconds(device("h200"), 0, 0), 0);
}

TEST(FirstTouch, OfOtherDevicesItIsTheSame) {
  EXPECT_EQ(firstTouchSeconds(device("v100"), mebibyte, 0),
            firstTouchSeconds(device("h200"), mebibyte, 0));
}

TEST(FirstTouch, ALaunchTouchesWhatItsSampleShowsOfTheGrid) {
  TraceBuilder builder;
  const profile::KernelTrace trace = oneLoad(builder);
  const std::vector<TouchedRange> all = touchedRanges(trace, 4);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].allocation, 4096u);
  EXPECT_EQ(all[0].first, 0u);
  EXPECT_EQ(all[0].end, 4096u) << "all blocks are in the sample";
  EXPECT_DOUBLE_EQ(all[0].sectors, 128);
  EXPECT_EQ(touchedRanges(trace, 400)[0].end, 409600u) << "one block of 100 is in it";
  EXPECT_EQ(touchedRanges(trace, 400000)[0].end, std::uint64_t(mebibyte)) << "there is no more";
}

TEST(FirstTouch, BytesFarApartAreOneRange) {
  TraceBuilder builder;
  profile::KernelTrace trace = oneLoad(builder);
  trace.footprints[0].first = 64 << 10;
  trace.footprints[0].end = 512 << 10;
  const TouchedRange range = touchedRanges(trace, 4)[0];
  EXPECT_EQ(range.first, std::uint64_t{64} << 10);
  EXPECT_EQ(range.end, std::uint64_t{512} << 10);
  EXPECT_DOUBLE_EQ(range.sectors, 128) << "that many pieces of it, at most";
}

TEST(FirstTouch, WhatAnotherAccessHasTouchedBeforeIsNoTouch) {
  TraceBuilder builder;
  profile::KernelTrace trace = oneLoad(builder);
  trace.footprints.push_back(trace.footprints[0]);
  trace.footprints[1].fresh = 0;
  EXPECT_EQ(touchedRanges(trace, 4).size(), 1u);
  trace.footprints.clear();
  EXPECT_TRUE(touchedRanges(trace, 4).empty());
}

TEST(HostMemory, ComesOverTheBus) {
  TraceBuilder builder;
  profile::KernelTrace trace = oneLoad(builder);
  const machine::Device h200 = device("h200");
  EXPECT_EQ(cyclesOverTheBus(trace, h200, mebibyte), 0) << "it lies on the device";
  trace.footprints[0].onHost = true;
  const double once = cyclesOverTheBus(trace, h200, mebibyte);
  EXPECT_NEAR(once / h200.multiprocessorMHz, 20.7, 0.1) << "microseconds";
  EXPECT_DOUBLE_EQ(cyclesOverTheBus(trace, h200, 5 * mebibyte), once) << "each byte once";
}

TEST(HostMemory, BothWaysOverlap) {
  TraceBuilder builder;
  profile::KernelTrace trace = builder.load(4).store(4).trace(4, 8);
  trace.footprints = {{0, 0, std::uint64_t(mebibyte), 128, 0, 0, 4096, true},
                      {1, 1 << 20, std::uint64_t(mebibyte), 128, 0, 0, 4096, true}};
  const machine::Device h200 = device("h200");
  EXPECT_NEAR(cyclesOverTheBus(trace, h200, 2 * mebibyte) / h200.multiprocessorMHz, 25, 0.5);
}

} // namespace
} // namespace heddle::timing
