// SPDX-License-Identifier: Apache-2.0
//
// Small things about the text of a user's file that is rewritten.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace heddle::driver {

/// The rewritten text with the line ends of the original: where all of those are CRLF, ours are,
/// too.
std::string withLineEndsOf(std::string_view original, std::string rewritten);

/// As a person here would call a file: one below this folder without its name.
std::string shownName(const std::filesystem::path& file);

/// The file's name as it stands after a/ and b/ in a diff: "/tmp/k.cu" is "tmp/k.cu" there.
std::string diffName(const std::string& file);

} // namespace heddle::driver
