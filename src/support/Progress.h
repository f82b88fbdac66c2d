// SPDX-License-Identifier: Apache-2.0
//
// A progress bar on standard error, shown only when that is a terminal.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace heddle {

/// Counts finished units of work from any thread and redraws at most ten times a second.
/// The destructor wipes the line, so that nothing of it stays on the screen.
class Progress {
public:
  /// A bar that shows nothing: for tests, pipes and --quiet.
  Progress() = default;

  /// A bar labelled `label`; visible only when standard error is a terminal.
  explicit Progress(std::string label);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Announces further units of work.
  void expect(std::uint64_t units);

  /// Reports units of work as done.
  void advance(std::uint64_t units);

  /// What stands behind the bar from now on, as "12 of 40"; from one thread.
  void say(std::string text);

  bool isVisible() const { return visible_; }

private:
  void drawIfDue();
  void draw(std::uint64_t done, std::uint64_t total);

  std::string label_;
  std::string text_;
  bool visible_ = false;
  bool drawn_ = false;
  std::atomic<std::uint64_t> total_{0};
  std::atomic<std::uint64_t> done_{0};
  std::mutex mutex_;
  std::chrono::steady_clock::time_point nextDraw_{};
};

} // namespace heddle
