// SPDX-License-Identifier: Apache-2.0
//
// nvcc takes `asm("mov.u32 %0, %laneid;" ...)`, which many write; clang wants `%%laneid` and stops.
// What clang complains of is mended in a copy that it reads instead of the file. Lines stay as they
// are.
#pragma once

#include "frontend/CompilerFlags.h"

#include <filesystem>
#include <map>
#include <string>

namespace heddle::frontend {

class AsmEscapes {
public:
  /// The copies go to a folder of ours.
  explicit AsmEscapes(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Whether the device pass may be tried again, with what this adds to its flags.
  bool mend(const std::string& diagnostics, CompilerFlags& flags);

private:
  bool writeOverlay(CompilerFlags& flags);

  std::filesystem::path folder_;
  std::map<std::filesystem::path, std::string> texts_; ///< mended, by absolute path
};

} // namespace heddle::frontend
