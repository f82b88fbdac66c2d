// SPDX-License-Identifier: Apache-2.0
//
// A point that runs: heddle itself as a child, so that nothing a point does, and no way in which it
// ends, can take the sweep along.
#pragma once

#include "support/Subprocess.h"
#include "sweep/PointTable.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace heddle::sweep {

struct PointSettings {
  std::vector<std::string> outputs; ///< those to keep; empty: all
  std::string version;              ///< of this heddle
  std::filesystem::path folder;     ///< for what points print
};

class RunningPoint {
public:
  /// `number` tells the points of a process apart.
  static Expected<RunningPoint> start(const Task& task, const PointSettings& settings, int number);

  const Subprocess& process() const { return process_; }
  const Task& task() const { return task_; }

  /// Whether it has ended. A point that has taken longer than it may is ended first.
  bool isOver();

  /// What came of it, once it is over; the files of its output are removed.
  PointResult result();

  /// How long to wait for it at most; negative: for ever.
  std::chrono::microseconds patience() const;

private:
  using Clock = std::chrono::steady_clock;

  RunningPoint(Task task, Subprocess process, const PointSettings& settings, int number,
               Clock::time_point begin);

  Task task_;
  Subprocess process_;
  const PointSettings* settings_;
  std::filesystem::path output_;
  std::filesystem::path errors_;
  Clock::time_point begin_; ///< before the process was made, which is part of the point
  std::string started_;
  bool tooLong_ = false;
  std::optional<SubprocessEnd> end_;
  double seconds_ = 0;
};

/// A point that could not even be started.
PointResult failedToStart(const Task& task, const PointSettings& settings, std::string message);

std::string hostName();

} // namespace heddle::sweep
