// SPDX-License-Identifier: Apache-2.0
//
// Whole files in and out. A write either happens completely or leaves the old file as it was, also
// when a signal ends us meanwhile (support/StopSignals.h).
#pragma once

#include "support/Error.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// Only of a regular file: a pipe may never end, a device never does.
Expected<std::string> readFile(const std::filesystem::path& path);

/// Writes a file of a name that nobody can guess into the target's folder, then renames it. A
/// target that is there keeps its mode and owner; a link stays one, and what it leads to is
/// written. Devices such as /dev/stdout, files with several names and those whose owner we cannot
/// give to another file are written directly.
Expected<void> writeFile(const std::filesystem::path& path, std::string_view text);

/// Which file this is, without reading it: where it lies, its size and its date.
std::string fileIdentity(const std::filesystem::path& path);

struct FileText {
  std::filesystem::path path;
  std::string_view text;
};

/// The same for several: all are ready before the first gets its name, and a signal comes before
/// that or after the last.
Expected<void> writeFiles(const std::vector<FileText>& files);

} // namespace heddle
