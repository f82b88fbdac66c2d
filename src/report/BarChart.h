// SPDX-License-Identifier: Apache-2.0
//
// A small chart of bars for the terminal: a few rows high, with a mark under the bar "you are
// here".
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace heddle::report {

struct BarChart {
  std::vector<double> values; ///< one column each
  double top = 1;             ///< value of a full column
  int rows = 3;
  std::optional<int> mark; ///< column that is marked
  std::string topLabel;    ///< left of the first row
  std::string lowLabel;    ///< left and right of the axis line
  std::string highLabel;
};

/// Lines of text, each ending in a newline, indented by two spaces.
std::string drawBars(const BarChart& chart);

} // namespace heddle::report
