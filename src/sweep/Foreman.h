// SPDX-License-Identifier: Apache-2.0
//
// Gives out the points that wait, to slots of its own process and to the other ranks, and alone
// writes what becomes of them. Knows three kinds of bad luck:
//
//   a point that crashes    is a child of its rank: the point failed, and the rank goes on;
//   a rank that dies        falls silent: its points are given out again, at most three times;
//   a file that is locked   is tried again for a minute, then all stop. What was written stays.
#pragma once

#include "sweep/Crew.h"
#include "sweep/PointTable.h"
#include "sweep/RunningPoint.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace heddle::sweep {

struct ForemanOptions {
  int slots = 1; ///< points at once in this process
  std::chrono::seconds lockPatience{60};
  /// Told after each point, and about twice a second: how many have ended, and how many failed.
  std::function<void(std::size_t ended, std::size_t failed)> progress{};
};

struct ForemanReport {
  std::size_t ended = 0;
  std::size_t failed = 0;
  double seconds = 0;
  std::vector<std::string> problems{}; ///< ranks that died or are of another version
};

/// Runs all tasks. An error where the file can no longer be written; points that ended before are
/// in it. The crew is not dismissed.
Expected<ForemanReport> runPoints(PointTable& table, const std::vector<Task>& tasks, Crew& crew,
                                  const PointSettings& settings, const ForemanOptions& options);

} // namespace heddle::sweep
