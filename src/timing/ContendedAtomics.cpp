// SPDX-License-Identifier: Apache-2.0
#include "timing/ContendedAtomics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace heddle::timing {
namespace {

constexpr double lineBytes = 128;

std::set<int> atomicSites(const profile::KernelShape& shape) {
  std::set<int> sites;
  for (const profile::BlockShape& block : shape.blocks)
    for (const profile::Step& step : block.steps)
      if (step.kind == profile::StepKind::Access && step.access == profile::AccessKind::Atomic &&
          step.space == profile::MemorySpace::Global)
        sites.insert(step.site);
  return sites;
}

} // namespace

double cyclesOfAtomics(const profile::KernelTrace& trace, const DeviceCosts& costs) {
  const std::set<int> sites = atomicSites(*trace.shape);
  if (sites.empty())
    return 0;
  std::map<std::uint32_t, double> lines, atomics;
  for (const profile::Footprint& footprint : trace.footprints)
    lines[footprint.site] += std::max(1.0, double(footprint.size) / lineBytes);
  for (const profile::BlockTrace& block : trace.blocks)
    for (const profile::WarpTrace& warp : block.warps)
      for (const profile::Traffic& traffic : warp.traffic)
        if (sites.contains(traffic.site))
          atomics[std::uint32_t(traffic.site)] += traffic.transactions;
  double most = 0;
  for (const auto& [site, count] : atomics)
    if (const auto found = lines.find(site); found != lines.end())
      // Of n lines not all lie in different parts of the L2: on an H200 4 are 1.7 times as fast as
      // one, 32 are 9 times, 1024 are 31 times (bench/cuda/device_contention.cu).
      most = std::max(most, costs.contendedAtomic * count / std::sqrt(found->second));
  return most;
}

} // namespace heddle::timing
