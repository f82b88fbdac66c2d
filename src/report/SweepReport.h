// SPDX-License-Identifier: Apache-2.0
//
// Every policy over a sweep of p: the data of Novak's figures C.1 to C.4 and F.1, as a table, JSON
// and one picture per figure.
#pragma once

#include "model/Headroom.h"
#include "model/Policy.h"
#include "model/Simulation.h"
#include "report/SvgChart.h"
#include "support/Terminal.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::report {

struct SweepRun {
  model::Policy policy;
  std::optional<model::Word> word; ///< the best word for this p, for the fixed policy
  model::SimulationResult result;
};

/// One p of a sweep.
struct SweepPoint {
  double p = 0;
  std::vector<SweepRun> runs; ///< in the order of allPolicies()
  std::optional<model::Headroom> headroom;
};

/// All p for one number of iterations.
struct Sweep {
  int iterations = 0;
  std::vector<SweepPoint> points;
};

struct SweepFindings {
  int warps = 0;
  std::uint64_t seed = 1;
  std::vector<Sweep> sweeps;
};

std::string sweepText(const SweepFindings& findings, const TextStyle& style);
std::string sweepJson(const SweepFindings& findings);

/// c1.svg to c4.svg (for sweeps of 100 and 1000 iterations), and for every sweep the efficiency and
/// the steps per iteration over p (f1.svg for 1000).
std::vector<Picture> sweepPictures(const SweepFindings& findings);

} // namespace heddle::report
