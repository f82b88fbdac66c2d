// SPDX-License-Identifier: Apache-2.0
#include "rewrite/split_branch/Price.h"

#include "advise/Losses.h"
#include "model/NativeLoop.h"
#include "support/LaneMask.h"

#include <fmt/format.h>

namespace heddle::rewrite::split_branch {
namespace {

/// Instructions of a warp, to find the ways of 32 threads, list them and read the list: an
/// estimate. A form that promises something is run, and the run decides.
constexpr double partition = 80;

} // namespace

advise::Price priceSplitting(const profile::KernelProfile& kernel,
                             const advise::PricedBranch& branch) {
  double native = branch.rest;
  for (std::size_t way = 0; way < branch.shares.size() && way < branch.lengths.size(); ++way)
    native += model::pathRunShare(branch.shares[way], warpSize) * branch.lengths[way];
  advise::Price price;
  price.form = "by partition";
  price.speedup = native / (native / advise::mostSpeedup(kernel, branch.lostShare) + partition);
  price.why = fmt::format("of the {:.1f} % that the branch loses; {:.0f} instructions to sort "
                          "threads for {:.0f}",
                          100 * branch.lostShare, partition, native);
  return price;
}

} // namespace heddle::rewrite::split_branch
