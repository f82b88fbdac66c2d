// SPDX-License-Identifier: Apache-2.0
//
// Numbers as the reports of this folder print them.
#pragma once

#include "report/Format.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <string>

namespace heddle::exporting {

/// 1234567 -> "1.23 M"
inline std::string shortCount(double value) {
  const double size = std::abs(value);
  return size >= 1e9   ? fmt::format("{:.3g} G", value / 1e9)
         : size >= 1e6 ? fmt::format("{:.3g} M", value / 1e6)
         : size >= 1e4 ? fmt::format("{:.3g} k", value / 1e3)
                       : fmt::format("{:.0f}", value);
}

/// 1.8e-5 -> "18 us"
inline std::string shortTime(double seconds) {
  return seconds >= 1      ? fmt::format("{:.3g} s", seconds)
         : seconds >= 1e-3 ? fmt::format("{:.3g} ms", seconds * 1e3)
                           : fmt::format("{:.3g} us", seconds * 1e6);
}

/// "18 us (17 to 24)": the ends in the unit of the middle, with two digits
inline std::string shortRange(double seconds, double low, double high) {
  const double unit = seconds >= 1 ? 1 : seconds >= 1e-3 ? 1e-3 : 1e-6;
  return fmt::format("{} ({} to {})", shortTime(seconds), report::rounded(low / unit, 2),
                     report::rounded(high / unit, 2));
}

} // namespace heddle::exporting
