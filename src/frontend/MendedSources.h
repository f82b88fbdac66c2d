// SPDX-License-Identifier: Apache-2.0
//
// What nvcc takes, or took once, and clang does not, as far as it can be mended: clang's complaints
// say where, and clang reads a mended copy instead of the file, or one header more. Lines stay as
// they are.
#pragma once

#include "frontend/CompilerFlags.h"

#include <filesystem>
#include <map>
#include <string>

namespace heddle::frontend {

class MendedSources {
public:
  /// The copies go to a folder of ours.
  explicit MendedSources(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Whether it may be tried again. The passes whose diagnostics these are have read the texts as
  /// they were mended last.
  bool mend(const std::string& diagnostics);

  /// The flags of a pass that reads the mended texts.
  CompilerFlags applied(CompilerFlags flags) const;

private:
  const std::string* textOf(const std::filesystem::path& file);
  bool writeOverlay();

  std::filesystem::path folder_;
  std::map<std::filesystem::path, std::string> texts_; ///< mended, by absolute path
  std::filesystem::path overlay_;                      ///< that names the copies; empty: none
  bool hasLaunches_ = false;                           ///< of kernels by kernels
  bool hasReferences_ = false;                         ///< texture<float> t;
};

} // namespace heddle::frontend
