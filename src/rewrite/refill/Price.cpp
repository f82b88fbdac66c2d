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

// Of the forms that are tried first, in operations. Measured on an H200 by hand: turns of 64 pairs
// of instructions that wait for each other became 1.1 to 1.6 times as fast, of 16 pairs 0.6 to 1.0
// times, of 4 pairs 0.3 to 0.5 times.
constexpr double tiles = 4, lanes = 8;
constexpr double vote = 20;      ///< which the next turn waits for
constexpr double ownTurn = 2;    ///< to ask whether the lane has one, where not each turn votes
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
  const double body = branch.written[0], around = branch.written[1] + branch.written[2];
  const double native = turns * body + around;
  const double between = warpSize / lanes * (around + ownRefill);
  advise::Price price;
  for (const int every : {1, 4}) { // turns to a vote, for which a dry lane waits
    const double refilled = mean * waiting + (every - 1) / 2.0 + tail / tiles;
    const double turn = body + vote / every + (every > 1 ? ownTurn : 0);
    const double speedup = native / (refilled * turn + between);
    if (every > 1 && speedup < price.speedup)
      continue;
    price.speedup = speedup;
    price.why = fmt::format("{:.0f} turns of the loop become {:.0f}, {:.1f} times as long", turns,
                            refilled, turn / body);
  }
  price.speedup = std::min(price.speedup, advise::mostSpeedup(kernel, branch.lostShare));
  return price;
}

} // namespace heddle::rewrite::refill
