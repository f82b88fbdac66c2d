// SPDX-License-Identifier: Apache-2.0
#include "model/NativeLoop.h"

#include <cmath>

namespace heddle::model {

double pathRunShare(double p, int lanes) {
  // 1 - (1-p)^lanes without losing the digits of a small p
  return -std::expm1(lanes * std::log1p(-p));
}

double nativeStepsPerIteration(const Branching& branching, int lanes) {
  double steps = 0;
  for (const double p : branching.probabilities())
    steps += pathRunShare(p, lanes);
  return steps;
}

double nativePathTime(const Branching& branching, int lanes) {
  double time = 0;
  for (int path = 0; path < branching.ways(); ++path)
    time += pathRunShare(branching.probability(path), lanes) * branching.cost(path);
  return time;
}

double nativeEfficiency(const Branching& branching, int lanes) {
  return branching.meanCost() / nativePathTime(branching, lanes);
}

} // namespace heddle::model
