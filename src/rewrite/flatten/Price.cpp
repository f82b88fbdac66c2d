// SPDX-License-Identifier: Apache-2.0
#include "rewrite/flatten/Price.h"

#include "advise/Losses.h"
#include "support/LaneMask.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heddle::rewrite::flatten {
namespace {

using advise::Price;
using advise::PricedBranch;
using profile::LoopProfile;

constexpr double ownTurn = 4;          ///< operations: tests of `inside`
constexpr double largestOfWarp = 2.07; ///< the mean of the largest of 32 normal draws

const LoopProfile* loopAt(const profile::KernelProfile& kernel, int line) {
  const auto found = std::ranges::find_if(kernel.loops, [&](const LoopProfile& each) {
    return each.site.where.line == line && each.lanes > 0;
  });
  return found != kernel.loops.end() ? &*found : nullptr;
}

/// From the histogram, whose buckets double.
double varianceOf(const LoopProfile& loop, double mean) {
  double sum = 0;
  for (std::size_t i = 0; i < LoopProfile::buckets; ++i) {
    const double middle = i == 0 ? 0.5 : 1.5 * std::exp2(double(i)) - 0.5;
    const double trips = std::clamp(middle, double(loop.fewest), double(loop.most));
    sum += double(loop.histogram[i]) * (trips - mean) * (trips - mean);
  }
  return sum / double(loop.lanes);
}

} // namespace

Price priceFlattening(const profile::KernelProfile& kernel, const PricedBranch& branch) {
  const LoopProfile* loop = loopAt(kernel, branch.line);
  if (loop == nullptr || branch.written.size() != 3 || branch.lanesOfExecution <= 0)
    return advise::priceOfAll(kernel, branch);
  const double runs = double(loop->lanes) / std::max(1.0, branch.threads);
  const double mean = double(loop->iterations) / double(loop->lanes);
  const double turns = runs * mean * warpSize / branch.lanesOfExecution;
  const double spread = std::sqrt(runs * varianceOf(*loop, mean));
  const double flatTurns =
      std::clamp(runs * std::max(1.0, mean) + largestOfWarp * spread, runs, std::max(runs, turns));
  const double body = branch.written[0], around = branch.written[1] + branch.written[2];
  const double needed = 1 - std::pow(1 - 1 / std::max(1.0, mean), warpSize);
  const double native = turns * body + runs * around;
  const double flat = flatTurns * (body + ownTurn + needed * around);
  Price price;
  price.speedup = std::min(native / flat, advise::mostSpeedup(kernel, branch.lostShare));
  price.why = fmt::format("{:.0f} turns of the inner loop become {:.0f}, {:.1f} times as long",
                          turns, flatTurns, (body + ownTurn + needed * around) / body);
  return price;
}

} // namespace heddle::rewrite::flatten
