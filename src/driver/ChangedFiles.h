// SPDX-License-Identifier: Apache-2.0
//
// A program some of whose files have another text than on disk.
#pragma once

#include "frontend/ProgramSpec.h"
#include "support/Error.h"

#include <filesystem>
#include <map>
#include <string>

namespace heddle::driver {

/// Other texts for some of a program's files, and of files that these include, by their names.
using ChangedFiles = std::map<std::string, std::string>;

/// Writes the changed files to a folder of ours, and returns the program as it is to be compiled.
/// Where a header changed, all files of the project that it is included with go there, in folders
/// as they were. What stands beside an original is also found from its copy. Files that nothing
/// changes for stay where they are.
Expected<frontend::ProgramSpec> writeChanged(const frontend::ProgramSpec& program,
                                             const ChangedFiles& changed,
                                             const std::filesystem::path& to);

} // namespace heddle::driver
