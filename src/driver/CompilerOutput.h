// SPDX-License-Identifier: Apache-2.0
//
// What a compiler prints goes to standard error, as it printed it.
#pragma once

#include "driver/Output.h"
#include "frontend/ClangRun.h"

#include <cstdio>
#include <string_view>

namespace heddle::driver {

inline frontend::Diagnostics compilerOutput(const Output& output) {
  const auto print = [](std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
  };
  return {.print = print, .colored = output.colorErrors};
}

} // namespace heddle::driver
