// SPDX-License-Identifier: Apache-2.0
//
// The folder of files that a run wrote, where the run was not to change the user's own. For
// "/home/u/out.txt":
//   FOLDER/written/home/u/out.txt        what it wrote
//   FOLDER/removed/home/u/out.txt/.gone  it removed that file
// The runtime library fills it (cudart/FileCopies.h), heddle compares it.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace heddle::profile {

inline constexpr char writtenFolder[] = "/written";
inline constexpr char removedFolder[] = "/removed";
inline constexpr char removedMark[] = "/.gone";

/// Where the content of each file lies, by its name: as seen from `seenFrom` where it lies in
/// there, else from the root. No place: the run removed it.
using WrittenFiles = std::map<std::string, std::filesystem::path>;

WrittenFiles listWritten(const std::filesystem::path& folder,
                         const std::filesystem::path& seenFrom);

} // namespace heddle::profile
