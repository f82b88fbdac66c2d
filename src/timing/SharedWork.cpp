// SPDX-License-Identifier: Apache-2.0
#include "timing/SharedWork.h"

#include <algorithm>

namespace heddle::timing {

profile::KernelTrace withSharedWork(const profile::KernelTrace& trace, double meanOfAWarp) {
  const profile::WarpTrace* most = nullptr;
  for (const profile::BlockTrace& block : trace.blocks)
    for (const profile::WarpTrace& warp : block.warps)
      if (most == nullptr || warp.instructions > most->instructions)
        most = &warp;
  if (most == nullptr || trace.shape == nullptr)
    return trace;
  profile::WarpTrace typical = *most;
  double ran = 0;
  std::size_t kept = 0;
  while (kept < typical.executions.size() && ran < meanOfAWarp)
    ran += trace.shape->blocks[typical.executions[kept++].block].instructions;
  typical.executions.resize(kept);
  if (kept < most->executions.size())
    typical.traffic.resize(most->executions[kept].traffic);
  typical.instructions = std::uint64_t(meanOfAWarp);
  profile::KernelTrace shared = trace;
  for (profile::BlockTrace& block : shared.blocks)
    std::ranges::fill(block.warps, typical);
  shared.longestWarp = typical.instructions;
  shared.variation = 0;
  return shared;
}

} // namespace heddle::timing
