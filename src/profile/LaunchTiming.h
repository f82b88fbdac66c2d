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

/// What decides how far an estimate may be off: what bounds the time, or what the model or its
/// sample knows little of. Of several the last one counts.
enum class TimeKind {
  Issue,
  Latency,
  Memory,
  Launch,
  LongWarps, ///< most of what warps run was not traced, and is taken to be like the beginning
  Double,    ///< double precision
  OneBlock,  ///< the model is of a full GPU
  Atomics,   ///< so many on few addresses that they wait for one another
  Calls,     ///< through pointers
  Recursion, ///< a stack as deep as the data says
  Polling,   ///< warps wait for others to write, and look again and again
};
inline constexpr std::size_t timeKindCount = 11;
inline constexpr const char* timeKindNames[timeKindCount] = {
    "issue",     "latency", "memory", "launch",    "long-warps", "double",
    "one-block", "atomics", "calls",  "recursion", "polling"};

/// From one block on an estimate says little: the sample is poor.
inline bool isPoor(TimeKind kind) {
  return kind >= TimeKind::OneBlock;
}

/// One launch.
struct LaunchTiming {
  double seconds = 0;
  double cycles = 0; ///< of a multiprocessor, without the launch overhead
  Bound bound = Bound::Launch;
  TimeKind kind = TimeKind::Launch;
  bool isMachineCode = false; ///< ptxas' own; else the model's idea of it
  double issueBusy = 0;       ///< share of the cycles, of the busiest of schedulers and units
  double memoryBusy = 0;      ///< share of the cycles in which bytes move
  double atomicCycles = 0;    ///< that the L2 takes for atomics that want the same lines
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
  double low = 0, high = 0;         ///< seconds; nine of ten true times lie between them
  std::string intervalFrom;         ///< the device on which that was measured
  TimeKind kind = TimeKind::Launch; ///< of the longest launch
  double longest = 0;               ///< seconds of that
  double cycles = 0;
  std::array<double, boundCount> secondsBy{}; ///< by bound
  std::int64_t sampledBlocks = 0;
  double spread = 0; ///< the largest

  /// What bounds most of the time.
  Bound bound() const;
  void add(const KernelTiming& other);
};

} // namespace heddle::profile
