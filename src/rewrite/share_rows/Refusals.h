// SPDX-License-Identifier: Apache-2.0
//
// Why share-rows is refused: id, what it means, what to do.
#pragma once

#include "rewrite/code/CommonRefusals.h"

namespace heddle::rewrite::share_rows {

// clang-format off
inline constexpr RefusalTable refusals{{
    {"same-length",
     "All threads of the block go around the loop equally often.",
     "", Fit::NotMeant},
    {"no-team",
     "The kernel as a whole cannot be run by a team of lanes for each row: it knows its thread by more than its number, reads "
     "what it stores, stores on the way, or the host's launches cannot be made larger.",
     "Write `blockIdx.x * blockDim.x + threadIdx.x`, constant blocks of whole warps, and results behind the loop."},
    common["no-row-loop"],
    common["loop-form"],
    common["bounds-change"],
    common["counter-used-behind"],
    common["carried-over"],
    common["ends-early"],
    common["not-its-place"],
    common["order-of-atomics"],
    common["own-value-unfit"],
    common["thread-index-inside"],
    common["older-gpu"],
    common["macro-in-the-way"],
}};
// clang-format on

} // namespace heddle::rewrite::share_rows
