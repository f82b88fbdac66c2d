// SPDX-License-Identifier: Apache-2.0
#include "tune/TunedStore.h"

#include "support/Files.h"
#include "support/TemporaryFolder.h"

#include <gtest/gtest.h>

namespace heddle::tune {
namespace {

TunedKernel rowFor(std::uint64_t size, int threads) {
  return {.kernel = "step",
          .id = "_Z4stepPfi",
          .file = "/home/me/step.cu",
          .source = "abc",
          .device = "H200 SXM",
          .size = size,
          .block = {threads, 1, 1},
          .configuration = {.block = {threads, 1, 1}, .values = {{"unroll:5", "4"}}},
          .seconds = 1e-5,
          .ownSeconds = 2e-5,
          .gain = 2,
          .low = 1.8,
          .high = 2.2,
          .arguments = "1000",
          .version = "1",
          .when = "2026-01-01T00:00:00Z"};
}

class TunedStoreTest : public testing::Test {
protected:
  TemporaryFolder folder_ = TemporaryFolder::make().value();
  std::filesystem::path path_ = folder_.path() / "deep" / "tuned.db";
};

TEST_F(TunedStoreTest, WhatIsKeptIsFound) {
  EXPECT_FALSE(TunedStore::openToRead(path_).value().has_value());
  {
    TunedStore store = TunedStore::open(path_).value();
    ASSERT_TRUE(store.keep({rowFor(1000, 64), rowFor(100000, 512)}));
    ASSERT_TRUE(store.keep({rowFor(1000, 128)})) << "in place of the first";
  }
  const auto store = TunedStore::openToRead(path_).value();
  const std::vector<TunedKernel> rows = store->find({.kernel = "step"}).value();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].size, 1000U);
  EXPECT_EQ(rows[0].block[0], 128);
  EXPECT_EQ(rows[0].configuration.key(), "block=128 unroll:5=4");
  EXPECT_EQ(rows[0].gain, 2);
  EXPECT_EQ(rows[0].arguments, "1000");
  EXPECT_EQ(nearestSize(rows, 20000)->size, 100000U);
  EXPECT_EQ(nearestSize(rows, 2000)->size, 1000U);
  EXPECT_TRUE(store->find({.device = "P100"}).value().empty());
  EXPECT_EQ(store->find({.source = "abc", .size = 100000}).value().size(), 1U);
}

TEST_F(TunedStoreTest, WhatIsForgottenIsGone) {
  TunedStore store = TunedStore::open(path_).value();
  ASSERT_TRUE(store.keep({rowFor(1000, 64), rowFor(100000, 512)}));
  EXPECT_EQ(store.forget({.kernel = "step", .size = 1000}).value(), 1);
  EXPECT_EQ(store.find({}).value().size(), 1U);
  EXPECT_EQ(store.forget({.kernel = "other"}).value(), 0);
  EXPECT_EQ(store.forget({}).value(), 1);
}

TEST_F(TunedStoreTest, WhatIsNoStoreIsRefused) {
  const std::filesystem::path file = folder_.path() / "notes.db";
  ASSERT_TRUE(
      writeFile(file, "these are notes and no database at all, though long enough to be one"));
  EXPECT_FALSE(TunedStore::open(file));
  EXPECT_FALSE(TunedStore::openToRead(file));
}

} // namespace
} // namespace heddle::tune
