// SPDX-License-Identifier: Apache-2.0
#include "timing/CycleAccount.h"

namespace heddle::timing {

Weight CycleAccount::all() const {
  Weight sum{used.slots + finished.slots + partial.slots,
             used.cycles + finished.cycles + partial.cycles};
  for (const Weight& branch : branches)
    sum = {sum.slots + branch.slots, sum.cycles + branch.cycles};
  return sum;
}

CycleAccount weighInCycles(const profile::KernelTrace& trace, const DeviceCosts& costs,
                           std::size_t branches) {
  CycleAccount account;
  account.branches.resize(branches);
  if (trace.shape == nullptr)
    return account;
  std::vector<double> cycles;
  for (const profile::BlockShape& block : trace.shape->blocks)
    cycles.push_back(costs.issueCycles(block.work));
  for (const profile::BlockTrace& block : trace.blocks)
    for (const profile::WarpTrace& warp : block.warps)
      for (const auto& [shape, number, traffic] : warp.executions) {
        const profile::LaneUse& use = warp.uses[number];
        const auto add = [&, shape = shape](Weight& to, int lanes) {
          to.slots += double(trace.shape->blocks[shape].instructions) * lanes;
          to.cycles += cycles[shape] * lanes;
        };
        add(account.used, use.active);
        add(account.finished, use.finished);
        add(account.partial, use.partial);
        for (const auto& [branch, lanes] : use.branches)
          add(account.branches[std::size_t(branch)], lanes);
      }
  return account;
}

} // namespace heddle::timing
