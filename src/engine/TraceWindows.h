// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/KernelTrace.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace heddle::engine {

/// Which parts of a warp are traced. A short one is traced whole, a long one in windows that are
/// spread over its life, however long it turns out to be:
///
///   0123456789abcdef                   windows one behind the other, until all are used
///   0 2 4 6 8 a c e                    every second one is given up,
///   0 2 4 6 8 a c e g i k m o q s u    and those that follow leave out as much as they take
///   0   4   8   c   g   k   o   s      and so on
class TraceWindows {
public:
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  /// How much may be traced of a warp, at most.
  struct Limits {
    std::uint64_t executions = 0; ///< of basic blocks
    std::uint64_t accesses = 0;
    bool spread = false; ///< or only the beginning
  };

  void start(profile::WarpTrace* trace, Limits limits);
  bool isFull() const;
  /// Ends the window, at so many instructions of the warp; with how many the next one begins, if
  /// one may be left out.
  std::uint64_t end(std::uint64_t instructions, bool mayLeaveOut);
  void resume(std::uint64_t instructions);
  /// How many instructions one that is traced now stands for.
  std::uint64_t distance() const { return distance_; }
  /// Instructions that the windows stood for when they were traced.
  std::uint64_t covered(std::uint64_t instructions) const;

private:
  struct Window {
    std::size_t execution, access; ///< its first
  };

  void giveUpHalf();

  profile::WarpTrace* trace_ = nullptr;
  Limits limits_;
  std::vector<Window> windows_; ///< the last one is open
  std::uint64_t began_ = 0;     ///< instructions of the warp at the begin of the open window
  std::uint64_t distance_ = 1;
  std::uint64_t covered_ = 0;
  bool isOpen_ = false;
};

} // namespace heddle::engine
