// SPDX-License-Identifier: Apache-2.0
#include "rewrite/code/Source.h"

#include <gtest/gtest.h>

namespace heddle::rewrite {
namespace {

TEST(Source, ATextIsReadOnceForAllWhoAskForItInTurn) {
  const std::string first = "__global__ void k(int* p) { *p = 1; }\n";
  const std::string second = "__global__ void k(int* p) { *p = 2; }\n";
  const auto source = Source::parse("mine.cu", first, {}, false);
  ASSERT_TRUE(source) << source.error().message;
  const Source* const other = (*source)->withTextKept(second);
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(other->text(), second);
  EXPECT_EQ((*source)->withTextKept(second), other);
  EXPECT_EQ((*source)->text(), first);
  EXPECT_EQ((*source)->withTextKept("__global__ void k(int* p) { *q = 2; }\n"), nullptr);
  const Source* const again = (*source)->withTextKept(second);
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(again->text(), second);
}

} // namespace
} // namespace heddle::rewrite
