// SPDX-License-Identifier: Apache-2.0
//
// What a source is after its includes, and which files those are.
#pragma once

#include "frontend/ClangRun.h"
#include "frontend/CompilerFlags.h"
#include "support/Error.h"

#include <filesystem>
#include <string>
#include <vector>

namespace heddle::frontend {

struct PreprocessedSource {
  std::string text;                         ///< of the host code
  std::vector<std::filesystem::path> files; ///< the source first; Heddle's own headers are left out
};

struct PreprocessOptions {
  CompilerFlags flags;
  std::filesystem::path nvcc; ///< whose headers it may include; empty: none
  Diagnostics diagnostics;
};

Expected<PreprocessedSource> preprocess(const std::string& source,
                                        const PreprocessOptions& options);

/// "target: file file" as make reads it.
std::string makeRule(const std::vector<std::string>& targets,
                     const std::vector<std::filesystem::path>& files);

} // namespace heddle::frontend
