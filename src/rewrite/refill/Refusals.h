// SPDX-License-Identifier: Apache-2.0
//
// Why refill is refused: id, what it means, what to do.
#pragma once

#include "rewrite/code/CommonRefusals.h"

namespace heddle::rewrite::refill {

// clang-format off
inline constexpr RefusalTable refusals{{
    {"no-loop-of-item",
     "The branch is no loop that a kernel runs for its item, and does not break out of one.",
     "", Fit::NotMeant},
    {"names-twice",
     "A name means two variables, where both would stand in the same function.",
     "Rename one."},
    common["too-few-blocks"],
    common["ends-loop"],
    common["changes-outside"],
    common["value-of-thread"],
    common["value-of-block"],
    common["not-top-level"],
    common["code-behind"],
    common["side-effects-before"],
    common["divergent-entry"],
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

} // namespace heddle::rewrite::refill
