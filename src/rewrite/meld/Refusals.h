// SPDX-License-Identifier: Apache-2.0
//
// Why meld is refused: id, what it means, what to do.
#pragma once

#include "rewrite/code/CommonRefusals.h"

namespace heddle::rewrite::meld {

// clang-format off
inline constexpr RefusalTable refusals{{
    {"nothing-alike",
     "The branch has no `else`, or its arms have no parts that are alike and long enough.",
     "", Fit::NotMeant},
    {"alike-throughout",
     "The arms are alike from end to end, which is for `predicate`.",
     "", Fit::NotMeant},
    {"arms-share-memory",
     "One arm writes shared memory that the other one reads or writes.",
     "Separate them by a barrier, or write to another array."},
    {"fuses-otherwise",
     "A product is computed in one part and added in another: a compiler would fuse them now, or no longer.",
     "Write `fmaf` or `__fmul_rn`, which say which it is."},
    common["not-an-if"],
    common["macro-in-the-way"],
    common["unhoistable-declaration"],
}};
// clang-format on

} // namespace heddle::rewrite::meld
