// SPDX-License-Identifier: Apache-2.0
#include "model/Branching.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heddle::model {
namespace {

constexpr double sumTolerance = 1e-6;

bool isProbability(double p) {
  return p >= 0 && p <= 1;
} // false for NaN

} // namespace

Expected<Branching> Branching::twoWay(double p) {
  if (!isProbability(p))
    return fail(ErrorKind::BadInput, "probability {}: expected 0 to 1", p);
  return Branching({p, 1 - p}, {1, 1});
}

Expected<Branching> Branching::make(std::vector<double> probabilities, std::vector<double> costs) {
  const std::size_t ways = probabilities.size();
  if (ways < 2 || ways > std::size_t{maxWays})
    return fail(ErrorKind::BadInput, "{} paths: expected 2 to {}", ways, maxWays);
  if (costs.empty())
    costs.assign(ways, 1.0);
  if (costs.size() != ways)
    return fail(ErrorKind::BadInput, "{} costs for {} paths: expected one each", costs.size(),
                ways);
  for (const double p : probabilities)
    if (!isProbability(p))
      return fail(ErrorKind::BadInput, "probability {}: expected 0 to 1", p);
  for (const double cost : costs)
    if (!(cost > 0) || cost > longestTime)
      return fail(ErrorKind::BadInput, "path cost {}: expected above 0, at most {:g}", cost,
                  longestTime);
  const double sum = std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
  if (std::abs(sum - 1) > sumTolerance)
    return fail(ErrorKind::BadInput, "the probabilities of the paths add up to {}, expected 1",
                sum);
  return Branching(std::move(probabilities), std::move(costs));
}

bool Branching::equalCosts() const {
  return std::ranges::all_of(costs_, [&](double cost) { return cost == costs_.front(); });
}

double Branching::meanCost() const {
  return std::inner_product(probabilities_.begin(), probabilities_.end(), costs_.begin(), 0.0);
}

} // namespace heddle::model
