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
    {"ends-loop",
     "A `break` or `return` ends the loop over items.",
     "Use `continue`, or a bound."},
    {"changes-outside",
     "The guard or the work changes a variable or parameter from outside of it.",
     "Copy it into a variable of its own."},
    {"value-of-thread",
     "It uses a value that the thread has from before, and another thread may run it.",
     "Compute it from the item's number."},
    {"value-of-block",
     "What comes before depends on the block, and the block takes the items of others too.",
     "Do it behind the guard, or by the item's number."},
    {"list-too-large",
     "The list of items does not fit into shared memory.",
     "Launch smaller blocks."},
    {"too-few-blocks",
     "With fewer blocks some multiprocessors would have none, or a loop over items has hardly any turns.",
     "Nothing, or a larger input."},
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
