// SPDX-License-Identifier: Apache-2.0
//
// Whether a predicted speedup is enough. One rule for what `heddle run` guesses and for what
// `heddle fix` has tried: a rewrite pays if it does so at the lower end of what it may be in truth.
#pragma once

#include "advise/Verdict.h"
#include "profile/KernelProfile.h"

namespace heddle::advise {

enum class Pays {
  No,       ///< less than 2 %
  TooClose, ///< it is predicted to, but predictions have been further off than that
  Yes,
};

/// Notes the speedup that is predicted for the kernel, and between which two the true one lies.
void predict(Candidate& candidate, const profile::KernelProfile& kernel, double speedup);

/// Of a candidate whose speedup is predicted.
Pays judge(const Candidate& candidate);

/// How much faster one must be than another to be worth more.
inline constexpr double leastGain = 1.02;

} // namespace heddle::advise
