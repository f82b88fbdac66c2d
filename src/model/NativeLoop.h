// SPDX-License-Identifier: Apache-2.0
//
// The loop as hardware runs it: in every iteration the warp executes each path that at least one of
// its lanes takes, one after the other. Closed forms; the first half of Novak's eqs. (3) and (4).
#pragma once

#include "model/Branching.h"

namespace heddle::model {

/// Probability that at least one of `lanes` lanes takes a path of probability p: 1 - (1-p)^lanes.
double pathRunShare(double p, int lanes);

/// Paths a warp runs per iteration on average; Novak's g for two ways.
double nativeStepsPerIteration(const Branching& branching, int lanes);

/// Path time of a warp per iteration: sum over k of [1-(1-p_k)^lanes] t_k.
double nativePathTime(const Branching& branching, int lanes);

/// Share of lane time that does work, loop overhead left out: mean cost / nativePathTime.
double nativeEfficiency(const Branching& branching, int lanes);

} // namespace heddle::model
