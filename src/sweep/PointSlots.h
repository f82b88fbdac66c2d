// SPDX-License-Identifier: Apache-2.0
//
// The points that a process runs at once: as many as it has slots.
#pragma once

#include "sweep/RunningPoint.h"

#include <chrono>
#include <memory>
#include <vector>

namespace heddle::sweep {

class PointSlots {
public:
  /// The settings outlive it.
  PointSlots(int slots, const PointSettings& settings)
      : settings_(settings), running_(std::size_t(slots)) {}
  PointSlots(const PointSlots&) = delete;
  PointSlots& operator=(const PointSlots&) = delete;
  ~PointSlots() { endAll(); }

  bool hasRoom() const;

  /// Where there is room.
  void start(const Task& task);

  /// Makes room where points have ended.
  void clear();

  /// What came of those that were cleared. Reading it takes a moment, in which others run.
  std::vector<PointResult> takeResults();

  /// Waits until one has ended, but no longer than this; negative: for ever.
  void wait(std::chrono::microseconds limit) const;

  void endAll();

private:
  const PointSettings& settings_;
  std::vector<std::unique_ptr<RunningPoint>> running_; ///< null: the slot is free
  std::vector<std::unique_ptr<RunningPoint>> over_;
  std::vector<PointResult> refused_; ///< they could not be started
  int started_ = 0;
};

} // namespace heddle::sweep
