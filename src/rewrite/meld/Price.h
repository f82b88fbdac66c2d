// SPDX-License-Identifier: Apache-2.0
//
// What meld would gain: like parts run once instead of once for each arm, less what it takes to
// choose operands.
#pragma once

#include "advise/Prices.h"

namespace heddle::rewrite::meld {

advise::Price priceMelding(const profile::KernelProfile& kernel,
                           const advise::PricedBranch& branch);

} // namespace heddle::rewrite::meld
