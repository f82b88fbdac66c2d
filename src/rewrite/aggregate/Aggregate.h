// SPDX-License-Identifier: Apache-2.0
//
// aggregate: what threads change by atomics whose results nobody uses is joined first, in a warp or
// in a block; places are taken from a counter for a warp at once.
//
//   atomicAdd(&sums[cluster], x);     ==>     heddle::aggregate_add(&sums[cluster], x);
//   list[atomicAdd(&count, 1)] = x;           list[heddle::aggregate_next(&count)] = x;
//
// by warp: one lane does it for all that want the same word. By block: sums in shared memory, which
// go to memory when the block ends (BlockTally.h), few of them in several copies, so that lanes of
// one sum wait less. Places come in an order in which the lanes might have come by themselves. It
// pays where many threads want few words; the estimate says so, as atomics on one word wait for one
// another there.
#pragma once

#include "rewrite/Rewrite.h"

namespace heddle::rewrite::aggregate {

/// Refuses with: no-atomic, orders-memory, macro-in-the-way.
Legal<std::vector<Proposal>> proposeAggregatedAtomics(const Source& source, const Target& target);

} // namespace heddle::rewrite::aggregate
