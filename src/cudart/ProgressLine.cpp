// SPDX-License-Identifier: Apache-2.0
#include "cudart/ProgressLine.h"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace heddle::cudart {

std::string describeProgress(const std::string& kernel, const engine::LaunchProgress& progress,
                             double seconds) {
  const double rate = seconds > 0 ? double(progress.threadInstructions) / seconds / 1e9 : 0;
  std::string text = fmt::format("{}  {} of {} blocks  {:.1f} G thread-instructions/s", kernel,
                                 progress.blocksDone, progress.blocks, rate);
  if (progress.blocksDone > 0) {
    const double left =
        seconds / double(progress.blocksDone) * double(progress.blocks - progress.blocksDone);
    text += left < 90 ? fmt::format("  {:.0f} s left", left)
                      : fmt::format("  {:.0f} min left", left / 60);
  }
  return text;
}

ProgressLine::ProgressLine(std::string kernel, bool enabled)
    : kernel_(std::move(kernel)), enabled_(enabled) {}

ProgressLine::~ProgressLine() {
  wipe();
}

void ProgressLine::update(const engine::LaunchProgress& progress) {
  if (!enabled_)
    return;
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  if (now < nextDraw_)
    return;
  nextDraw_ = now + std::chrono::milliseconds(100);
  const std::chrono::duration<double> passed = now - begin_;
  fmt::print(stderr, "\r\x1b[K{}", describeProgress(kernel_, progress, passed.count()));
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressLine::wipe() {
  const std::lock_guard lock(mutex_);
  if (!std::exchange(drawn_, false))
    return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
}

} // namespace heddle::cudart
