// SPDX-License-Identifier: Apache-2.0
#include "rewrite/meld/Price.h"

#include "advise/Losses.h"
#include "model/NativeLoop.h"
#include "support/LaneMask.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::rewrite::meld {
namespace {

constexpr double toPart = 4; ///< instructions of a warp, to part and meet once more: an estimate

} // namespace

advise::Price priceMelding(const profile::KernelProfile& kernel,
                           const advise::PricedBranch& branch) {
  if (branch.written.size() != 2 || branch.shares.size() != 2)
    return advise::priceOfAll(kernel, branch);
  double native = branch.rest, melded = branch.rest + toPart, alike = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const double runs = model::pathRunShare(branch.shares[i], warpSize);
    const double shared = branch.written[i] * branch.lengths[i];
    native += runs * branch.lengths[i];
    melded += runs * (branch.lengths[i] - shared);
    alike = std::max(alike, shared);
  }
  advise::Price price;
  price.speedup =
      std::min(native / (melded + alike), advise::mostSpeedup(kernel, branch.lostShare));
  price.why = fmt::format("{:.0f} and {:.0f} % of the arms are alike, and one of {:.0f} "
                          "instructions of a warp would run instead of two",
                          100 * branch.written[0], 100 * branch.written[1], alike);
  return price;
}

} // namespace heddle::rewrite::meld
