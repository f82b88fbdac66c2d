// SPDX-License-Identifier: Apache-2.0
#include "frontend/MissingHeader.h"

#include <gtest/gtest.h>

namespace heddle::frontend {
namespace {

TEST(MissingHeader, NamesWhatIsKnown) {
  EXPECT_EQ(missingHeader("a.cu:1:10: fatal error: 'cuda_fp16.h' file not found\n"),
            "Heddle has no cuda_fp16.h: numbers of half precision are not run yet; use float");
  EXPECT_TRUE(missingHeader("x: fatal error: 'thrust/sort.h' file not found")
                  .starts_with("Heddle has no thrust/sort.h: "));
}

TEST(MissingHeader, LeavesTheUsersOwnAlone) {
  EXPECT_EQ(missingHeader("a.cu:1:10: fatal error: 'mine.h' file not found\n"), "");
  EXPECT_EQ(missingHeader("' file not found"), "");
  EXPECT_EQ(missingHeader(""), "");
}

} // namespace
} // namespace heddle::frontend
