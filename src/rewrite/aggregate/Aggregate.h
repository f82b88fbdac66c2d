// SPDX-License-Identifier: Apache-2.0
//
// aggregate: lanes of a warp that change the same word by atomics let one of them do it for all.
//
//   atomicAdd(&sums[cluster], x);     ==>     heddle::aggregate_add(&sums[cluster], x);
//
// All atomics of a kernel on the device's memory whose results nobody uses. It pays where many
// lanes want few words; the estimate says so, as atomics on one word wait for one another there.
#pragma once

#include "rewrite/Rewrite.h"

namespace heddle::rewrite::aggregate {

/// Refuses with: no-atomic, orders-memory, macro-in-the-way.
Legal<std::vector<Proposal>> proposeAggregatedAtomics(const Source& source, const Target& target);

} // namespace heddle::rewrite::aggregate
