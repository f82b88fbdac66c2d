// SPDX-License-Identifier: Apache-2.0
#include "rewrite/share_rows/Price.h"

#include "advise/Losses.h"
#include "support/LaneMask.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace heddle::rewrite::share_rows {
namespace {

using profile::LoopCounts;

constexpr std::array sizes = {4, 8, 16, 32};
constexpr double ownTurn = 4; ///< operations: the loop's own
constexpr double fetch = 16;  ///< of a row
constexpr double join = 3;    ///< and of each halving of a group
constexpr double wait = 20;   ///< for the loads of four turns, beside what other warps hide
constexpr double turnsAtOnce = 4;

/// The middle of what a bucket of the histogram holds.
double tripsOf(const LoopCounts& loop, std::size_t bucket) {
  const double middle = bucket == 0 ? 0.5 : 1.5 * std::exp2(double(bucket)) - 0.5;
  return std::clamp(middle, double(loop.fewest), double(loop.most));
}

/// The mean of the largest of so many draws, each shared by `lanes`.
double largestOf(const LoopCounts& loop, int draws, int lanes) {
  double sum = 0, below = 0;
  for (std::size_t i = 0; i < LoopCounts::buckets; ++i) {
    if (loop.histogram[i] == 0)
      continue;
    const double reached = below + double(loop.histogram[i]) / double(loop.lanes);
    const double turns = std::ceil(tripsOf(loop, i) / lanes);
    sum += turns * (std::pow(std::min(1.0, reached), draws) - std::pow(below, draws));
    below = reached;
  }
  return sum;
}

const profile::LoopProfile* loopAt(const profile::KernelProfile& kernel, int line) {
  const auto found = std::ranges::find_if(kernel.loops, [&](const profile::LoopProfile& each) {
    return each.site.where.line == line && each.lanes > 0;
  });
  return found != kernel.loops.end() ? &*found : nullptr;
}

} // namespace

std::vector<PricedGroup> gainsOf(const LoopCounts& loop, double body) {
  const auto costOf = [&](double turns) {
    return turns * (body + ownTurn) + wait * std::ceil(turns / turnsAtOnce);
  };
  const double native = costOf(largestOf(loop, warpSize, 1));
  std::vector<PricedGroup> gains;
  for (const int lanes : sizes) {
    const double turns = largestOf(loop, warpSize / lanes, lanes);
    const double row = fetch + join * std::log2(lanes);
    gains.push_back({lanes, native / (lanes * (costOf(turns) + row))});
  }
  return gains;
}

std::vector<int> sizesFor(double longest) {
  std::vector<int> worthTrying;
  for (const int lanes : {8, 32, 16, 4})
    if (lanes == sizes.front() || lanes <= longest)
      worthTrying.push_back(lanes);
  return worthTrying;
}

advise::Price priceSharing(const profile::KernelProfile& kernel,
                           const advise::PricedBranch& branch) {
  const profile::LoopProfile* loop = loopAt(kernel, branch.line);
  if (loop == nullptr || branch.written.empty())
    return advise::priceOfAll(kernel, branch);
  const std::vector<PricedGroup> gains = gainsOf(*loop, branch.written.front());
  const PricedGroup best = *std::ranges::max_element(gains, {}, &PricedGroup::gain);
  advise::Price price;
  price.form = fmt::format("{} lanes", best.lanes);
  price.speedup = std::min(best.gain, advise::mostSpeedup(kernel, branch.lostShare));
  price.why = fmt::format("rows of {} to {} items, {:.1f} on average, shared by {} lanes each",
                          loop->fewest, loop->most, double(loop->iterations) / double(loop->lanes),
                          best.lanes);
  return price;
}

} // namespace heddle::rewrite::share_rows
