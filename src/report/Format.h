// SPDX-License-Identifier: Apache-2.0
//
// Numbers as our text reports print them.
#pragma once

#include <fmt/format.h>

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

} // namespace heddle::report
