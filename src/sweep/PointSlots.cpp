// SPDX-License-Identifier: Apache-2.0
#include "sweep/PointSlots.h"

#include <algorithm>

namespace heddle::sweep {
namespace {

bool isFree(const std::unique_ptr<RunningPoint>& slot) {
  return slot == nullptr;
}

} // namespace

bool PointSlots::hasRoom() const {
  return std::ranges::any_of(running_, isFree);
}

void PointSlots::start(const Task& task) {
  const auto slot = std::ranges::find_if(running_, isFree);
  auto started = RunningPoint::start(task, settings_, ++started_);
  if (started)
    *slot = std::make_unique<RunningPoint>(*std::move(started));
  else
    refused_.push_back(failedToStart(task, settings_, started.error().message));
}

void PointSlots::clear() {
  for (std::unique_ptr<RunningPoint>& point : running_)
    if (!isFree(point) && point->isOver())
      over_.push_back(std::move(point));
}

std::vector<PointResult> PointSlots::takeResults() {
  std::vector<PointResult> results = std::exchange(refused_, {});
  for (const std::unique_ptr<RunningPoint>& point : std::exchange(over_, {}))
    results.push_back(point->result());
  return results;
}

void PointSlots::wait(std::chrono::microseconds limit) const {
  std::vector<const Subprocess*> processes;
  for (const std::unique_ptr<RunningPoint>& point : running_) {
    if (isFree(point))
      continue;
    processes.push_back(&point->process());
    const auto patience = point->patience();
    if (patience.count() >= 0)
      limit = limit.count() < 0 ? patience : std::min(limit, patience);
  }
  if (!processes.empty() || limit.count() >= 0)
    Subprocess::waitForAny(processes, limit);
}

void PointSlots::endAll() {
  for (std::unique_ptr<RunningPoint>& point : running_)
    if (!isFree(point))
      point->process().kill();
  std::ranges::for_each(running_, [](auto& point) { point.reset(); }); // which waits for their ends
}

} // namespace heddle::sweep
