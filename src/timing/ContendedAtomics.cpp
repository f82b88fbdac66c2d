// SPDX-License-Identifier: Apache-2.0
#include "timing/ContendedAtomics.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace heddle::timing {
namespace {

/// What the thread blocks of the sample did to one line of memory.
struct Line {
  double passes = 0;
  int blocks = 0; ///< that did
};

} // namespace

double cyclesOfAtomics(const profile::KernelTrace& trace, const DeviceCosts& costs,
                       double ofTheGrid) {
  std::map<std::uint64_t, Line> lines;
  double all = 0, most = 0;
  for (const profile::BlockTrace& block : trace.blocks)
    for (const auto& [number, passes] : block.atomics) {
      Line& line = lines[number];
      line.passes += passes;
      ++line.blocks;
      all += passes;
    }
  for (const auto& [number, line] : lines) // others use what several use; a block's own is its own
    most = std::max(most, line.passes * (line.blocks > 1 ? ofTheGrid : 1));
  // Of n lines not all lie in different parts of the L2: on an H200 4 are 1.7 times as fast as one,
  // 32 are 9 times, 1024 are 31 times (bench/cuda/device_contention.cu): about the root of n, which
  // here is all of them over the one with the most.
  return costs.contendedAtomic * std::sqrt(all * ofTheGrid * most);
}

} // namespace heddle::timing
