// SPDX-License-Identifier: Apache-2.0
//
// What flatten would gain. Of n inner loops a lane, each with a mean of m trips and a variance of
// v, a warp takes as many turns as
//   it was counted to       as it is: the sum of the longest
//   n m + 2.07 sqrt(n v)    flattened: the longest sum, which 32 draws of a normal distribution
//   have
// A turn of the flattened loop takes, besides the inner loop's body, the loop's own tests, and what
// stands around the inner loop where one of 32 lanes needs it.
#pragma once

#include "advise/Prices.h"

namespace heddle::rewrite::flatten {

advise::Price priceFlattening(const profile::KernelProfile& kernel,
                              const advise::PricedBranch& branch);

} // namespace heddle::rewrite::flatten
