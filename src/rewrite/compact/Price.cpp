// SPDX-License-Identifier: Apache-2.0
#include "rewrite/compact/Price.h"

#include "advise/Losses.h"
#include "model/NativeLoop.h"
#include "support/LaneMask.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::rewrite::compact {
namespace {

// Instructions of a warp: estimates. A form that promises something is run, and the run decides.
constexpr double perTile = 14; ///< to vote, and to write its part of the list
constexpr double perTurn = 20; ///< to go through 32 items of the list

} // namespace

advise::Price priceCompaction(const profile::KernelProfile& kernel,
                              const advise::PricedBranch& branch) {
  double native = branch.rest;
  for (std::size_t i = 0; i < branch.shares.size() && i < branch.lengths.size(); ++i)
    native += model::pathRunShare(branch.shares[i], warpSize) * branch.lengths[i];
  const double packed =
      branch.shares.empty() ? 1 : *std::ranges::min_element(branch.shares); // which is the work
  const double list = perTile + packed * perTurn;
  const double most = advise::mostSpeedup(kernel, branch.lostShare);
  advise::Price price;
  price.speedup = native / (native / most + list);
  price.why = fmt::format("of the {:.1f} % that the guard loses; {:.0f} instructions to list work "
                          "for {:.0f}",
                          100 * branch.lostShare, list, native);
  return price;
}

} // namespace heddle::rewrite::compact
