// SPDX-License-Identifier: Apache-2.0
//
// The source files that a profile names, as a page shows them. A profile may come from a stranger,
// and a page is made to be handed on: only files that look like source code are taken.
#pragma once

#include "profile/ProgramProfile.h"

#include <filesystem>
#include <string>
#include <vector>

namespace heddle::page {

struct PageSource {
  std::string file; ///< as the profile names it
  std::string text;
  std::string missing;  ///< why there is no text; empty: there is
  bool changed = false; ///< since the profile was written
};

/// `profileFile` is where the profile was read from, empty where it has just been made: a relative
/// name that leads nowhere from here is looked for beside it, and files younger than it have
/// changed.
std::vector<PageSource> sourcesOf(const profile::ProgramProfile& profile,
                                  const std::filesystem::path& profileFile);

} // namespace heddle::page
