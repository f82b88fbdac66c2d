// SPDX-License-Identifier: Apache-2.0
//
// How unlike the lanes of a loop were in how often they went around.
#pragma once

#include "profile/KernelProfile.h"

namespace heddle::rewrite {

constexpr double largestOfWarp = 2.07; ///< the mean of the largest of 32 normal draws

/// The loop in a line that some lanes have left, or nullptr.
const profile::LoopProfile* loopAt(const profile::KernelProfile& kernel, int line);

/// From the histogram, whose buckets double.
double varianceOf(const profile::LoopProfile& loop);

} // namespace heddle::rewrite
