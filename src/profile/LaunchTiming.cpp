// SPDX-License-Identifier: Apache-2.0
#include "profile/LaunchTiming.h"

#include <algorithm>

namespace heddle::profile {

Bound KernelTiming::bound() const {
  return Bound(std::ranges::max_element(secondsBy) - secondsBy.begin());
}

void KernelTiming::add(const KernelTiming& other) {
  registers = other.registers;
  occupancy = other.occupancy;
  residentBlocks = other.residentBlocks;
  limiter = other.limiter;
  seconds += other.seconds;
  low += other.low;
  high += other.high;
  intervalFrom = other.intervalFrom;
  if (other.longest > longest) {
    kind = other.kind;
    longest = other.longest;
  }
  cycles += other.cycles;
  for (std::size_t i = 0; i < boundCount; ++i)
    secondsBy[i] += other.secondsBy[i];
  sampledBlocks = other.sampledBlocks;
  spread = std::max(spread, other.spread);
}

} // namespace heddle::profile
