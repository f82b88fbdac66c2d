// SPDX-License-Identifier: Apache-2.0
//
// Lines of the user's source files, each file read once.
#pragma once

#include "profile/KernelProfile.h"

#include <map>
#include <string>
#include <vector>

namespace heddle::report {

class SourceText {
public:
  /// The line at a place, without indent; empty where it cannot be read.
  std::string line(const profile::SourceLocation& where);
  /// The same with its indent and tabs.
  std::string wholeLine(const profile::SourceLocation& where);

private:
  std::map<std::string, std::vector<std::string>> files_;
};

/// A text of at most `width` columns: "if (depth < 0 || de...".
std::string shortened(const std::string& text, std::size_t width);

/// "photon.cu:20", or "photon.cu:20:7" where the column tells places apart.
std::string placeText(const profile::SourceLocation& where, bool withColumn = false);

} // namespace heddle::report
