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
  for (std::size_t i = 0; i < branches.size(); ++i) {
    profile::BranchProfile& to = profile.branches[i];
    to.executions += branches[i].executions;
    to.divergentExecutions += branches[i].divergentExecutions;
    to.laneExecutions += branches[i].lanes[0] + branches[i].lanes[1];
    to.lanesTaken += branches[i].lanes[0];
    to.lostSlots += branches[i].lostSlots;
    for (std::size_t side = 0; side < 2; ++side) {
      to.pathRuns[side] += branches[i].pathRuns[side];
      to.pathInstructions[side] += branches[i].pathInstructions[side];
    }
  }
  for (std::size_t i = 0; i < loops.size(); ++i)
    profile.loops[i].addCounts(loops[i]);
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (kernel.accessRecords[i] < 0)
      continue;
    profile::MemoryProfile& to = profile.accesses[std::size_t(kernel.accessRecords[i])];
    to.executions += sites[i].executions;
    to.lanes += sites[i].lanes;
    to.transactions += sites[i].transactions;
    to.ideal += sites[i].ideal;
  }
}

} // namespace heddle::engine
