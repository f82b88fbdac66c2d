// SPDX-License-Identifier: Apache-2.0
#include "rewrite/refill/Price.h"

#include "advise/Losses.h"
#include "rewrite/code/LoopTurns.h"
#include "support/LaneMask.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heddle::rewrite::refill {
namespace {

// Of the form that is tried first, in operations. Measured on an H200 by hand: turns of 64 pairs of
// instructions that wait for each other became 1.1 to 1.6 times as fast, of 16 pairs 0.6 to 1.0
// times, of 4 pairs 0.3 to 0.5 times.
constexpr double tiles = 4, lanes = 8;
constexpr double ownTurn = 20;   ///< the vote, which the turn waits for
constexpr double ownRefill = 25; ///< to share out the next items
constexpr double waiting = warpSize / (warpSize - (lanes - 1) / 2);

} // namespace

advise::Price priceRefilling(const profile::KernelProfile& kernel,
                             const advise::PricedBranch& branch) {
  const profile::LoopProfile* loop = loopAt(kernel, branch.line);
  if (loop == nullptr || branch.written.size() != 3 || branch.lanesOfExecution <= 0)
    return advise::priceOfAll(kernel, branch);
  const double mean = double(loop->iterations) / double(loop->lanes);
  const double turns = mean * warpSize / branch.lanesOfExecution;
  const double tail = std::min(largestOfWarp * std::sqrt(varianceOf(*loop)), double(loop->most));
  const double refilled = mean * waiting + tail / tiles;
  const double body = branch.written[0], around = branch.written[1] + branch.written[2];
  const double native = turns * body + around;
  const double cost = refilled * (body + ownTurn) + warpSize / lanes * (around + ownRefill);
  advise::Price price;
  price.speedup = std::min(native / cost, advise::mostSpeedup(kernel, branch.lostShare));
  price.why = fmt::format("{:.0f} turns of the loop become {:.0f}, {:.1f} times as long", turns,
                          refilled, (body + ownTurn) / body);
  return price;
}

} // namespace heddle::rewrite::refill
