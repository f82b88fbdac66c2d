// SPDX-License-Identifier: Apache-2.0
//
// Why reduce is refused: id, what it means, what to do.
#pragma once

#include "rewrite/code/CommonRefusals.h"

namespace heddle::rewrite::reduce {

// clang-format off
inline constexpr RefusalTable refusals{{
    {"block-size-unfit",
     "Blocks are not of one row of a power of two from 32 to 1024 threads.",
     "Choose such a size."},
    {"no-reduction-idiom",
     "The loop is none of the textbook's reductions.",
     "Write it like one, or call `heddle::block_reduce`.", Fit::NotMeant},
    {"array-used-behind",
     "More of the array than its first element is used behind the loop.",
     "Keep a copy."},
    common["block-size-unknown"],
    common["macro-in-the-way"],
}};
// clang-format on

} // namespace heddle::rewrite::reduce
