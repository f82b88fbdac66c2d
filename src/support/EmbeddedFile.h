// SPDX-License-Identifier: Apache-2.0
//
// A file built into the program by cmake/EmbedFiles.cmake.
#pragma once

#include <string_view>

namespace heddle {

struct EmbeddedFile {
  std::string_view name; ///< relative to the folder it was taken from
  std::string_view text;
};

} // namespace heddle
