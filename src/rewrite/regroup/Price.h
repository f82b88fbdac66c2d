// SPDX-License-Identifier: Apache-2.0
//
// What regroup would gain: a turn takes the mean way and an exchange. Of a loop whose turns are
// strips of iterations, between nothing and all that its condition loses.
#pragma once

#include "advise/Prices.h"

namespace heddle::rewrite::regroup {

advise::Price priceRegrouping(const profile::KernelProfile& kernel,
                              const advise::PricedBranch& branch);

} // namespace heddle::rewrite::regroup
