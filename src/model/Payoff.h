// SPDX-License-Identifier: Apache-2.0
//
// Whether scheduling iterations pays: Novak's eqs. (3) and (4) with the overhead of the loop and of
// the scheduler, per iteration of the original loop:
//
//   native     tL + sum_k [1-(1-p_k)^32] t_k
//   scheduled  sum_k N_k (t_k + tL + tS)         N_k: steps of path k, from the simulation
//
// The loop overhead tL is paid once per iteration natively but once per step when scheduled, so a
// branch must be worth it: the threshold is the path time, in units of tL, at which the two are
// equal.
#pragma once

#include "model/Branching.h"
#include "model/Policy.h"
#include "model/Word.h"
#include "support/Progress.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace heddle::model {

struct PayoffRequest {
  Branching branching; ///< costs are the path times t_k
  double loopTime = 0; ///< tL
  double turnTime = 0; ///< tS of every policy that turnTimes does not name
  std::map<Policy, double> turnTimes{};
  std::optional<Word> word{}; ///< for the fixed policy; without one, the best word for two ways
  int iterations = 1000;
  int warps = 500;
  std::uint64_t seed = 1;
};

struct PolicyPayoff {
  Policy policy;
  std::optional<Word> word{};
  double turnTime = 0;
  double stepsPerIteration = 0;      ///< N
  double stepsError = 0;             ///< its standard error
  std::vector<double> stepsOfPath{}; ///< N_k
  double time = 0;                   ///< scheduled, per iteration
  double speedup = 0;                ///< native time / time

  /// Mean path time over tL above which the policy pays, all path times scaled alike. Nothing where
  /// it never pays, because it takes as many steps as the native loop.
  std::optional<double> threshold{};
  bool pays = false; ///< faster than native by more than twice the statistical error
};

struct Payoff {
  double nativeTime = 0;  ///< per iteration
  double nativeSteps = 0; ///< g
  double ratio = 0;       ///< mean path time / tL of this loop
  std::vector<PolicyPayoff> policies;

  /// The fastest policy if it pays, else nothing.
  const PolicyPayoff* best() const;
};

/// The closed form for paths of equal time t: t/tL > (N (1 + tS/tL) - 1) / (g - N).
std::optional<double> payoffThreshold(double steps, double nativeSteps, double turnOverLoop);

/// Refuses negative times and a loop time of 0, which leaves the threshold without a unit.
Expected<void> validatePayoff(const PayoffRequest& request);
Expected<Payoff> computePayoff(const PayoffRequest& request, Progress& progress);

} // namespace heddle::model
