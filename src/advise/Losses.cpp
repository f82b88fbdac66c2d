// SPDX-License-Identifier: Apache-2.0
#include "advise/Losses.h"

#include <algorithm>
#include <map>

namespace heddle::advise {

std::vector<Loss> lossesOf(const profile::KernelProfile& kernel) {
  std::map<profile::SourceLocation, Loss> places;
  for (const profile::BranchProfile& branch : kernel.branches) {
    Loss& place = places[branch.site.where];
    if (place.sum.executions == 0)
      place.sum.site = branch.site;
    place.where = branch.site.where;
    place.sum.targets = std::max(place.sum.targets, branch.targets);
    place.sum += branch;
  }
  std::vector<Loss> losses;
  for (auto& [where, loss] : places) {
    const double slots = double(std::max<std::uint64_t>(kernel.slots(), 1));
    loss.share = kernel.laneCycles > 0 ? loss.sum.lostCycles / kernel.laneCycles
                                       : double(loss.sum.lostSlots) / slots;
    loss.share += double(loss.sum.switchedOff) / slots;
    losses.push_back(std::move(loss));
  }
  std::ranges::sort(losses, [](const Loss& a, const Loss& b) {
    return a.share != b.share ? a.share > b.share : a.where < b.where;
  });
  return losses;
}

double mostSpeedup(const profile::KernelProfile& kernel, double share) {
  double movable = 1;
  if (kernel.timing && kernel.timing->seconds > 0) {
    const auto& by = kernel.timing->secondsBy;
    movable = (by[std::size_t(profile::Bound::Issue)] + by[std::size_t(profile::Bound::Latency)]) /
              kernel.timing->seconds;
  }
  return 1 / std::max(0.01, 1 - std::min(1.0, share) * movable);
}

} // namespace heddle::advise
