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
constexpr int fewTiles = 4;
// That work, for each multiprocessor. Measured on an H200 with forms picked by hand: where fewer
// were left, 16 tiles took longer than 4, and in one program longer than none.
constexpr double fewBlocks = 2, enoughBlocks = 8;

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

std::vector<int> tilesWorthTrying(const Measured& measured, double turns) {
  const auto isEnough = [&](int tiles, double blocks) {
    if (turns > 0) // of a loop, which the launch's blocks share
      return turns > tiles / 2.0;
    return measured.blocks == 0 || measured.multiprocessors == 0 ||
           measured.blocks >= blocks * tiles * measured.multiprocessors;
  };
  std::vector<int> found;
  if (isEnough(fewTiles, fewBlocks))
    found.push_back(fewTiles);
  for (const int tiles : {16, 8})
    if (isEnough(tiles, enoughBlocks)) {
      found.push_back(tiles);
      break;
    }
  return found;
}

} // namespace heddle::rewrite::compact
