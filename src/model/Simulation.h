// SPDX-License-Identifier: Apache-2.0
//
// Monte Carlo of iteration scheduling: warps of 32 lanes, each lane with `iterations` iterations to
// do. In every step the policy picks one path; the live lanes that want it run it and draw the path
// of their next iteration, the others wait. No overhead is counted here: Payoff.h adds it.
#pragma once

#include "model/Branching.h"
#include "model/Policy.h"
#include "model/Summary.h"
#include "model/Word.h"
#include "support/Progress.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::model {

struct SimulationRequest {
  Branching branching;
  Policy policy = Policy::Aging;
  std::optional<Word> word{}; ///< for Policy::Fixed
  int iterations = 1000;
  int warps = 2000;
  std::uint64_t seed = 1;
  bool skipEmpty = true;  ///< alternating and fixed: a path that no lane wants gives way
  Ties ties = Ties::Fair; ///< frequency
};

struct SimulationResult {
  std::vector<double> efficiencies; ///< of each warp: lane time at work / lane time spent
  Summary efficiency;
  Summary steps;                   ///< per iteration
  std::vector<double> stepsOfPath; ///< mean per iteration; Novak's N_k / n
};

/// Refuses impossible counts, and a fixed policy without a word.
Expected<void> validateSimulation(const SimulationRequest& request);

/// Runs on all cores; the result depends on the request alone. Needs a valid request.
SimulationResult simulate(const SimulationRequest& request, Progress& progress);

/// Warp-steps this request will take, roughly: for progress bars and limits.
std::uint64_t expectedWork(const SimulationRequest& request);

} // namespace heddle::model
