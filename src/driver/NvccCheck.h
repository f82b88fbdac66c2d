// SPDX-License-Identifier: Apache-2.0
//
// Whether nvcc compiles a rewritten program, too: clang has, or nothing would have been proven.
#pragma once

#include "advise/Verdict.h"
#include "driver/ChangedFiles.h"
#include "driver/NvccBuild.h"

namespace heddle::driver {

struct NvccCheck {
  advise::NvccVerdict verdict = advise::NvccVerdict::Compiles;
  std::string complaint; ///< where it refuses
};

/// Compiles the CUDA files that changed, all of them where a header did; one that nvcc does not
/// take is compiled as it was, too. An error only when nvcc was stopped or `folder` cannot be
/// written.
Expected<NvccCheck> checkWithNvcc(const NvccBuild& nvcc, const RunOptions& options,
                                  const ChangedFiles& changed, const std::filesystem::path& folder);

} // namespace heddle::driver
