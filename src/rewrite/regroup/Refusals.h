// SPDX-License-Identifier: Apache-2.0
//
// Why regroup is refused: id, what it means, what to do.
#pragma once

#include "rewrite/code/CommonRefusals.h"

namespace heddle::rewrite::regroup {

// clang-format off
inline constexpr RefusalTable refusals{{
    {"state-cannot-travel",
     "A variable of the loop cannot be copied to another thread: a reference, a pointer to a local variable, `auto` in a "
     "template.",
     "Use an index, or name the type."},
    {"state-too-large",
     "The states of a block do not fit into shared memory, or hold a long array.",
     "Carry less through the loop, or launch smaller blocks."},
    common["divergent-entry"],
    common["no-loop"],
    common["not-alone"],
    common["not-a-choice"],
    common["too-many-ways"],
    common["fallthrough"],
    common["value-returned"],
    common["unhoistable-declaration"],
    common["not-in-kernel"],
    common["block-size-unknown"],
    common["block-size"],
    common["thread-index-inside"],
    common["macro-in-the-way"],
}};
// clang-format on

} // namespace heddle::rewrite::regroup
