// SPDX-License-Identifier: Apache-2.0
//
// heddle fix: choose the rewrites that pay, apply them, and prove that nothing else changed
#pragma once

#include "driver/Output.h"
#include "driver/RunCommand.h"
#include "support/Error.h"

#include <array>
#include <string>
#include <vector>

namespace heddle::driver {

/// Where a branch begins, or is asked about, as --line says it.
struct AskedPlace {
  int line = 0;   ///< 0: any
  int column = 0; ///< 0: any of that line
};

struct FixOptions {
  RunOptions run;
  std::string only; ///< the name of a rewrite; empty: all
  AskedPlace place;
  std::string form;                     ///< of the rewrite, for --unproven; empty: the first
  std::array<int, 3> block = {0, 0, 0}; ///< for --unproven
  bool inPlace = false;
  double tolerance = 0;            ///< relative, of floats and doubles; 0: bit by bit
  bool ignoreOutput = false;       ///< what the program prints may differ
  bool trust = false;              ///< take threads for independent without looking
  bool likely = false;             ///< apply what is too close to tell, too
  bool unproven = false;           ///< the rewrite as it stands, without a run
  std::vector<std::string> inputs; ///< more lines of arguments to prove it with
};

/// Status 0 when something was applied and proven, 1 when nothing pays.
Expected<Answer> fixProgram(const FixOptions& options, const Output& output);

} // namespace heddle::driver
