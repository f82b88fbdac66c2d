// SPDX-License-Identifier: Apache-2.0
//
// Files built into the program by cmake/EmbedFiles.cmake.
#pragma once

#include <span>
#include <string_view>

namespace heddle::machine {

struct EmbeddedFile {
  std::string_view name;
  std::string_view text;
};

/// devices/*.json, ordered by file name.
std::span<const EmbeddedFile> embeddedDevices();

} // namespace heddle::machine
