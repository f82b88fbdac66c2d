// SPDX-License-Identifier: Apache-2.0
//
// What compact would gain: all that the guard loses, less what it takes to make the list and to go
// through it.
#pragma once

#include "advise/Prices.h"
#include "rewrite/Rewrite.h"

#include <vector>

namespace heddle::rewrite::compact {

advise::Price priceCompaction(const profile::KernelProfile& kernel,
                              const advise::PricedBranch& branch);

/// The numbers of tiles that are worth a try: a few, and as many as leave enough blocks for all
/// multiprocessors. `turns`: of a loop over items; 0: there is none.
std::vector<int> tilesWorthTrying(const Measured& measured, double turns);

} // namespace heddle::rewrite::compact
