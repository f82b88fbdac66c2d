// SPDX-License-Identifier: Apache-2.0
//
// What a program's files include, as far as it lies in their project: found by the text of the
// files, without a compiler.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace heddle::driver {

/// The folder that a program's files belong to: the repository that they lie in; else the current
/// one if they lie in it; else the one that holds them all. Headers outside it are other people's.
std::filesystem::path projectFolder(const std::vector<std::string>& files);

/// Whether a file lies in a folder or below it.
bool isBelow(const std::filesystem::path& file, const std::filesystem::path& folder);

/// The folders that -I and its kin name, in their order.
std::vector<std::filesystem::path> headerFolders(const std::vector<std::string>& flags);

/// The files themselves and all of the project that they include, directly or not, whatever
/// conditions stand around it; absolute.
std::set<std::filesystem::path> includedFiles(const std::vector<std::string>& files,
                                              const std::vector<std::string>& flags);

} // namespace heddle::driver
