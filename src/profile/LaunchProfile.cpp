// SPDX-License-Identifier: Apache-2.0
#include "profile/LaunchProfile.h"

#include "support/LaneMask.h"

#include <cassert>

namespace heddle::profile {

std::uint64_t LaunchProfile::slots() const {
  return warpInstructions * warpSize;
}

std::uint64_t LaunchProfile::lostToBranches() const {
  std::uint64_t sum = 0;
  for (const BranchProfile& branch : branches)
    sum += branch.lostSlots;
  return sum;
}

double LaunchProfile::efficiency() const {
  return slots() == 0 ? 1 : double(threadInstructions) / double(slots());
}

bool LaunchProfile::addsUp() const {
  return threadInstructions + lostToBranches() + lostToFinished + lostToPartial == slots();
}

void LaunchProfile::add(const LaunchProfile& part) {
  assert(branches.size() == part.branches.size() && "parts of one launch");
  warpInstructions += part.warpInstructions;
  threadInstructions += part.threadInstructions;
  lostToFinished += part.lostToFinished;
  lostToPartial += part.lostToPartial;
  for (std::size_t i = 0; i < branches.size(); ++i) {
    branches[i].executions += part.branches[i].executions;
    branches[i].divergentExecutions += part.branches[i].divergentExecutions;
    branches[i].laneExecutions += part.branches[i].laneExecutions;
    branches[i].lanesTaken += part.branches[i].lanesTaken;
    branches[i].lostSlots += part.branches[i].lostSlots;
  }
}

} // namespace heddle::profile
