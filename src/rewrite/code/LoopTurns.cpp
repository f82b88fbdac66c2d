// SPDX-License-Identifier: Apache-2.0
#include "rewrite/code/LoopTurns.h"

#include <algorithm>
#include <cmath>

namespace heddle::rewrite {

using profile::LoopProfile;

const LoopProfile* loopAt(const profile::KernelProfile& kernel, int line) {
  const auto found = std::ranges::find_if(kernel.loops, [&](const LoopProfile& each) {
    return each.site.where.line == line && each.lanes > 0;
  });
  return found != kernel.loops.end() ? &*found : nullptr;
}

double varianceOf(const LoopProfile& loop) {
  const double mean = double(loop.iterations) / double(loop.lanes);
  double sum = 0;
  for (std::size_t i = 0; i < LoopProfile::buckets; ++i) {
    const double middle = i == 0 ? 0.5 : 1.5 * std::exp2(double(i)) - 0.5;
    const double trips = std::clamp(middle, double(loop.fewest), double(loop.most));
    sum += double(loop.histogram[i]) * (trips - mean) * (trips - mean);
  }
  return sum / double(loop.lanes);
}

} // namespace heddle::rewrite
