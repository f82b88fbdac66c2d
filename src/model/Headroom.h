// SPDX-License-Identifier: Apache-2.0
//
// How good could any schedule be? A schedule that serves a warp is a common supersequence of its
// lanes' decision strings; the shortest one is NP-hard to find. With all decisions known in advance
// a beam search finds a short one, and counting letters bounds how short one can be at all:
//
//   limit <= best possible <= found       (in steps)
#pragma once

#include "model/Branching.h"
#include "model/Summary.h"
#include "support/LaneMask.h"
#include "support/Progress.h"

#include <cstdint>
#include <vector>

namespace heddle::model {

/// The decisions of one warp: for each lane its paths, all strings of the same length.
using DecisionTable = std::vector<std::vector<std::uint8_t>>;

struct Supersequence {
  std::vector<std::uint8_t> paths; ///< the schedule that was found
  int limit = 0; ///< no schedule is shorter: sum over paths of the most in one lane
};

/// Beam search over the steps of the schedule, keeping the `beam` states whose lanes are furthest
/// on. Needs at most 32 lanes and strings of at most 255 decisions.
Supersequence shortSupersequence(const DecisionTable& decisions, int ways, int beam);

struct HeadroomRequest {
  Branching branching; ///< with equal costs
  int iterations = 100;
  int warps = 50;
  std::uint64_t seed = 1;
  int beam = 300;
};

struct Headroom {
  Summary found; ///< efficiency of the schedules found: what an oracle could reach at least
  Summary limit; ///< efficiency that no schedule exceeds
};

inline constexpr int headroomMostIterations = 255;

/// Refuses unequal costs and loops too long to search.
Expected<void> validateHeadroom(const HeadroomRequest& request);
Headroom findHeadroom(const HeadroomRequest& request, Progress& progress);

} // namespace heddle::model
