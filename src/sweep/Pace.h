// SPDX-License-Identifier: Apache-2.0
//
// Clocks of the loops that wait for messages and for points at once. MPI can only be asked, so how
// often is a balance: the longer nothing has happened, the longer it may take to see the next
// thing. Waiting adds two percent to a point, whether it takes milliseconds or hours.
#pragma once

#include <algorithm>
#include <chrono>

namespace heddle::sweep {

/// When something was heard last.
class Heard {
public:
  void note() { last_ = std::chrono::steady_clock::now(); }
  std::chrono::steady_clock::duration silence() const {
    return std::chrono::steady_clock::now() - last_;
  }

private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// How long to wait until the next look.
class Pace {
public:
  void note() { event_.note(); }
  std::chrono::microseconds interval() const {
    const auto passed = std::chrono::duration_cast<std::chrono::microseconds>(event_.silence());
    return std::clamp(passed / 50, std::chrono::microseconds(100),
                      std::chrono::microseconds(50'000));
  }

private:
  Heard event_;
};

/// True once a period.
class Beat {
public:
  explicit Beat(std::chrono::milliseconds period = std::chrono::seconds(1)) : period_(period) {}

  bool isDue() {
    if (last_.silence() < period_)
      return false;
    last_.note();
    return true;
  }

private:
  std::chrono::milliseconds period_;
  Heard last_;
};

} // namespace heddle::sweep
