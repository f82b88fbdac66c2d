// SPDX-License-Identifier: Apache-2.0
//
// What compact would gain: all that the guard loses, less what it takes to make the list and to go
// through it.
#pragma once

#include "advise/Prices.h"
#include "rewrite/Rewrite.h"

namespace heddle::rewrite::compact {

advise::Price priceCompaction(const profile::KernelProfile& kernel,
                              const advise::PricedBranch& branch);

} // namespace heddle::rewrite::compact
