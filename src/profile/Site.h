// SPDX-License-Identifier: Apache-2.0
//
// Places in the user's source.
#pragma once

#include <compare>
#include <string>
#include <vector>

namespace heddle::profile {

struct SourceLocation {
  std::string file; ///< empty where the program carries no line table
  int line = 0;
  int column = 0;

  auto operator<=>(const SourceLocation&) const = default;
};

/// A place in the source, and the calls through which it came into the kernel, innermost first.
struct Site {
  SourceLocation where;
  std::string function; ///< that the line belongs to
  std::vector<SourceLocation> inlinedAt;

  auto operator<=>(const Site&) const = default;
};

} // namespace heddle::profile
