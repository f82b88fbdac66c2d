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
///   0123456789abcdef                    windows one behind the other, until all are used
///    1 3 5 7 9 b d f                    every second one is given up,
///    1 3 5 7 9 b d f h j l n p r t v    and those that follow leave out as much as they take
///      3   7   b   f   j   n   r   v    and so on
///
/// Each stands for what was left out before it: what a warp does once, as it begins, has no window
/// that would stand for much of its life. How much is left out differs, by half of it: loops whose
/// rounds are as long as the distance would be seen at one place only.
class TraceWindows {
public:
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  /// How much may be traced of a warp, at most.
  struct Limits {
    std::uint64_t executions = 0; ///< of basic blocks
    std::uint64_t accesses = 0;
    bool spread = false; ///< or only the beginning
  };

  void start(profile::WarpTrace* trace, Limits limits, std::uint64_t block);
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
    std::uint64_t instructions;    ///< of the warp before it
  };

  std::uint64_t leftOut(std::uint64_t instructions) const;
  void giveUpHalf();
  void tellTrace() const;

  profile::WarpTrace* trace_ = nullptr;
  std::uint64_t block_ = 0;
  Limits limits_;
  std::vector<Window> windows_; ///< the last one is open
  std::uint64_t began_ = 0;     ///< instructions of the warp at the begin of the open window
  std::uint64_t distance_ = 1;
  std::uint64_t covered_ = 0;
  bool isOpen_ = false;
};

} // namespace heddle::engine
