// SPDX-License-Identifier: Apache-2.0
//
// What an access to device memory asks of the L1, and what a store hands on to the L2.
#pragma once

#include "profile/KernelTrace.h"
#include "timing/DeviceCosts.h"

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace heddle::timing {

inline constexpr double never = std::numeric_limits<double>::infinity();

/// What an access touches of device memory, in the L1 of its thread block.
struct Touched {
  std::span<const std::uint32_t> numbers;
  std::vector<double>* sectors = nullptr; ///< of the block: when each is there
  double lines = 0;                       ///< of 128 bytes
  double newLines = 0;                    ///< of those, with sectors that nobody has asked for
  double fresh = 0;                       ///< how many nobody has asked for
  double newPairs = 0;                    ///< of those, share whose neighbour nobody has asked for
  double latest = 0;                      ///< when the last of the others is there

  void arrive(double time) const {
    for (const std::uint32_t number : numbers)
      if (double& there = (*sectors)[number]; there == never)
        there = time;
  }
};

/// `list`: the warp's; `sectors`: when each of the block is there.
Touched touch(std::span<const std::uint32_t> list, const profile::Traffic& traffic,
              std::vector<double>& sectors);

/// For how long an access to device memory keeps the L1 busy: its tags serve four lines at once,
/// its banks a word each, and a line that comes is entered alone.
double l1Service(const DeviceCosts& costs, const profile::Step& step,
                 const profile::Traffic& traffic, const Touched& touched);

/// What a warp wrote last. Its stores that follow one another go to the L2 together if they write
/// few lines: on an H200 2 to 4 (bench/cuda/device_strided.cu).
class WrittenLines {
public:
  /// A store as the warp's step number `issued`. Returns the bytes that go to the L2.
  double add(const DeviceCosts& costs, const Touched& touched, const profile::Traffic& traffic,
             std::uint64_t issued);

private:
  static constexpr std::size_t most = 4;
  struct Line {
    std::uint32_t number = ~std::uint32_t{0};
    unsigned sectors = 0; ///< a bit for each
  };

  std::array<Line, most> lines_{};
  std::uint64_t issued_ = 0;
};

} // namespace heddle::timing
