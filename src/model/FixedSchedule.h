// SPDX-License-Identifier: Apache-2.0
//
// Expected steps per iteration of one lane under a fixed word, path A taken with probability p.
//
// Two answers, told apart everywhere:
//   approximate  Novak's eq. (1): averages over each kind of step separately
//   exact        the Markov chain over the places in the word where the lane last ran
// Eq. (1) is pessimistic by up to 1.8 % and picks another word at some p
// (docs/design/scheduling.md).
#pragma once

#include "model/Word.h"

#include <vector>

namespace heddle::model {

/// Novak's eq. (1), divided by n. Needs segments with x, y >= 1.
double approximateSteps(const std::vector<Segment>& segments, double p);

/// The stationary mean of the chain. Needs segments with x, y >= 1 and 0 < p < 1.
double exactSteps(const std::vector<Segment>& segments, double p);

} // namespace heddle::model
