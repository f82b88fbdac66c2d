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

TEST(SvgChart, LogTicksArePowersOfTen) {
  EXPECT_EQ(logTicks({1, 1000}, 5), (std::vector<double>{1, 10, 100, 1000}));
  EXPECT_EQ(logTicks({1, 32}, 5), (std::vector<double>{1, 2, 5, 10, 20}));
  EXPECT_GE(logTicks({2.1, 4.9}, 5).size(), 2u);
  EXPECT_LE(logTicks({1e-9, 1e9}, 5).size(), 6u);
}

TEST(SvgChart, LogAxesSpaceDecadesEvenly) {
  Chart chart{.title = "t", .xLabel = "x", .yLabel = "y", .x = {1, 100}, .y = {1, 100}};
  chart.series = {
      {.name = "s", .x = {1, 10, 100}, .y = {1, 10, 100}, .dashed = true, .dots = true}};
  chart.logX = chart.logY = true;
  const std::string svg = drawSvg({chart});
  EXPECT_NE(svg.find("points=\"64.0,252.0 317.0,144.0 570.0,36.0 \""), std::string::npos);
  EXPECT_NE(svg.find("stroke-dasharray"), std::string::npos);
  EXPECT_NE(svg.find("<circle fill=\"#0072b2\" cx=\"317.0\" cy=\"144.0\""), std::string::npos);
}

TEST(SvgChart, LongNamesWidenThePicture) {
  Chart chart{.title = "t", .xLabel = "x", .yLabel = "y"};
  chart.series = {{.name = "short", .x = {0, 1}, .y = {0, 1}}};
  EXPECT_NE(drawSvg({chart}).find("width=\"720\" height=\"300\""), std::string::npos);
  chart.series.front().name = "published for the GeForce GTX 280";
  EXPECT_EQ(drawSvg({chart}).find("width=\"720\""), std::string::npos);
}

TEST(SvgChart, LongTitlesWidenThePicture) {
  Chart chart{.title = std::string(60, 't'), .xLabel = "x", .yLabel = "y"};
  EXPECT_NE(drawSvg({chart}).find("width=\"720\""), std::string::npos);
  chart.title += std::string(40, 't');
  EXPECT_EQ(drawSvg({chart}).find("width=\"720\""), std::string::npos);
}

TEST(SvgChart, WholeNumbersHaveNoTicksBetween) {
  Chart chart{.title = "t", .xLabel = "x", .yLabel = "y", .x = {1, 2}, .y = {0, 10}};
  chart.series = {{.name = "s", .x = {1, 2}, .y = {3, 4}}};
  EXPECT_EQ(drawSvg({chart}).find(">1.2<"), std::string::npos);
  chart.series.front().x = {1, 1.5};
  EXPECT_NE(drawSvg({chart}).find(">1.2<"), std::string::npos);
}

TEST(SvgChart, SmallTicksArePowersOfTen) {
  Chart chart{.title = "t", .xLabel = "x", .yLabel = "y", .y = {1e-5, 1e-3}};
  chart.logY = true;
  const std::string svg = drawSvg({chart});
  EXPECT_NE(svg.find(">1e-4<"), std::string::npos);
  EXPECT_NE(svg.find(">0.001<"), std::string::npos);
}

TEST(SvgChart, ALineBehindAnotherIsWider) {
  Chart chart{.title = "t", .xLabel = "x", .yLabel = "y"};
  chart.series = {{.name = "a", .x = {0, 1}, .y = {0, 1}}, {.name = "b", .x = {0, 1}, .y = {0, 1}}};
  EXPECT_NE(drawSvg({chart}).find("stroke-width=\"6\""), std::string::npos);
  chart.series.back().y = {0, 0.5};
  EXPECT_EQ(drawSvg({chart}).find("stroke-width=\"6\""), std::string::npos);
}

} // namespace
} // namespace heddle::report
