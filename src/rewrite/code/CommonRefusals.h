// SPDX-License-Identifier: Apache-2.0
//
// Refusals that several rewrites share. A rewrite's own table names those that it may say.
#pragma once

#include "rewrite/code/Refusal.h"

namespace heddle::rewrite {

// clang-format off
inline constexpr RefusalTable common{{
    {"macro-in-the-way",
     "What must change begins or ends inside a macro.",
     "Write that line out."},
    {"unhoistable-declaration",
     "A variable must be declared earlier and set later, and cannot: a reference, an array with values, a `static`, an "
     "object without a default, one in a condition, a type, a name that means two variables.",
     "Declare it in front of the loop, or rename it."},
    {"no-loop",
     "The branch is in no loop, or the kernel has no `for` loop.",
     "", Fit::NotMeant},
    {"not-alone",
     "The branch is nested in another statement of the loop, or is a loop itself.",
     "Ask for the outer branch, or bring the inner one up.", Fit::NotMeant},
    {"not-a-choice",
     "The branch is no `if` or `switch`, or is decided when compiling.",
     "", Fit::NotMeant},
    {"too-many-ways",
     "There are more than 8 ways.",
     "Join rare ones into one."},
    {"fallthrough",
     "A case runs on into the next one.",
     "End each case with `break`."},
    {"value-returned",
     "A function returns a value from inside the loop.",
     "Set a variable, `break`, and return it behind the loop."},
    {"not-top-level",
     "The branch stands in a loop or another statement.",
     "", Fit::NotMeant},
    {"code-behind",
     "Code behind the branch runs for other threads too, or its floating-point sums could be fused another way.",
     "Move it into the ways, or into a kernel of its own."},
    {"side-effects-before",
     "The kernel writes before the branch what would be written or read once more.",
     "Write behind it."},
    {"divergent-entry",
     "Not all threads of a block come to the loop, or to a barrier in front of the branch.",
     "Give the others an empty loop."},
    {"not-in-kernel",
     "The branch is in a function that the kernel calls.",
     "Move it into the kernel."},
    {"block-size-unknown",
     "Launches have blocks of different sizes, or none was seen.",
     "Launch with one size; for `--unproven` give `--block`."},
    {"block-size",
     "The block is no whole number of warps, or of as many warps as there are ways.",
     "Choose such a size."},
    {"thread-index-inside",
     "The code asks for `threadIdx` where another thread may run it.",
     "Read it into a variable in front of the loop."},
}};

/// Threads that talk, in the code that would move: what refuseCommunication says. Its order between
/// threads would change, or who meets whom.
inline constexpr RefusalTable communication{{
    {"barrier-inside",
     "There is a `__syncthreads()` or another barrier of the block.",
     "Move it out of the loop or the branch."},
    {"sync-op-inside",
     "There is a shuffle, a vote, `__activemask`, `warpSize` or a cooperative group.",
     "Do what lanes share before or behind it."},
    {"fence-inside",
     "There is a `__threadfence` or a wait.",
     "Move it behind the loop."},
    {"shared-memory-inside",
     "It writes shared memory.",
     "Compute in a local variable, and store behind the loop."},
    {"atomic-result-used",
     "It uses what an atomic operation returns, which depends on the order.",
     "Drop the result, or fetch it before the loop."},
    {"volatile-inside",
     "It reads or writes volatile memory.",
     "Read it before the loop."},
    {"prints-inside",
     "It prints.",
     "Print behind the loop."},
    {"allocates-inside",
     "It calls `malloc`.",
     "Allocate before the loop."},
    {"inline-assembly",
     "It has inline assembly, whose meaning is not known.",
     "Use the intrinsic."},
    {"goto-inside",
     "It has a `goto`.",
     "Use `break`, `continue` or a function."},
    {"unknown-call",
     "It calls a function through a pointer.",
     "Call it by name, or pass it as a template argument."},
}};
// clang-format on

} // namespace heddle::rewrite
