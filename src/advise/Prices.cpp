// SPDX-License-Identifier: Apache-2.0
#include "advise/Prices.h"

#include "advise/Losses.h"
#include "model/NativeLoop.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace heddle::advise {
namespace {

/// Sides that never ran while the other one waited have no length of their own.
std::vector<double> measuredLengths(const profile::BranchProfile& branch) {
  std::vector<double> lengths;
  for (std::size_t side = 0; side < 2; ++side)
    lengths.push_back(
        branch.pathRuns[side] > 0
            ? std::max(1.0, double(branch.pathInstructions[side]) / double(branch.pathRuns[side]))
            : 1.0);
  return lengths;
}

} // namespace

PricedBranch describeBranch(const profile::KernelProfile& kernel,
                            const profile::BranchProfile& branch,
                            const std::vector<double>& lengths, double lostShare) {
  PricedBranch result;
  result.lostShare = lostShare;
  result.line = branch.site.where.line;
  result.written = lengths;
  const double executions = std::max(1.0, double(branch.executions));
  result.threads = double(kernel.blocks) * kernel.block[0] * kernel.block[1] * kernel.block[2];
  result.turns = double(branch.laneExecutions()) / std::max(1.0, result.threads);
  result.lanesOfExecution = double(branch.laneExecutions()) / executions;
  if (lengths.size() == 1) {
    result.shares = {1};
    result.lengths = lengths;
    return result;
  }
  const std::size_t ways = std::max<std::size_t>(2, lengths.size());
  if (ways == 2) {
    const double taken = double(branch.lanes[0]) / std::max(1.0, double(branch.laneExecutions()));
    result.shares = {taken, 1 - taken};
    result.lengths = measuredLengths(branch);
  } else {
    // Of n equal shares all but one wait at any time: that is what the lost slots are made of.
    const double paths =
        double(branch.lostSlots) / warpSize / executions / (1 - 1.0 / double(ways));
    const double sum = std::accumulate(lengths.begin(), lengths.end(), 0.0);
    for (const double length : lengths) {
      result.shares.push_back(1.0 / double(ways));
      result.lengths.push_back(std::max(1.0, paths * length / sum));
    }
  }
  double onPaths = 0;
  for (std::size_t i = 0; i < ways; ++i)
    onPaths += model::pathRunShare(result.shares[i], warpSize) * result.lengths[i];
  result.rest = std::max(1.0, double(kernel.warpInstructions) / executions - onPaths);
  return result;
}

double PricedBranch::longest() const {
  return *std::ranges::max_element(lengths);
}

Price priceOfAll(const profile::KernelProfile& kernel, const PricedBranch& branch) {
  return {.speedup = mostSpeedup(kernel, branch.lostShare),
          .why = fmt::format("all of the {:.1f} % that the branch loses", 100 * branch.lostShare)};
}

} // namespace heddle::advise
