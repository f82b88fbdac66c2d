// SPDX-License-Identifier: Apache-2.0
#include "tune/Configuration.h"

#include <gtest/gtest.h>

namespace heddle::tune {
namespace {

TEST(Configuration, AKeyIsReadAsItWasWritten) {
  const Configuration all{.block = {16, 8, 1},
                          .bounds = 4,
                          .values = {{"policy:7", "word<0, 1, 1>"}, {"unroll:12", "4"}},
                          .macros = {{"TILE", "32"}}};
  EXPECT_EQ(all.key(), "block=16x8 bounds=4 policy:7=word<0, 1, 1> unroll:12=4 set:TILE=32");
  EXPECT_EQ(parseConfiguration(all.key()).value(), all);
  EXPECT_EQ(parseConfiguration("").value(), Configuration());
  EXPECT_EQ(parseConfiguration("block").error().message, "'block' is no setting such as block=128");
}

TEST(Configuration, ABlockAloneNeedsNoCodeOfItsOwn) {
  const profile::Extent own = {256, 1, 1};
  EXPECT_EQ((Configuration{.block = {64, 1, 1}}.codeKey(own)), Configuration().codeKey(own));
  EXPECT_NE((Configuration{.block = {64, 1, 1}, .bounds = 8}.codeKey(own)),
            (Configuration{.block = {128, 1, 1}, .bounds = 8}.codeKey(own)));
  EXPECT_EQ((Configuration{.bounds = 8}.boundsText(own)), "256, 8");
}

} // namespace
} // namespace heddle::tune
