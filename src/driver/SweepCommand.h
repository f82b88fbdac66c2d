// SPDX-License-Identifier: Apache-2.0
//
// heddle sweep: many points of one command, each a row in a file; and what that file holds
#pragma once

#include "driver/Output.h"
#include "support/Error.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace heddle::driver {

struct SweepOptions {
  std::string spec;
  std::string database; ///< empty: beside the spec, .db instead of .json
  int atOnce = 1;       ///< points in each process
  bool retry = false;   ///< failed points run again
  int silence = 20;     ///< seconds after which a rank counts as dead
  std::string version;  ///< of this heddle
  /// Whether heddle understands the words of a command; nothing is run.
  std::function<Expected<void>(const std::vector<std::string>&)> check;
};

/// Status 1 when points failed. In an MPI job, rank 0 gives the points out and answers.
Expected<Answer> runSweep(const SweepOptions& options, const Output& output);

struct SweepFile {
  std::string file;     ///< a spec or a database
  std::string database; ///< as above
};

struct SweepShowOptions {
  SweepFile sweep;
  std::vector<std::string> columns; ///< outputs to show; empty: some that differ
  bool failed = false;              ///< only points that failed
};

Expected<Answer> showSweep(const SweepShowOptions& options, const Output& output);

/// All points as CSV.
Expected<Answer> exportSweep(const SweepFile& sweep);

struct SweepPlotOptions {
  SweepFile sweep;
  std::string x, y, by; ///< empty: the figures of the spec
  bool logX = false, logY = false;
  std::string svgFile; ///< empty: beside the database
};

Expected<Answer> plotSweep(const SweepPlotOptions& options);

} // namespace heddle::driver
