// SPDX-License-Identifier: Apache-2.0
//
// What a program's files include, as far as it lies in their project: found by the text of the
// files, without a compiler.
#pragma once

#include "frontend/ProgramSpec.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace heddle::driver {

/// The folder that a program's files belong to: the one that its build names; else the repository
/// that they lie in; else the current one if they lie in it; else the one that holds them all.
/// Headers outside it are other people's.
std::filesystem::path projectFolder(const frontend::ProgramSpec& program);

/// Whether a file lies in a folder or below it.
bool isBelow(const std::filesystem::path& file, const std::filesystem::path& folder);

/// The folders that -I and its kin name, in their order.
std::vector<std::filesystem::path> headerFolders(const std::vector<std::string>& flags);

/// A file of the program itself and all of the project that it includes, directly or not, whatever
/// conditions stand around it; absolute.
std::set<std::filesystem::path> includedFiles(const frontend::ProgramSpec& program,
                                              const std::string& file);

} // namespace heddle::driver
