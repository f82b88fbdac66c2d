// SPDX-License-Identifier: Apache-2.0
//
// Line charts as SVG: plain text, no fonts or scripts to load, readable on light and dark pages.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace heddle::report {

struct Series {
  std::string name;
  std::vector<double> x{};
  std::vector<double> y{};
  bool stairs = false; ///< each value holds for the whole way from the one before it
  bool dashed = false;
  bool dots = false; ///< a dot at every point, for measurements
};

struct Marker {
  double x = 0;
  double y = 0;
  std::string label;
};

struct Range2 {
  double low = 0;
  double high = 1;
};

struct Chart {
  std::string title;
  std::string xLabel;
  std::string yLabel;
  Range2 x;
  Range2 y;
  std::vector<Series> series;
  std::vector<Marker> markers;
  bool logX = false; ///< the axis is logarithmic; its range and all points are above 0
  bool logY = false;
};

/// A picture as a file of its own.
struct Picture {
  std::string fileName;
  std::string svg;
};

/// One picture with the charts below each other.
std::string drawSvg(const std::vector<Chart>& charts);

/// Round numbers that divide a range into about `count` steps.
std::vector<double> axisTicks(Range2 range, int count);

/// Powers of ten inside a range above 0, at most `count` or so; below two decades 2 and 5 times
/// them too.
std::vector<double> logTicks(Range2 range, int count);

} // namespace heddle::report
