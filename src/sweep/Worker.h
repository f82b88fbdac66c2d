// SPDX-License-Identifier: Apache-2.0
//
// A rank other than 0: runs the points it is given, until it is told to end or rank 0 falls silent.
#pragma once

#include "sweep/Ranks.h"
#include "sweep/RunningPoint.h"

#include <chrono>

namespace heddle::sweep {

struct WorkerOptions {
  int slots = 1;                    ///< points at once
  std::chrono::seconds silence{60}; ///< after which rank 0 counts as dead
};

/// Returns when the sweep is over. An error where rank 0 is gone.
Expected<void> runWorker(Ranks& ranks, PointSettings settings, const WorkerOptions& options);

} // namespace heddle::sweep
