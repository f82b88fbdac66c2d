// SPDX-License-Identifier: Apache-2.0
//
// Numbers as our text reports print them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace heddle::report {

/// 0.5 -> "50.0 %"
inline std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

/// 1.1976 -> "1.198x"
inline std::string factor(double ratio) {
  return fmt::format("{:.3f}x", ratio);
}

/// 384.2 with two digits -> "380", 0.0347 -> "0.035"
inline std::string rounded(double value, int digits) {
  if (value <= 0)
    return "0";
  const int places = digits - 1 - int(std::floor(std::log10(value)));
  const double step = std::pow(10.0, -places);
  return fmt::format("{:.{}f}", std::round(value / step) * step, std::max(0, places));
}

} // namespace heddle::report
