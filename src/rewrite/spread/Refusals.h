// SPDX-License-Identifier: Apache-2.0
//
// Why spread is refused: id, what it means, what to do.
#pragma once

#include "rewrite/code/CommonRefusals.h"

namespace heddle::rewrite::spread {

// clang-format off
inline constexpr RefusalTable refusals{{
    {"not-one-thread",
     "The branch lets in more than one thread of a warp, is not decided by `threadIdx.x` or the lane, or holds no loop.",
     "", Fit::NotMeant},
    {"has-else",
     "The branch has an `else`, which the other threads run meanwhile.",
     "Put it behind the branch."},
    {"code-before",
     "In front of the loop, the branch declares what only one thread may compute, or it may be left.",
     "Do that in a branch of its own."},
    {"bounds-of-thread",
     "What the condition, the loop's bounds or a variable in front of it read is chosen by the thread's own number, which other "
     "lanes have not.",
     "Read it with an index that is the same for the block."},
    {"block-rows",
     "Blocks have several rows of threads that are no whole number of warps, so that other lanes than the first one are let in.",
     "Choose rows of whole warps, or ask for `threadIdx.y == 0`, too."},
    common["not-in-kernel"],
    common["block-size-unknown"],
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

} // namespace heddle::rewrite::spread
