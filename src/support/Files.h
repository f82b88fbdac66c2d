// SPDX-License-Identifier: Apache-2.0
//
// Whole files in and out. A write either happens completely or leaves the old file as it was.
#pragma once

#include "support/Error.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace heddle {

Expected<std::string> readFile(const std::filesystem::path& path);

/// Writes beside the target, then renames over it. Devices such as /dev/stdout are written
/// directly.
Expected<void> writeFile(const std::filesystem::path& path, std::string_view text);

} // namespace heddle
