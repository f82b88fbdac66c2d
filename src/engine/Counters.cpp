// SPDX-License-Identifier: Apache-2.0
#include "engine/Counters.h"

#include <algorithm>

namespace heddle::engine {

Counters::Counters(const CompiledKernel& kernel)
    : branches(kernel.prototype.branches.size()), loops(kernel.prototype.loops.size()),
      sites(kernel.faultSites.size()) {}

void Counters::addTo(profile::KernelProfile& profile, const CompiledKernel& kernel) const {
  profile.warpInstructions += warpInstructions;
  profile.threadInstructions += threadInstructions;
  profile.lostToFinished += lostToFinished;
  profile.lostToPartial += lostToPartial;
  for (std::size_t i = 0; i < branches.size(); ++i)
    profile.branches[i] += branches[i];
  for (std::size_t i = 0; i < loops.size(); ++i)
    profile.loops[i] += loops[i];
  for (std::size_t i = 0; i < sites.size(); ++i)
    if (kernel.accessRecords[i] >= 0)
      profile.accesses[std::size_t(kernel.accessRecords[i])] += sites[i].counts;
}

} // namespace heddle::engine
