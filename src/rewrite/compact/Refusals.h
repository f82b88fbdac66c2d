// SPDX-License-Identifier: Apache-2.0
//
// Why compact is refused: id, what it means, what to do.
#pragma once

#include "rewrite/code/CommonRefusals.h"

namespace heddle::rewrite::compact {

// clang-format off
inline constexpr RefusalTable refusals{{
    {"no-work",
     "The branch leaves nothing to do to the lanes that it lets pass.",
     "", Fit::NotMeant},
    {"list-too-large",
     "The list of items does not fit into shared memory.",
     "Launch smaller blocks."},
    common["too-few-blocks"],
    common["ends-loop"],
    common["changes-outside"],
    common["value-of-thread"],
    common["value-of-block"],
    common["not-top-level"],
    common["code-behind"],
    common["side-effects-before"],
    common["divergent-entry"],
    common["not-a-choice"],
    common["unhoistable-declaration"],
    common["not-in-kernel"],
    common["block-size-unknown"],
    common["block-size"],
    common["thread-index-inside"],
    common["macro-in-the-way"],
    common["older-gpu"],
    common["value-returned"],
}};
// clang-format on

} // namespace heddle::rewrite::compact
