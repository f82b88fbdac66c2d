// SPDX-License-Identifier: Apache-2.0
//
// Why schedule-iterations is refused: id, what it means, what to do.
#pragma once

#include "rewrite/code/CommonRefusals.h"

namespace heddle::rewrite::schedule_iterations {

// clang-format off
inline constexpr RefusalTable refusals{{
    {"recursive",
     "The loop is in a function that calls itself, and lanes that are deeper than others would vote with them: on a GPU they "
     "wait for each other for ever.",
     "Write the recursion as a loop with a stack."},
    common["no-loop"],
    common["not-alone"],
    common["not-a-choice"],
    common["too-many-ways"],
    common["fallthrough"],
    common["value-returned"],
    common["unhoistable-declaration"],
    common["macro-in-the-way"],
}};
// clang-format on

} // namespace heddle::rewrite::schedule_iterations
