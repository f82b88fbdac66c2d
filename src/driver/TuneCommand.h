// SPDX-License-Identifier: Apache-2.0
//
// heddle tune: search a program's configurations, prove that results stay equal, keep the best.
#pragma once

#include "driver/Output.h"
#include "driver/RunCommand.h"
#include "support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::driver {

/// One --set NAME=v1,v2.
struct MacroChoice {
  std::string name;
  std::vector<std::string> values;
};
Expected<MacroChoice> parseMacroChoice(std::string_view text);

struct TuneOptions {
  RunOptions run;
  std::string kernel; ///< its plain name; empty: all that take a tenth of the time
  std::vector<MacroChoice> macros;
  std::optional<std::int64_t> size;    ///< to keep it under; else the threads of the launch
  std::optional<std::int64_t> seconds; ///< after which nothing further is tried
  double tolerance = 0;                ///< relative, of floats and doubles; 0: bit by bit
  bool ignoreOutput = false;
  bool exhaustive = false; ///< time every configuration, rule out none
  bool onGpu = false;      ///< time on the GPU here
  bool keep = true;
  std::string store; ///< the file; empty: the usual one
  std::string svg;   ///< where a picture of the search goes; empty: none
};

/// Status 0, with or without a gain.
Expected<Answer> tuneProgram(const TuneOptions& options, const Output& output);

struct TunedQuery {
  std::string kernel, device;
  std::optional<std::int64_t> size;
  std::string store;
  bool all = false; ///< for forget: without a kernel or device
};

/// `heddle tune show`, `export` (as a header, or JSON) and `forget`.
Expected<Answer> showTuned(const TunedQuery& query, const Output& output);
Expected<Answer> exportTuned(const TunedQuery& query, const Output& output);
Expected<Answer> forgetTuned(const TunedQuery& query, const Output& output);

} // namespace heddle::driver
