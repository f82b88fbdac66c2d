// SPDX-License-Identifier: Apache-2.0
//
// What a profile has to complain of, place by place, for formats that list findings.
#pragma once

#include "advise/Verdict.h"
#include "profile/ProgramProfile.h"

#include <string>
#include <vector>

namespace heddle::exporting {

enum class Level { Error, Warning, Note };

/// A kind of finding.
struct Rule {
  const char* id;
  const char* name; ///< one word, for tools
  const char* text; ///< one sentence
  const char* help;
  Level level; ///< usually
};
const std::vector<Rule>& rules();

struct ProfileFinding {
  const char* rule = "";
  Level level = Level::Warning;
  std::string message;
  profile::SourceLocation where; ///< no file: of the program as a whole
  std::string kernel;            ///< empty where it is of none
  double share = 0;              ///< of the kernel's lane slots, where it is of lanes
};

/// Lines that lose at least this share of a kernel's lane slots are told; warnings from the second
/// on.
inline constexpr double leastShare = 0.01;
inline constexpr double warningShare = 0.05;

/// Faults first, then by kernel as the profile has them, worst first, then remarks and rewrites.
std::vector<ProfileFinding> findingsOf(const profile::ProgramProfile& profile,
                                       const std::vector<advise::Candidate>& advice);

} // namespace heddle::exporting
