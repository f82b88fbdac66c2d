// SPDX-License-Identifier: Apache-2.0
//
// One line on standard error that says what runs and for how long, shown only on a terminal: for
// work whose amount is not known. support/Progress.h draws the bar for work that is.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace heddle {

/// Redraws once a second. The destructor wipes the line, so that nothing of it stays.
class StatusLine {
public:
  StatusLine();
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  /// Shows another text and counts its seconds from now on.
  void show(std::string text);

  /// Takes the line off the screen until the next show(), so that others can print.
  void wipe();

private:
  void draw();
  void keepDrawing();

  const bool visible_;
  bool ends_ = false;
  bool drawn_ = false;
  std::string text_; ///< empty: nothing to show
  std::chrono::steady_clock::time_point begin_{};
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread drawer_;
};

} // namespace heddle
