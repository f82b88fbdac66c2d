// SPDX-License-Identifier: Apache-2.0
//
// What share-rows would gain. Rows of lengths n, of which the loop's histogram tells how often each
// was seen, take a warp as many turns of the loop's body as
//   E[max of 32 n]                         as it is
//   G * E[max of 32 / G of ceil(n / G)]    shared by G lanes each
// Besides, each of the G rows of a group is fetched and its accumulators are joined, which takes
// some `fetch` operations and `join` more for each halving of the group; and whatever runs waits
// for its loads every few turns, which is why many lanes for short rows do not pay.
#pragma once

#include "advise/Prices.h"

#include <vector>

namespace heddle::rewrite::share_rows {

struct PricedGroup {
  int lanes = 0;
  double gain = 1; ///< of the loop, against what it is
};

/// For groups of 4, 8, 16 and 32 lanes. `body`: operations of an item.
std::vector<PricedGroup> gainsOf(const profile::LoopCounts& loop, double body);

/// Sizes of groups and teams that are worth a try, the likeliest first, for rows of at most that
/// many items. The run that tries them knows more than the closed form: what lanes read beside each
/// other, and how many threads there are to hide what they wait for.
std::vector<int> sizesFor(double longest);

advise::Price priceSharing(const profile::KernelProfile& kernel,
                           const advise::PricedBranch& branch);

} // namespace heddle::rewrite::share_rows
