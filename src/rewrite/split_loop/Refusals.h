// SPDX-License-Identifier: Apache-2.0
//
// Why split-loop is refused: id, what it means, what to do.
#pragma once

#include "rewrite/code/CommonRefusals.h"

namespace heddle::rewrite::split_loop {

// clang-format off
inline constexpr RefusalTable refusals{{
    {"loop-control",
     "The loop cannot run twice: it is no `for` loop, or changes what counts its turns.",
     "Count with a variable that only the header sets."},
    {"leaves-early",
     "The loop has a `break`, `continue` or `return`.",
     ""},
    {"one-group",
     "All statements depend on one another.",
     "", Fit::NotMeant},
    {"shared-computation",
     "Both groups need a value that cannot be computed twice.",
     "Compute it in a loop of its own, into an array."},
    {"may-alias",
     "One group stores where the other may read.",
     "Declare pointers `__restrict__`."},
    common["no-loop"],
    common["macro-in-the-way"],
}};
// clang-format on

} // namespace heddle::rewrite::split_loop
