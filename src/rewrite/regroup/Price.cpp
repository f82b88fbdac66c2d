// SPDX-License-Identifier: Apache-2.0
#include "rewrite/regroup/Price.h"

#include "advise/Losses.h"
#include "model/NativeLoop.h"
#include "support/LaneMask.h"

#include <fmt/format.h>

namespace heddle::rewrite::regroup {
namespace {

using advise::Price;
using advise::PricedBranch;

// 180 instructions an exchange, counted in the device library's machine code for an H200. It waits
// for barriers, which takes about as long again.
constexpr double exchange = 2 * 180;
constexpr double leftOver = 1.08; ///< warps of mixed ways at the ends of a regrouped block

Price priceStrips(const profile::KernelProfile& kernel, const PricedBranch& branch) {
  Price price;
  price.speedup = advise::mostSpeedup(kernel, branch.lostShare) / (1 + exchange / branch.longest());
  price.why =
      fmt::format("of the {:.1f} % that the loop loses; {:.0f} instructions to regroup {:.0f}",
                  100 * branch.lostShare, exchange, branch.longest());
  return price;
}

} // namespace

Price priceRegrouping(const profile::KernelProfile& kernel, const PricedBranch& branch) {
  if (branch.lengths.size() == 1)
    return priceStrips(kernel, branch);
  const auto branching = model::Branching::make(branch.shares, branch.lengths);
  if (!branching)
    return {.why = branching.error().message};
  const double native = branch.rest + model::nativePathTime(*branching, warpSize);
  // All warps of the block wait for the one with the longest path; other blocks fill half of that.
  const double paths = (leftOver * branching->meanCost() + branch.longest()) / 2;
  const double regrouped = branch.rest + paths + exchange;
  Price price{.speedup = native / regrouped};
  price.why = fmt::format("a turn of {:.0f} instructions becomes {:.0f}, of them {:.0f} to regroup",
                          native, regrouped, exchange);
  return price;
}

} // namespace heddle::rewrite::regroup
