// SPDX-License-Identifier: Apache-2.0
//
// How many blocks of a kernel fit on a multiprocessor at once, for every NVIDIA generation.
// docs/design/occupancy.md has the rules and where they come from.
#pragma once

#include "machine/SmLimits.h"
#include "support/Error.h"

#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace heddle::machine {

/// How the program asks to divide a multiprocessor's memory between L1 cache and shared memory.
enum class CachePreference { None, PreferShared, PreferL1, PreferEqual };

/// What one block of a kernel needs.
struct KernelResources {
  int threads = 0;
  int registers = 0; ///< per thread
  int shared = 0;    ///< bytes, static and dynamic together
  int barriers = 0;  ///< named barriers; 0 leaves them out of the account
  bool optIn = true; ///< whether the program may opt in to more than the default shared memory
  CachePreference cache = CachePreference::None;
  std::optional<int>
      carveoutPercent; ///< cudaFuncAttributePreferredSharedMemoryCarveout, from 7.0 on
};

enum class Limiter { Warps, Blocks, Registers, Shared, Barriers };
inline constexpr Limiter allLimiters[] = {Limiter::Warps, Limiter::Blocks, Limiter::Registers,
                                          Limiter::Shared, Limiter::Barriers};
std::string_view limiterName(Limiter limiter);

inline constexpr int unlimited = std::numeric_limits<int>::max();

struct Occupancy {
  int warpsPerBlock = 0;
  int registersPerBlock = 0; ///< as allocated
  int sharedPerBlock = 0;    ///< bytes as allocated, what the system reserves included
  int sharedPerSm = 0;       ///< bytes the multiprocessor gives to shared memory
  int blockLimit[5] = {};    ///< by Limiter; `unlimited` where the resource sets no limit
  int activeBlocks = 0;
  int activeWarps = 0;
  int activeThreads = 0;
  double occupancy = 0; ///< active warps / warps the multiprocessor can hold, 0 to 1

  /// The resources whose limit is the smallest, in the order of Limiter.
  std::vector<Limiter> limiters() const;
  /// The one to name first: a resource the user can change before a limit of the hardware.
  Limiter limiter() const;
  int limitBy(Limiter limiter) const { return blockLimit[static_cast<int>(limiter)]; }
};

/// Refuses what no launch on this hardware could ask for, and says what it allows.
Expected<void> validateResources(const SmLimits& limits, const KernelResources& kernel);

/// Total: a kernel that cannot be launched has zero active blocks. Needs threads >= 1.
Occupancy computeOccupancy(const SmLimits& limits, const KernelResources& kernel);

} // namespace heddle::machine
