// SPDX-License-Identifier: Apache-2.0
//
// CUDA source to optimised device IR, by clang 19 and our own CUDA headers, with no toolkit.
// docs/design/compat.md says how and why.
#pragma once

#include "support/Error.h"

#include <string>
#include <vector>

namespace heddle::frontend {

struct CompileOptions {
  std::vector<std::string> clangFlags; ///< -I, -D, -U, -std and the like, passed on
};

/// LLVM bitcode of the device code of a .cu file. A compiler error carries what clang printed.
Expected<std::string> compileDevice(const std::string& sourceFile, const CompileOptions& options);

} // namespace heddle::frontend
