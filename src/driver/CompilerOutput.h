// SPDX-License-Identifier: Apache-2.0
//
// What a compiler prints goes to standard error, in its colours.
#pragma once

#include "driver/Output.h"
#include "frontend/ClangRun.h"
#include "support/Printable.h"

#include <cstdio>
#include <string_view>

namespace heddle::driver {

inline frontend::Diagnostics compilerOutput(const Output& output) {
  const auto print = [](std::string_view text) {
    const std::string shown = printableColored(text);
    std::fwrite(shown.data(), 1, shown.size(), stderr);
  };
  return {.print = print, .colored = output.colorErrors};
}

} // namespace heddle::driver
