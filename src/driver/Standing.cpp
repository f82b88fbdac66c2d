// SPDX-License-Identifier: Apache-2.0
#include "driver/Standing.h"

#include <algorithm>
#include <cstdint>

namespace heddle::driver {

using profile::KernelProfile;
using profile::ProgramProfile;

double secondsOf(const ProgramProfile& profile) {
  double sum = 0;
  for (const KernelProfile& kernel : profile.kernels)
    sum += kernel.timing ? kernel.timing->seconds : 0;
  return sum;
}

advise::Standing standingOf(const ProgramProfile& profile, const std::set<std::string>& ids) {
  advise::Standing standing;
  std::uint64_t slots = 0, used = 0;
  for (const KernelProfile& kernel : profile.kernels) {
    if (!ids.contains(kernel.id))
      continue;
    slots += kernel.slots();
    used += kernel.threadInstructions;
    standing.warpInstructions += kernel.warpInstructions;
    if (!kernel.timing)
      continue;
    standing.seconds += kernel.timing->seconds;
    standing.registers = std::max(standing.registers, kernel.timing->registers.registers);
    standing.spills = std::max(standing.spills, kernel.timing->registers.spillBytes);
    standing.occupancy = standing.occupancy == 0
                             ? kernel.timing->occupancy
                             : std::min(standing.occupancy, kernel.timing->occupancy);
  }
  standing.lostLanes = slots - used;
  standing.efficiency = slots > 0 ? double(used) / double(slots) : 1;
  return standing;
}

std::set<std::string> kernelIds(const ProgramProfile& profile) {
  std::set<std::string> ids;
  for (const KernelProfile& kernel : profile.kernels)
    ids.insert(kernel.id);
  return ids;
}

} // namespace heddle::driver
