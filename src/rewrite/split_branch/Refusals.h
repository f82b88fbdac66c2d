// SPDX-License-Identifier: Apache-2.0
//
// Why split-branch is refused: id, what it means, what to do.
#pragma once

#include "rewrite/code/CommonRefusals.h"

namespace heddle::rewrite::split_branch {

// clang-format off
inline constexpr RefusalTable refusals{{
    {"condition-written",
     "The ways write what the condition reads.",
     "Write to another array."},
    {"not-one-index",
     "The kernel knows its thread by more than one `i = blockIdx.x * blockDim.x + threadIdx.x`.",
     "Use only that `i`."},
    {"parameter-unfit",
     "A parameter cannot be a member: it has no name, has a default, is changed, an array or a pack.",
     "Copy it into a local variable."},
    common["no-launch"],
    common["launch-in-macro"],
    common["launch-in-expression"],
    common["launch-by-runtime"],
    common["side-effects-in-launch"],
    common["address-taken"],
    common["declared-elsewhere"],
    common["c-linkage"],
    common["explicit-instance"],
    common["not-top-level"],
    common["code-behind"],
    common["side-effects-before"],
    common["not-a-choice"],
    common["too-many-ways"],
    common["fallthrough"],
    common["not-in-kernel"],
    common["macro-in-the-way"],
}};
// clang-format on

} // namespace heddle::rewrite::split_branch
