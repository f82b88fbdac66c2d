// SPDX-License-Identifier: Apache-2.0
//
// What schedule-iterations would gain: in the time of one way for each that some lane of a warp
// wants, a turn's own time and one way, as often as the policy needs turns.
#pragma once

#include "advise/Prices.h"

namespace heddle::rewrite::schedule_iterations {

advise::Price priceScheduling(const profile::KernelProfile& kernel,
                              const advise::PricedBranch& branch);

} // namespace heddle::rewrite::schedule_iterations
