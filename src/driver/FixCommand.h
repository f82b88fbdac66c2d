// SPDX-License-Identifier: Apache-2.0
//
// heddle fix: choose the rewrites that pay, apply them, and prove that nothing else changed
#pragma once

#include "driver/Output.h"
#include "driver/RunCommand.h"
#include "support/Error.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace heddle::driver {

/// Where a branch begins, or is asked about, as --line says it.
struct AskedPlace {
  int line = 0;          ///< 0: any
  int column = 0;        ///< 0: any of that line
  std::string file = {}; ///< empty: any

  /// Whether that line of a file is meant; any is, where no line was named.
  bool isLine(const std::string& path, int number) const;
};

struct FixOptions {
  RunOptions run;
  std::string only; ///< the name of a rewrite; empty: all
  AskedPlace place;
  std::string form;                     ///< of the rewrite, for --unproven; empty: the first
  std::array<int, 3> block = {0, 0, 0}; ///< for --unproven
  bool inPlace = false;
  bool all = false;                ///< apply what pays without a question
  double tolerance = 0;            ///< relative, of floats and doubles; 0: bit by bit
  bool ignoreOutput = false;       ///< what the program prints may differ
  bool trust = false;              ///< take threads for independent without looking
  std::optional<double> budget{};  ///< seconds for trials; else by how long the program runs
  bool likely = false;             ///< apply what is too close to tell, too
  bool unproven = false;           ///< the rewrite as it stands, without a run
  std::string bundle{};            ///< a tar to write, for a GPU elsewhere; empty: none
  std::string measured{};          ///< the table of a bundle that was measured; empty: none
  std::vector<std::string> inputs; ///< more lines of arguments to prove it with
};

/// Status 0 when something was applied and proven, 1 when nothing pays.
Expected<Answer> fixProgram(const FixOptions& options, const Output& output);

} // namespace heddle::driver
