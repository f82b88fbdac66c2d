// SPDX-License-Identifier: Apache-2.0
#include "support/StatusLine.h"

#include "support/Terminal.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <utility>

namespace heddle {

StatusLine::StatusLine() : visible_(isTerminal(stderr)) {
  if (!visible_)
    return;
  sigset_t all, before; // signals are for the thread that waits for children
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  drawer_ = std::thread([this] { keepDrawing(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

StatusLine::~StatusLine() {
  if (!visible_)
    return;
  wipe();
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  wake_.notify_one();
  drawer_.join();
}

void StatusLine::show(std::string text) {
  if (!visible_)
    return;
  const std::lock_guard lock(mutex_);
  text_ = std::move(text);
  begin_ = std::chrono::steady_clock::now();
  draw();
}

void StatusLine::wipe() {
  const std::lock_guard lock(mutex_);
  text_.clear();
  if (!std::exchange(drawn_, false))
    return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
}

void StatusLine::draw() {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
  fmt::print(stderr, "\r\x1b[K{}  {:.0f} s", text_, passed.count());
  std::fflush(stderr);
  drawn_ = true;
}

void StatusLine::keepDrawing() {
  std::unique_lock lock(mutex_);
  while (!ends_) {
    wake_.wait_for(lock, std::chrono::seconds(1));
    if (!ends_ && !text_.empty())
      draw();
  }
}

} // namespace heddle
