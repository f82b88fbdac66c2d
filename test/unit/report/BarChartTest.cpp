// SPDX-License-Identifier: Apache-2.0
#include "report/BarChart.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

TEST(BarChart, DrawsHeightsInEighths) {
  BarChart chart;
  chart.values = {0, 0.25, 0.5, 1};
  chart.rows = 2;
  chart.mark = 2;
  chart.topLabel = "8";
  chart.lowLabel = "0";
  chart.highLabel = "end";
  EXPECT_EQ(drawBars(chart), "  8    █\n"
                             "     ▄██\n"
                             "  0 ──▲─ end\n");
}

} // namespace
} // namespace heddle::report
