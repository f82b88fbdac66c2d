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

/// Other texts for some of a program's files, and of files that these include, by their names.
using ChangedFiles = std::map<std::string, std::string>;

/// A program as it is to be compiled.
struct WrittenProgram {
  std::vector<std::string> sources;
  std::vector<std::string> flags; ///< in front of all others: where its headers are
};

/// Writes the changed files to a folder of ours. Where one of them is a header, all files of the
/// program go there, in folders as they were, so that each includes the new one; `flags` say where
/// headers are. The folders of the originals must be on the include path (`includeFolders`).
Expected<WrittenProgram> writeChanged(const std::vector<std::string>& files,
                                      const std::vector<std::string>& flags,
                                      const ChangedFiles& changed, const std::filesystem::path& to);

/// The folders of a program's files: what stands beside an original is also found from its copy.
std::vector<std::string> includeFolders(const std::vector<std::string>& files);

} // namespace heddle::driver
