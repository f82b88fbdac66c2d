// SPDX-License-Identifier: Apache-2.0
#include "timing/ContendedAtomics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

namespace heddle::timing {
namespace {

/// What the thread blocks of the sample did to one line of memory.
struct Line {
  profile::AtomicPasses passes;
  int blocks = 0; ///< that did
};

/// Lines of the whole grid that are used alike.
struct Lines {
  double count = 0;
  profile::AtomicPasses ofEach;
};

std::vector<Lines> linesOf(const profile::KernelTrace& trace, double ofTheGrid) {
  std::map<std::uint64_t, Line> sampled;
  for (const profile::BlockTrace& block : trace.blocks)
    for (const auto& [number, passes] : block.atomics) {
      Line& line = sampled[number];
      line.passes += passes;
      ++line.blocks;
    }
  std::vector<Lines> all;
  for (const auto& [number, line] :
       sampled) // others use what several use; a block's own is its own
    all.push_back(line.blocks > 1 ? Lines{1, line.passes * ofTheGrid}
                                  : Lines{ofTheGrid, line.passes});
  return all;
}

/// Passes one after the other, if those of n lines take as long as those of the root of n: not all
/// lie in different parts of the L2. On an H200 4 lines are 1.7 times as fast as one, 32 are 8
/// times, 1024 are 38 times (bench/cuda/device_contention.cu). A line that is used more than others
/// does not wait for them: one lane of each warp to one word takes 0.75 ns, and 0.88 ns with 32
/// lanes to 1024 lines besides.
double passesOf(std::vector<Lines> lines) {
  std::ranges::sort(lines, std::greater{}, [](const Lines& each) { return each.ofEach.all(); });
  double count = 0, sum = 0, most = 0;
  for (const Lines& each : lines) {
    count += each.count;
    sum += each.count * each.ofEach.all();
    most = std::max(most, sum / std::sqrt(std::max(count, 1.0)));
  }
  return most;
}

} // namespace

double cyclesOfAtomics(const profile::KernelTrace& trace, const DeviceCosts& costs,
                       double ofTheGrid) {
  const std::vector<Lines> lines = linesOf(trace, ofTheGrid);
  double passes = passesOf(lines);
  for (const Lines& each : lines) // the next sum of floats on a line waits, those on others do not
    passes =
        std::max(passes, each.ofEach.integers + costs.contendedFloatPasses * each.ofEach.floats);
  return costs.contendedAtomic * passes;
}

} // namespace heddle::timing
