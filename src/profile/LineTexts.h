// SPDX-License-Identifier: Apache-2.0
//
// The lines of the source that a profile names, as they were when the program ran. So a profile can
// be read, and compared with another one, after the source has changed.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::profile {

struct SourceLocation;
struct ProgramProfile;

struct LineText {
  std::string file;
  int line = 0;
  std::string text; ///< without the indent and what follows the first 200 bytes

  static constexpr std::size_t mostBytes = 200;
};

/// By file and line.
using LineTexts = std::map<std::pair<std::string, int>, std::string>;

/// Reads the lines of all branches, machine code, loops and accesses; those that cannot be read are
/// left out.
std::vector<LineText> readLineTexts(const ProgramProfile& profile);

LineTexts lineTextsOf(const ProgramProfile& profile);

/// Empty where the profile does not hold it.
std::string_view textAt(const LineTexts& texts, const SourceLocation& where);

} // namespace heddle::profile
