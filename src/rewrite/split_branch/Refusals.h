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
    {"no-launch",
     "The kernel is not launched in this file.",
     ""},
    {"launch-in-macro",
     "A macro or the preprocessor hides a launch.",
     "Write it out."},
    {"launch-in-expression",
     "A launch is part of a larger statement.",
     "Give it a statement of its own."},
    {"launch-by-runtime",
     "It is launched by `cudaLaunchKernel`, with an array of arguments.",
     "Use `<<<...>>>`."},
    {"side-effects-in-launch",
     "An argument of the launch may not be the same the second time.",
     "Compute it before."},
    {"address-taken",
     "The kernel is named other than to launch it.",
     ""},
    {"declared-elsewhere",
     "It is declared in another file, or twice.",
     ""},
    {"c-linkage",
     "It is `extern \"C\"`, which a template cannot be.",
     ""},
    {"explicit-instance",
     "An instance of the template is named for itself.",
     ""},
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
