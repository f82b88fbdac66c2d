// SPDX-License-Identifier: Apache-2.0
#include "model/Summary.h"

#include <gtest/gtest.h>

namespace heddle::model {
namespace {

TEST(Summary, OfAHandComputedSample) {
  const Summary summary = summarize({1, 2, 3, 4, 10});
  EXPECT_EQ(summary.mean, 4);
  EXPECT_NEAR(summary.sd, 3.5355339, 1e-6);
  EXPECT_NEAR(summary.standardError, 1.5811388, 1e-6);
  EXPECT_EQ(summary.min, 1);
  EXPECT_EQ(summary.max, 10);
  EXPECT_EQ(summary.quantiles[2], 3);
}

TEST(Summary, OneValueHasNoSpread) {
  EXPECT_EQ(summarize({7}).sd, 0);
}

TEST(Density, IntegratesToOne) {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i)
    values.push_back(0.5 + 0.0001 * (i % 37));
  const Density density = estimateDensity(values, 0.0005, 201);
  double area = 0;
  for (std::size_t i = 1; i < density.x.size(); ++i)
    area += (density.x[i] - density.x[i - 1]) * (density.y[i] + density.y[i - 1]) / 2;
  EXPECT_NEAR(area, 1, 0.01);
}

} // namespace
} // namespace heddle::model
