// SPDX-License-Identifier: Apache-2.0
//
// Why flatten is refused: id, what it means, what to do.
#pragma once

#include "rewrite/code/CommonRefusals.h"

namespace heddle::rewrite::flatten {

// clang-format off
inline constexpr RefusalTable refusals{{
    {"not-nested",
     "The branch is no loop in another loop of the same function, and does not break out of one.",
     "", Fit::NotMeant},
    {"loop-in-a-branch",
     "The inner loop stands in a branch or a block of the outer loop's body.",
     "Give it an empty range where it should not run."},
    common["unhoistable-declaration"],
    common["macro-in-the-way"],
}};
// clang-format on

} // namespace heddle::rewrite::flatten
