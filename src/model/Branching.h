// SPDX-License-Identifier: Apache-2.0
//
// The branch in a loop body as the models see it: k paths, named A, B, C..., each taken with a
// fixed probability in every iteration, independently of other lanes and iterations, and each with
// a cost.
#pragma once

#include "support/Error.h"

#include <vector>

namespace heddle::model {

inline constexpr int maxWays = 8;

/// Costs and times beyond this are refused, so that no sum or product of them overflows.
inline constexpr double longestTime = 1e15;

class Branching {
public:
  /// Two paths of equal cost; A is taken with probability p.
  static Expected<Branching> twoWay(double p);

  /// Refuses probabilities outside [0, 1] or not adding up to 1, costs that are not positive, and
  /// counts that differ or exceed maxWays.
  static Expected<Branching> make(std::vector<double> probabilities, std::vector<double> costs);

  int ways() const { return static_cast<int>(probabilities_.size()); }
  double probability(int path) const { return probabilities_[std::size_t(path)]; }
  double cost(int path) const { return costs_[std::size_t(path)]; }
  const std::vector<double>& probabilities() const { return probabilities_; }
  const std::vector<double>& costs() const { return costs_; }
  bool equalCosts() const;

  /// Cost of one iteration for a lane on its own: sum of p_k t_k.
  double meanCost() const;

private:
  Branching(std::vector<double> probabilities, std::vector<double> costs)
      : probabilities_(std::move(probabilities)), costs_(std::move(costs)) {}

  std::vector<double> probabilities_;
  std::vector<double> costs_;
};

/// 'A' for path 0, 'B' for path 1 and so on.
constexpr char pathLetter(int path) {
  return static_cast<char>('A' + path);
}

} // namespace heddle::model
