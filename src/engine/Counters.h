// SPDX-License-Identifier: Apache-2.0
//
// The account while a launch runs: numbers only, one set for each worker thread.
#pragma once

#include "engine/CompiledKernel.h"
#include "engine/WarpContext.h"
#include "profile/KernelProfile.h"

#include <cstdint>
#include <vector>

namespace heddle::engine {

/// On a cache line of its own; compiled code adds to it.
struct alignas(64) BranchCounters : profile::BranchCounts {};

struct Counters {
  explicit Counters(const CompiledKernel& kernel);

  /// Adds them to a profile made from the kernel's prototype.
  void addTo(profile::KernelProfile& profile, const CompiledKernel& kernel) const;

  std::uint64_t warpInstructions = 0;
  std::uint64_t threadInstructions = 0;
  std::uint64_t lostToFinished = 0;
  std::uint64_t lostToPartial = 0;
  std::vector<BranchCounters> branches;
  std::vector<profile::LoopCounts> loops;
  std::vector<AccessSite> sites; ///< one for each fault site
};

} // namespace heddle::engine
