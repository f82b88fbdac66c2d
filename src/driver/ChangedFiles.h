// SPDX-License-Identifier: Apache-2.0
//
// A program some of whose files have another text than on disk.
#pragma once

#include "support/Error.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace heddle::driver {

/// Other texts for some of a program's files, by their names.
using ChangedFiles = std::map<std::string, std::string>;

/// Writes the changed ones of `files` to a folder of ours. Returns all as they are to be compiled,
/// with the folders of the originals on the include path (`includeFolders`).
Expected<std::vector<std::string>> writeChanged(const std::vector<std::string>& files,
                                                const ChangedFiles& changed,
                                                const std::filesystem::path& to);

/// The folders of a program's files: what stands beside an original is also found from its copy.
std::vector<std::string> includeFolders(const std::vector<std::string>& files);

} // namespace heddle::driver
