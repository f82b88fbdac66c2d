// SPDX-License-Identifier: Apache-2.0
//
// How long a kernel would take on the modelled GPU, and why.
#pragma once

#include "profile/RegisterUse.h"

#include <array>
#include <cstdint>
#include <string>

namespace heddle::profile {

/// What the time of a launch is made of, for the most part.
enum class Bound {
  Issue,   ///< schedulers or a unit are busy
  Latency, ///< nothing is busy: warps wait for one another's results, or for too few warps
  Memory,  ///< bytes
  Launch,  ///< the launch itself
};
inline constexpr std::size_t boundCount = 4;
inline constexpr const char* boundNames[boundCount] = {"issue", "latency", "memory", "launch"};

/// One launch.
struct LaunchTiming {
  double seconds = 0;
  double cycles = 0; ///< of a multiprocessor, without the launch overhead
  Bound bound = Bound::Launch;
  double issueBusy = 0;  ///< share of the cycles, of the busiest of schedulers and units
  double memoryBusy = 0; ///< share of the cycles in which bytes move
  std::int64_t sampledBlocks = 0;
  double spread = 0; ///< relative standard error that comes from looking at a sample
  std::uint64_t replayedSteps = 0;
};

/// All launches of a kernel: times are sums, the rest is of the last launch.
struct KernelTiming {
  RegisterUse registers;
  double occupancy = 0;
  int residentBlocks = 0; ///< on one multiprocessor
  std::string limiter;
  double seconds = 0;
  double cycles = 0;
  std::array<double, boundCount> secondsBy{}; ///< by bound
  std::int64_t sampledBlocks = 0;
  double spread = 0; ///< the largest

  /// What bounds most of the time.
  Bound bound() const;
  void add(const KernelTiming& other);
};

} // namespace heddle::profile
