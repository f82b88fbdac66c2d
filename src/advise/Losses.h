// SPDX-License-Identifier: Apache-2.0
//
// Where a kernel loses time to divergence, and how much at most there is to win.
#pragma once

#include "profile/KernelProfile.h"

#include <vector>

namespace heddle::advise {

/// The branches of one place, inlined here and there, as one.
struct Loss {
  profile::SourceLocation where;
  profile::BranchProfile sum; ///< its site is that of one of them
  /// Of the kernel's lane-cycles, or lane slots where it was not timed; with the lanes that a
  /// predicate switches off where the branch became one.
  double share = 0;
};

/// Worst first.
std::vector<Loss> lossesOf(const profile::KernelProfile& kernel);

/// How much faster the kernel could get if the branches lost nothing any more, all else being
/// equal. Time that goes into moving bytes or starting the kernel stays.
double mostSpeedup(const profile::KernelProfile& kernel, double share);

} // namespace heddle::advise
