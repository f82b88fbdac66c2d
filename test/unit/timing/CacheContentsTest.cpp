// SPDX-License-Identifier: Apache-2.0
#include "timing/CacheContents.h"

#include "TraceBuilder.h"

#include <array>

namespace heddle::timing {
namespace {

constexpr double megabyte = 1 << 20;
constexpr std::uint64_t one = 1ull << 40, two = 2ull << 40, three = 3ull << 40; ///< far apart

/// Uses the region alone; returns the share that was there.
double use(CacheContents& cache, const Region& region) {
  return cache.use({&region, 1})[0].there;
}

/// Of the second of two sweeps, on an H200 with its L2 of 60 MiB.
double foundAgain(std::vector<Region> regions) {
  CacheContents cache(device("h200"));
  cache.use(regions);
  return cache.use(regions)[0].there;
}

bool keeps(std::vector<Region> regions) {
  return CacheContents(device("h200")).keepsWrites(regions);
}

TEST(CacheContents, ASweepFindsWhatFits) {
  // Measured on an H200 with bench/cuda/device_cache.cu: from 32 MiB 1 MB comes from memory, of 48
  // 47
  EXPECT_EQ(foundAgain({{one, 32 * megabyte}}), 1);
  EXPECT_EQ(foundAgain({{one, 48 * megabyte}}), 0);
  // to copy 16 MiB again brings 0.9 MB from memory, 24 bring 23.7
  EXPECT_EQ(foundAgain({{one, 16 * megabyte}, {two, 16 * megabyte, false}}), 1);
  EXPECT_EQ(foundAgain({{one, 24 * megabyte}, {two, 24 * megabyte, false}}), 0);
}

TEST(CacheContents, WhatIsWrittenStaysIfItFits) {
  EXPECT_TRUE(keeps({{one, 28 * megabyte, false}})) << "of 28 MiB an H200 writes 5 MB to memory";
  EXPECT_FALSE(keeps({{one, 36 * megabyte, false}})) << "of 36 MiB all";
  EXPECT_TRUE(keeps({{one, 16 * megabyte}, {two, 16 * megabyte, false}}));
  EXPECT_FALSE(keeps({{one, 24 * megabyte}, {two, 24 * megabyte, false}}));
}

TEST(CacheContents, KeepsWhatWasUsedLast) {
  CacheContents cache(device("h200"));
  EXPECT_EQ(use(cache, {one, 8 * megabyte}), 0);
  EXPECT_EQ(use(cache, {two, 16 * megabyte}), 0);
  EXPECT_EQ(use(cache, {one, 16 * megabyte}), 0.5) << "the other half was not used";
  use(cache, {three, 20 * megabyte});
  EXPECT_EQ(use(cache, {one, 16 * megabyte}), 1);
  EXPECT_EQ(use(cache, {two, 16 * megabyte}), 0)
      << "all but 4 MiB had gone, and go before they are asked for";
}

/// bench/cuda/split.cu: one kernel reads a mask and a table, which five blocks share, and writes;
/// the next reads the mask. On an H200 6.5 MB of 16.8 come from memory then.
TEST(CacheContents, ASweepOverMoreThanFitsLeavesItsEnd) {
  CacheContents cache(device("h200"));
  const std::array all = {Region{one, 16 * megabyte}, Region{two, 16 * megabyte, true, 5},
                          Region{three, 16 * megabyte, false}};
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(cache.use(all)[0].there, 0, 0.01);
  EXPECT_NEAR(use(cache, {one, 16 * megabyte}), 1 - 6.5 / 16.8, 0.05);
}

TEST(CacheContents, MoreReadersNeedMorePlace) {
  EXPECT_EQ(foundAgain({{one, 36 * megabyte, true, 1}}), 1);
  EXPECT_EQ(foundAgain({{one, 36 * megabyte, true, 5}}), 0);
}

TEST(CacheContents, ADeviceWithoutL2KeepsNothing) {
  CacheContents cache(device("8800gtx"));
  EXPECT_EQ(use(cache, {one, 1000}), 0);
  EXPECT_EQ(use(cache, {one, 1000}), 0);
}

} // namespace
} // namespace heddle::timing
