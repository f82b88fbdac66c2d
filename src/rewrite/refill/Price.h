// SPDX-License-Identifier: Apache-2.0
//
// What refill would gain. Of loops with a mean of m turns and a variance of v, an item takes as
// many turns of its warp as
//   it was counted to                   as it is: the longest of the warp
//   1.12 m + 2.07 sqrt(v) / tiles       refilled: its own, those that dry lanes wait to be
//   refilled,
//                                       and at the end those until the last lane is done
// A turn also asks which lanes are dry, and a refill takes what stands around the loop for the
// whole warp.
#pragma once

#include "advise/Prices.h"

namespace heddle::rewrite::refill {

advise::Price priceRefilling(const profile::KernelProfile& kernel,
                             const advise::PricedBranch& branch);

} // namespace heddle::rewrite::refill
