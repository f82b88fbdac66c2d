// SPDX-License-Identifier: Apache-2.0
#include "report/SvgChart.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

TEST(SvgChart, TicksAreRoundNumbersInside) {
  EXPECT_EQ(axisTicks({0, 10}, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  const auto ticks = axisTicks({0.45, 1}, 5);
  EXPECT_NEAR(ticks.front(), 0.6, 1e-12);
  EXPECT_NEAR(ticks.back(), 1.0, 1e-12);
}

TEST(SvgChart, EscapesTextAndNamesEverySeries) {
  const Chart chart{.title = "a < b & c",
                    .xLabel = "x",
                    .yLabel = "y",
                    .x = {0, 1},
                    .y = {0, 1},
                    .series = {{.name = "first", .x = {0, 1}, .y = {0, 1}},
                               {.name = "second", .x = {0, 1}, .y = {1, 0}}},
                    .markers = {}};
  const std::string svg = drawSvg({chart});
  EXPECT_NE(svg.find("a &lt; b &amp; c"), std::string::npos);
  EXPECT_NE(svg.find(">first<"), std::string::npos);
  EXPECT_NE(svg.find(">second<"), std::string::npos);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

} // namespace
} // namespace heddle::report
