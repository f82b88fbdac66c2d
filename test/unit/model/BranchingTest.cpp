// SPDX-License-Identifier: Apache-2.0
#include "model/Branching.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heddle::model {
namespace {

TEST(Branching, RefusesWhatIsNoDistribution) {
  EXPECT_EQ(Branching::twoWay(1.5).error().message, "probability 1.5: expected 0 to 1");
  EXPECT_FALSE(Branching::twoWay(-0.1));
  EXPECT_FALSE(Branching::twoWay(std::nan("")));
  EXPECT_EQ(Branching::make({0.5, 0.4}, {}).error().message,
            "the probabilities of the paths add up to 0.9, expected 1");
  EXPECT_EQ(Branching::make({1}, {}).error().message, "1 paths: expected 2 to 8");
  EXPECT_EQ(Branching::make({0.5, 0.5}, {1}).error().message,
            "1 costs for 2 paths: expected one each");
  EXPECT_EQ(Branching::make({0.5, 0.5}, {1, 0}).error().message,
            "path cost 0: expected above 0, at most 1e+15");
}

TEST(Branching, KnowsItsMeanCost) {
  const Branching branching = *Branching::make({0.18, 0.59, 0.02, 0.21}, {1, 1, 5, 10});
  EXPECT_NEAR(branching.meanCost(), 0.18 + 0.59 + 0.1 + 2.1, 1e-12);
  EXPECT_FALSE(branching.equalCosts());
  EXPECT_TRUE(Branching::twoWay(0.3)->equalCosts());
}

} // namespace
} // namespace heddle::model
