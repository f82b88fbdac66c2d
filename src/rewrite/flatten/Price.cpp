// SPDX-License-Identifier: Apache-2.0
#include "rewrite/flatten/Price.h"

#include "advise/Losses.h"
#include "rewrite/code/LoopTurns.h"
#include "support/LaneMask.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heddle::rewrite::flatten {
namespace {

using advise::Price;
using advise::PricedBranch;

constexpr double ownTurn = 4; ///< operations: tests of `inside`

} // namespace

Price priceFlattening(const profile::KernelProfile& kernel, const PricedBranch& branch) {
  const profile::LoopProfile* loop = loopAt(kernel, branch.line);
  if (loop == nullptr || branch.written.size() != 3 || branch.lanesOfExecution <= 0)
    return advise::priceOfAll(kernel, branch);
  const double runs = double(loop->lanes) / std::max(1.0, branch.threads);
  const double mean = double(loop->iterations) / double(loop->lanes);
  const double turns = runs * mean * warpSize / branch.lanesOfExecution;
  const double spread = std::sqrt(runs * varianceOf(*loop));
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
