// SPDX-License-Identifier: Apache-2.0
//
// heddle export: a profile in the format of another tool
#pragma once

#include "driver/Output.h"
#include "profile/ProgramProfile.h"
#include "support/Error.h"

#include <string>
#include <vector>

namespace heddle::advise {
struct Candidate;
}

namespace heddle::driver {

struct ExportOptions {
  std::string profile;
  std::string format;
  std::string output; ///< a file; empty: standard output
};

/// What --format understands.
std::vector<std::string> exportFormats();

/// A profile in one of these; `advice` where the sources have been looked at.
std::string exportedProfile(const profile::ProgramProfile& profile, const std::string& format,
                            const std::vector<advise::Candidate>& advice);

Expected<Answer> runExport(const ExportOptions& options);

} // namespace heddle::driver
