// SPDX-License-Identifier: Apache-2.0
//
// Why share-init is refused: id, what it means, what to do.
#pragma once

#include "rewrite/code/CommonRefusals.h"

namespace heddle::rewrite::share_init {

// clang-format off
inline constexpr RefusalTable refusals{{
    {"no-generator",
     "The kernel, with what it calls in its file, starts no XORWOW generator of cuRAND at a sequence of the thread's own.",
     "", Fit::NotMeant},
    common["older-gpu"],
    common["macro-in-the-way"],
}};
// clang-format on

} // namespace heddle::rewrite::share_init
