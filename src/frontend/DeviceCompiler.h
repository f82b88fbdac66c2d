// SPDX-License-Identifier: Apache-2.0
//
// CUDA source to optimised device IR, by clang 19 and our own CUDA headers, with no toolkit.
// docs/design/compat.md says how and why.
#pragma once

#include "frontend/ClangRun.h"
#include "frontend/CompilerFlags.h"
#include "support/Error.h"

#include <string>

namespace heddle::frontend {

struct CompileOptions {
  CompilerFlags flags;
  std::filesystem::path nvcc; ///< makes the device code; empty: clang does
  bool useCache = true;
  Diagnostics diagnostics;
};

/// LLVM bitcode of the device code of a .cu file, or nvcc's PTX, from the cache where nothing has
/// changed. A compiler error carries what clang printed.
Expected<std::string> compileDevice(const std::string& sourceFile, const CompileOptions& options);

} // namespace heddle::frontend
