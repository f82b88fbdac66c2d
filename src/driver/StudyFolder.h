// SPDX-License-Identifier: Apache-2.0
//
// Where studies are found, and which there are.
#pragma once

#include "study/StudyFile.h"
#include "support/Error.h"

#include <filesystem>
#include <string>
#include <vector>

namespace heddle::driver {

/// The folder that was asked for; without one share/heddle/studies beside heddle's bin folder, or
/// the source tree's studies where heddle was built.
Expected<std::filesystem::path> findStudyFolder(const std::string& given);

/// One study, its devices known too.
Expected<study::Study> loadStudy(const std::filesystem::path& folder, const std::string& name);

/// Those that were named; "all" stands for every study of the folder.
Expected<std::vector<study::Study>> loadStudies(const std::filesystem::path& folder,
                                                const std::vector<std::string>& names);

/// Names for completions; none where there is no folder.
std::vector<std::string> knownStudies();

} // namespace heddle::driver
