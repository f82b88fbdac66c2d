// SPDX-License-Identifier: Apache-2.0
//
// Lines of the user's source files, and names of places in them, as reports show them.
#pragma once

#include "profile/SourceLines.h"

#include <string>

namespace heddle::report {

class SourceText {
public:
  /// The line at a place, without indent; empty where it cannot be read.
  std::string line(const profile::SourceLocation& where);
  /// The same with its indent and tabs.
  std::string wholeLine(const profile::SourceLocation& where) { return lines_.at(where); }

private:
  profile::SourceLines lines_;
};

/// A text of at most `width` columns: "if (depth < 0 || de...".
std::string shortened(const std::string& text, std::size_t width);

/// "photon.cu:20", or "photon.cu:20:7" where the column tells places apart.
std::string placeText(const profile::SourceLocation& where, bool withColumn = false);

} // namespace heddle::report
