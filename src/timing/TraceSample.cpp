// SPDX-License-Identifier: Apache-2.0
#include "timing/TraceSample.h"

#include "timing/DeviceCosts.h"

#include <algorithm>
#include <cmath>

namespace heddle::timing {
namespace {

double tracedInstructions(const profile::KernelTrace& trace, const profile::WarpTrace& warp) {
  double sum = 0;
  for (const auto& execution : warp.executions)
    sum += trace.shape->blocks[execution.block].instructions;
  return sum;
}

} // namespace

void keepRepresentativeBlocks(profile::KernelTrace& trace) {
  const bool cutOff = std::ranges::any_of(trace.blocks, [](const profile::BlockTrace& block) {
    return !block.deep && std::ranges::any_of(block.warps, &profile::WarpTrace::cutOff);
  });
  if (cutOff)
    std::erase_if(trace.blocks, [](const profile::BlockTrace& block) { return !block.deep; });
}

TraceSample sampleOf(const profile::KernelTrace& trace) {
  TraceSample sample;
  double squares = 0;
  for (std::size_t i = 0; i < trace.blocks.size(); ++i) {
    double ran = 0;
    for (const profile::WarpTrace& warp : trace.blocks[i].warps) {
      ran += double(warp.instructions);
      sample.traced += tracedInstructions(trace, warp);
      if (warp.instructions > sample.longestWarp) {
        sample.longestWarp = warp.instructions;
        sample.longestBlock = i;
        sample.longestTraced = std::max(1.0, tracedInstructions(trace, warp));
      }
      for (const profile::Traffic& traffic : warp.traffic)
        sample.freshBytes += traffic.fresh * sectorBytes;
    }
    sample.instructions += ran;
    squares += ran * ran;
  }
  const auto n = double(trace.blocks.size());
  const double mean = sample.instructions / n;
  if (n > 1 && mean > 0)
    sample.error = std::sqrt(std::max(0.0, squares / n - mean * mean) / (n - 1)) / mean;
  return sample;
}

double stepsOfABlock(const profile::KernelTrace& trace) {
  double steps = 0;
  for (const profile::BlockTrace& block : trace.blocks)
    for (const profile::WarpTrace& warp : block.warps)
      for (const auto& execution : warp.executions)
        steps += trace.shape->blocks[execution.block].stepsOnAverage();
  return steps / double(trace.blocks.size());
}

} // namespace heddle::timing
