// SPDX-License-Identifier: Apache-2.0
//
// What people write on a compiler's command line, nvcc's spellings included, as far as it matters
// here.
#pragma once

#include "support/Error.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend {

struct CompilerFlags {
  std::vector<std::string> common; ///< of every pass: -I, -D, -U, -include, -isystem
  std::vector<std::string> device;
  std::vector<std::string> host;
  std::vector<std::string> link;
  std::vector<std::string> nvcc;      ///< as they were given: what means something to nvcc alone
  std::string architecture = "sm_90"; ///< nvcc's, where those above name none, or several
  std::string standard = "c++17";     ///< -std, not for C files
  std::string level;                  ///< -O; empty: 2
  bool relocatable = false;           ///< -rdc=true: host code may name variables of other files
  std::string language;               ///< -x: "cu", "c++", "c"; empty: by the file's name

  void makeRelocatable(); ///< -rdc=true
  bool isCuda(const std::string& file) const;

  bool operator==(const CompilerFlags&) const = default;
};

/// Whether -l of the name means one of CUDA's own libraries.
bool isToolkitLibrary(std::string_view name);

/// Takes the compiler flag at the front of `arguments`, with its value where that follows. Returns
/// how many arguments that were, 0 if the first one is no compiler flag.
Expected<std::size_t> takeCompilerFlag(std::span<const std::string> arguments,
                                       CompilerFlags& flags);

} // namespace heddle::frontend
