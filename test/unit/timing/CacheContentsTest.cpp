// SPDX-License-Identifier: Apache-2.0
#include "timing/CacheContents.h"

#include "TraceBuilder.h"

namespace heddle::timing {
namespace {

constexpr double MB = 1e6;

void use(CacheContents& cache, const Region& region) {
  cache.use({&region, 1});
}

TEST(CacheContents, KeepsWhatWasUsedLast) {
  CacheContents cache(device("h200")); // 60 MiB, what is read is there twice
  const Region one{1, 20 * MB}, two{2, 8 * MB}, three{3, 20 * MB};
  EXPECT_EQ(cache.shareOf(one), 0);
  use(cache, one);
  use(cache, two);
  EXPECT_EQ(cache.shareOf(one), 1);
  EXPECT_EQ(cache.shareOf(two), 1);
  EXPECT_EQ(cache.shareOf({2, 16 * MB}), 0.5) << "the other half was not used";
  use(cache, three);
  EXPECT_EQ(cache.shareOf(three), 1);
  EXPECT_EQ(cache.shareOf(two), 1);
  EXPECT_NEAR(cache.shareOf(one), (62.9 - 40 - 16) / 40, 0.01) << "what fits beside";
}

TEST(CacheContents, ASweepOverMoreThanFitsLeavesNothing) {
  CacheContents cache(device("h200"));
  use(cache, {1, 20 * MB});
  use(cache, {2, 40 * MB});
  EXPECT_EQ(cache.shareOf({1, 20 * MB}), 0);
  EXPECT_EQ(cache.shareOf({2, 40 * MB}), 0);
  use(cache, {2, 40 * MB, false});
  EXPECT_EQ(cache.shareOf({2, 40 * MB}), 1) << "what is written is there once";
}

TEST(CacheContents, ADeviceWithoutL2KeepsNothing) {
  CacheContents cache(device("8800gtx"));
  use(cache, {1, 1000});
  EXPECT_EQ(cache.shareOf({1, 1000}), 0);
}

} // namespace
} // namespace heddle::timing
