// SPDX-License-Identifier: Apache-2.0
//
// From where a launch's sectors come: memory, or the L2.
#pragma once

#include "profile/KernelTrace.h"
#include "timing/CacheContents.h"

#include <cstdint>
#include <set>
#include <vector>

namespace heddle::timing {

/// For each access site, of the sectors that are new to a thread block.
struct SiteShares {
  std::vector<double> fromDram; ///< share that comes from memory; the others are in the L2
  std::vector<double> afar;     ///< of those, the share that comes from another partition of it
};

/// Access sites that load, or change what is there.
std::set<std::uint32_t> sitesThatRead(const profile::KernelShape& shape);

/// `freshBytes` is how many bytes are new to their thread blocks in the whole grid. The launch
/// leaves in the cache what it used.
SiteShares sharesFromMemory(const profile::KernelTrace& trace, double freshBytes,
                            CacheContents& cache);

} // namespace heddle::timing
