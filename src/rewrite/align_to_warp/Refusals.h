// SPDX-License-Identifier: Apache-2.0
//
// Why align-to-warp is refused: id, what it means, what to do.
#pragma once

#include "rewrite/code/CommonRefusals.h"

namespace heddle::rewrite::align_to_warp {

// clang-format off
inline constexpr RefusalTable refusals{{
    {"not-on-thread-index",
     "The branch does not take `threadIdx.x` modulo a constant below 32.",
     "", Fit::NotMeant},
    {"block-shape",
     "Blocks have more than one row of threads.",
     ""},
    common["not-in-kernel"],
    common["block-size-unknown"],
    common["block-size"],
    common["thread-index-inside"],
    common["macro-in-the-way"],
}};
// clang-format on

} // namespace heddle::rewrite::align_to_warp
