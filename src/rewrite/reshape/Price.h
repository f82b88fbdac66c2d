// SPDX-License-Identifier: Apache-2.0
//
// What reshape would gain: the lanes without a thread. That more threads fit on a multiprocessor is
// for a run to tell.
#pragma once

#include "advise/Prices.h"

namespace heddle::rewrite::reshape {

advise::Price priceReshape(const profile::KernelProfile& kernel,
                           const advise::PricedBranch& branch);

} // namespace heddle::rewrite::reshape
