// SPDX-License-Identifier: Apache-2.0
#include "driver/SourceTexts.h"

#include <gtest/gtest.h>

namespace heddle::driver {
namespace {

TEST(SourceTexts, KeepsLineEnds) {
  EXPECT_EQ(withLineEndsOf("a\r\nb\r\n", "a\r\nnew\nb\r\n"), "a\r\nnew\r\nb\r\n");
  EXPECT_EQ(withLineEndsOf("a\nb\n", "a\nnew\nb\n"), "a\nnew\nb\n");
  EXPECT_EQ(withLineEndsOf("a\r\nb\n", "a\r\nnew\nb\n"), "a\r\nnew\nb\n"); // mixed: as they are
  EXPECT_EQ(withLineEndsOf("a", "a\nb"), "a\nb");
}

TEST(SourceTexts, NamesFilesAsPatchTakesThem) {
  EXPECT_EQ(diffName("/tmp/k.cu"), "tmp/k.cu");
  EXPECT_EQ(diffName("./k.cu"), "k.cu");
  EXPECT_EQ(diffName("a//b/../k.cu"), "a/k.cu");
}

} // namespace
} // namespace heddle::driver
