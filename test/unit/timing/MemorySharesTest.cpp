// SPDX-License-Identifier: Apache-2.0
#include "timing/MemoryShares.h"

#include "TraceBuilder.h"

namespace heddle::timing {
namespace {

constexpr std::uint64_t MiB = 1 << 20;

/// Two loads: sites 0 and 1.
profile::KernelTrace twoLoads(TraceBuilder& builder) {
  return builder.load(4).load(4).trace(4, 8);
}

TEST(MemoryShares, EachByteComesFromMemoryOnce) {
  TraceBuilder builder;
  profile::KernelTrace trace = twoLoads(builder);
  trace.footprints = {{0, 1, 100 * MiB, 1000, 0}, {1, 2, 10 * MiB, 1000, 0}};
  CacheContents cache(device("h200"));
  const std::vector<double> shares = sharesFromMemory(trace, double(100 * MiB), cache).fromDram;
  EXPECT_DOUBLE_EQ(shares[0], 1) << "50 of its 100 MB are asked for";
  EXPECT_DOUBLE_EQ(shares[1], 0.2) << "blocks share it: each of 10 MB is asked for five times";
}

TEST(MemoryShares, LookupsInALargeTableMissAgain) {
  TraceBuilder builder;
  profile::KernelTrace trace = twoLoads(builder);
  trace.footprints = {{0, 1, 300 * MiB, 1000, 1000}, {1, 2, 300 * MiB, 1000, 0}};
  CacheContents cache(device("h200"));
  const std::vector<double> shares = sharesFromMemory(trace, double(1200 * MiB), cache).fromDram;
  EXPECT_DOUBLE_EQ(shares[1], 0.5) << "in step with other blocks";
  EXPECT_DOUBLE_EQ(shares[0], 0.5 + 0.5 * 0.9) << "60 of 600 MB are there";
}

TEST(MemoryShares, WhatIsOnlyWrittenStaysIfItFits) {
  TraceBuilder builder;
  profile::KernelTrace trace = twoLoads(builder);
  trace.footprints = {{7, 1, 30 * MiB, 1000, 0}}; // of no load
  CacheContents cache(device("h200"));
  EXPECT_EQ(sharesFromMemory(trace, double(30 * MiB), cache).fromDram[7], 0);
  trace.footprints[0].size = 100 * MiB;
  EXPECT_EQ(sharesFromMemory(trace, double(100 * MiB), cache).fromDram[7], 1);
  EXPECT_TRUE(sharesFromMemory({trace.shape, {}, {}, 1}, 0, cache).fromDram.empty());
}

TEST(MemoryShares, WhatWasCopiedIsAfarForItsFirstReaders) {
  TraceBuilder builder;
  profile::KernelTrace trace = twoLoads(builder);
  trace.footprints = {{0, 1, 8 * MiB, 1000, 0}, {1, 1 + 8 * MiB, MiB, 1000, 0}};
  CacheContents cache(device("h200"));
  const std::array copied = {Region{1, 8 * MiB, false, 1, true},
                             Region{1 + 8 * MiB, MiB, false, 1, true}};
  cache.use(copied);
  const SiteShares first = sharesFromMemory(trace, double(16 * MiB), cache);
  EXPECT_EQ(first.fromDram[0], 0);
  EXPECT_DOUBLE_EQ(first.afar[0], 1) << "each byte has one reader";
  EXPECT_DOUBLE_EQ(first.afar[1], 0.25) << "eight readers in two partitions";
  const SiteShares second = sharesFromMemory(trace, double(16 * MiB), cache);
  EXPECT_EQ(second.afar[0], 0) << "both have been read";
  EXPECT_EQ(second.afar[1], 0);
}

} // namespace
} // namespace heddle::timing
