// SPDX-License-Identifier: Apache-2.0
#include "support/Progress.h"

#include "support/Terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

namespace heddle {

Progress::Progress(std::string label) : label_(std::move(label)), visible_(isTerminal(stderr)) {}

Progress::~Progress() {
  if (drawn_)
    fmt::print(stderr, "\r\x1b[K");
}

void Progress::expect(std::uint64_t units) {
  total_ += units;
}

void Progress::advance(std::uint64_t units) {
  done_ += units;
  if (visible_)
    drawIfDue();
}

void Progress::say(std::string text) {
  if (!visible_)
    return;
  {
    const std::lock_guard lock(mutex_);
    text_ = std::move(text);
  }
  drawIfDue();
}

void Progress::drawIfDue() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  const auto now = std::chrono::steady_clock::now();
  if (!lock || now < nextDraw_)
    return;
  nextDraw_ = now + std::chrono::milliseconds(100);
  draw(done_, total_);
}

void Progress::draw(std::uint64_t done, std::uint64_t total) {
  constexpr int width = 30;
  const double share = total == 0 ? 0 : std::min(1.0, double(done) / double(total));
  const int filled = static_cast<int>(share * width);
  const std::string bar = std::string(filled, '#') + std::string(width - filled, '.');
  fmt::print(stderr, "\r\x1b[K{} [{}] {:3.0f} %{}{}", label_, bar, share * 100,
             text_.empty() ? "" : "  ", text_);
  std::fflush(stderr);
  drawn_ = true;
}

} // namespace heddle
