// SPDX-License-Identifier: Apache-2.0
//
// Why predicate is refused: id, what it means, what to do.
#pragma once

#include "rewrite/code/CommonRefusals.h"

namespace heddle::rewrite::predicate {

// clang-format off
inline constexpr RefusalTable refusals{{
    common["not-an-if"],
    common["arms-differ"],
    common["types-differ"],
    common["constant-power"],
    {"arms-too-long",
     "An arm has more than 3 statements, or computes too much to do it for nothing.",
     ""},
    {"side-effects",
     "An arm does more than compute values and set local variables, or the condition does something.",
     "Do that before or behind the branch."},
    {"store-in-one-arm",
     "Only one arm stores to memory.",
     "Set a variable in both, and store it behind."},
    {"may-fault",
     "An arm reads memory or divides where the condition may be there to prevent that.",
     "Where it is safe, read it in front of the branch."},
    common["macro-in-the-way"],
    common["unhoistable-declaration"],
}};
// clang-format on

} // namespace heddle::rewrite::predicate
