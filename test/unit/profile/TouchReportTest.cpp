// SPDX-License-Identifier: Apache-2.0
#include "profile/TouchReport.h"

#include <gtest/gtest.h>

namespace heddle::profile {
namespace {

TEST(TouchReport, ComesBackAsItWas) {
  const TouchedTwice conflict{.region = "cudaMalloc #1 (64 bytes)",
                              .offset = 12,
                              .first = {.where = {"a.cu", 3, 0},
                                        .access = AccessKind::Store,
                                        .thread = 70,
                                        .block = {1, 0, 0},
                                        .threadInBlock = {6, 0, 0}},
                              .second = {.where = {"b.cu", 4, 0}, .access = AccessKind::Atomic}};
  const std::string text = writeTouches(
      {{.kernel = "k", .launches = 2, .global = conflict}, {.kernel = "other", .launches = 1}});
  const auto back = readTouches(text, "test");
  ASSERT_TRUE(back) << back.error().message;
  ASSERT_EQ(back->size(), 2U);
  EXPECT_EQ(writeTouches(*back), text);
  EXPECT_FALSE(back->at(0).shared);
  EXPECT_FALSE(back->at(1).global);
  EXPECT_EQ(back->at(0).global->first.block[0], 1U);
  EXPECT_EQ(back->at(0).global->second.access, AccessKind::Atomic);
}

TEST(TouchReport, AnotherDocumentIsRefused) {
  EXPECT_FALSE(readTouches("{", "test"));
  EXPECT_FALSE(readTouches(R"({"schema": "heddle.profile/1", "kernels": []})", "test"));
  EXPECT_FALSE(readTouches(R"({"schema": "heddle.touches/1", "kernels": [{}]})", "test"));
}

} // namespace
} // namespace heddle::profile
