// SPDX-License-Identifier: Apache-2.0
#include "report/BarChart.h"

#include "report/Table.h"

#include <algorithm>
#include <cmath>

namespace heddle::report {
namespace {

constexpr int eighths = 8;
constexpr const char* blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

/// What one column shows in a row; row 0 is the lowest.
const char* cell(double value, double top, int rows, int row) {
  const int filled = static_cast<int>(std::lround(value / top * rows * eighths));
  return blocks[std::clamp(filled - row * eighths, 0, eighths)];
}

} // namespace

std::string drawBars(const BarChart& chart) {
  const std::size_t margin = std::max(displayWidth(chart.topLabel), displayWidth(chart.lowLabel));
  std::string text;
  for (int row = chart.rows - 1; row >= 0; --row) {
    text += "  " + padLeft(row == chart.rows - 1 ? chart.topLabel : "", margin) + " ";
    std::string bars;
    for (const double value : chart.values)
      bars += cell(value, chart.top, chart.rows, row);
    bars.erase(bars.find_last_not_of(' ') + 1);
    text += bars;
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  text += "  " + padLeft(chart.lowLabel, margin) + " ";
  for (int column = 0; column < static_cast<int>(chart.values.size()); ++column)
    text += chart.mark == column ? "▲" : "─";
  return text + " " + chart.highLabel + "\n";
}

} // namespace heddle::report
