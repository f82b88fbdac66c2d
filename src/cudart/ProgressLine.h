// SPDX-License-Identifier: Apache-2.0
//
// One line on stderr about a launch that takes long: HEDDLE_PROGRESS=1, which `heddle run` sets
// where stderr is a terminal.
#pragma once

#include "engine/Launch.h"

#include <chrono>
#include <mutex>
#include <string>

namespace heddle::cudart {

/// "transport  1024 of 4096 blocks  2.3 G thread-instructions/s  12 s left"
std::string describeProgress(const std::string& kernel, const engine::LaunchProgress& progress,
                             double seconds);

/// Drawn from half a second on, at most ten times a second; wiped at the end.
class ProgressLine {
public:
  ProgressLine(std::string kernel, bool enabled);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void update(const engine::LaunchProgress& progress);

  /// Makes room for what the kernel prints.
  void wipe();

private:
  using Clock = std::chrono::steady_clock;

  std::string kernel_;
  bool enabled_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point nextDraw_ = begin_ + std::chrono::milliseconds(500);
  bool drawn_ = false;
  std::mutex mutex_;
};

} // namespace heddle::cudart
