// SPDX-License-Identifier: Apache-2.0
#include "timing/CycleAccount.h"

#include <numeric>

namespace heddle::timing {

double CycleAccount::all() const {
  return std::accumulate(lostToBranches.begin(), lostToBranches.end(),
                         used + lostToFinished + lostToPartial);
}

CycleAccount weighInCycles(const profile::KernelTrace& trace, const DeviceCosts& costs,
                           std::size_t branches) {
  CycleAccount account;
  account.lostToBranches.resize(branches);
  if (trace.shape == nullptr)
    return account;
  std::vector<double> cycles;
  for (const profile::BlockShape& block : trace.shape->blocks) {
    double sum = 0;
    for (const profile::Step& step : block.steps)
      sum += costs.issueCycles(step);
    cycles.push_back(sum);
  }
  for (const profile::BlockTrace& block : trace.blocks)
    for (const profile::WarpTrace& warp : block.warps)
      for (const auto& [shape, number] : warp.executions) {
        const profile::LaneUse& use = warp.uses[number];
        account.used += cycles[shape] * use.active;
        account.lostToFinished += cycles[shape] * use.finished;
        account.lostToPartial += cycles[shape] * use.partial;
        for (const auto& [branch, lanes] : use.branches)
          account.lostToBranches[std::size_t(branch)] += cycles[shape] * lanes;
      }
  return account;
}

} // namespace heddle::timing
