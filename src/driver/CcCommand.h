// SPDX-License-Identifier: Apache-2.0
//
// `heddle cc`: nvcc's command line, for makefiles. What it makes runs on the engine; a program
// leaves its profile where HEDDLE_PROFILE says.
#pragma once

#include "driver/Output.h"
#include "frontend/NvccCommandLine.h"
#include "support/Error.h"

#include <string>
#include <vector>

namespace heddle::driver {

struct CcOptions {
  std::vector<std::string> arguments; ///< as they stand on the command line
};

Expected<Answer> compileLikeNvcc(const CcOptions& options, const Output& output);

} // namespace heddle::driver
