// SPDX-License-Identifier: Apache-2.0
//
// Numbers as the reports of this folder print them.
#pragma once

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

} // namespace heddle::exporting
