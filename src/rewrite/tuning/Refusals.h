// SPDX-License-Identifier: Apache-2.0
//
// Why the size of a kernel's blocks is left alone: id, what it means, what to do. `heddle tune`
// shows them; they are no refusals of `heddle fix`.
#pragma once

#include "rewrite/code/Refusal.h"

namespace heddle::rewrite::tuning {

// clang-format off
inline constexpr RefusalTable refusals{{
    {"index-not-global",
     "The kernel asks for its thread or block in another way than by its place in the whole grid.",
     "Make the size a macro, and give its values by --set."},
    {"shared-memory",
     "Threads of a block share memory, or wait for one another.",
     "Make the size a macro, and give its values by --set."},
    {"inline-assembly",
     "Inline assembly names its thread or block.",
     ""},
}};
// clang-format on

} // namespace heddle::rewrite::tuning
