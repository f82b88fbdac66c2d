// SPDX-License-Identifier: Apache-2.0
//
// Why a rewrite that is legal is not applied: what its runs decided.
#pragma once

#include "rewrite/code/Refusal.h"

namespace heddle::driver {

// clang-format off
inline constexpr rewrite::RefusalTable runRefusals{{
    {"does-not-pay",
     "The rewritten program is right, but less than 2 % faster in the model of this GPU.",
     "Nothing. Try `--device` for another GPU, or a larger input."},
    {"too-close",
     "It is predicted to pay, but models have been further off than that; what it gains lies between the two speedups that "
     "are named.",
     "Apply it with `--likely`, and measure it on a GPU."},
    {"spills-more",
     "It keeps more values in memory instead of registers, and the estimate has no time for those.",
     "Apply it by hand, and measure it on the GPU."},
    {"too-many-registers",
     "Its largest blocks might not start: with a few more registers for each thread than were counted, a multiprocessor has not "
     "enough for one of them.",
     "Give the kernel `__launch_bounds__` with the size of its blocks, and ask again."},
    {"another-is-better",
     "It pays, but touches the lines of one that pays more, or adds nothing to it.",
     "Nothing, or `--only` to see it alone."},
    {"dependent-threads",
     "Threads read or write what others write, so their order matters; the accesses are named.",
     "Separate them by launches, or `--trust` where the order does not matter."},
    {"results-differ",
     "The rewritten program leaves or prints something else; the first difference is named.",
     "Look for a race at that place. Without one it is a fault of Heddle: report it."},
    {"rounds-otherwise",
     "It adds or multiplies floating-point numbers in another order, and results differ in their last digits; the largest "
     "difference is named.",
     "Allow for it with the `--tolerance` that is named, where such roundings do not matter."},
    {"nvcc-refuses",
     "nvcc compiles the program as it was, but not as it was rewritten; its first error is named.",
     "A fault of Heddle: report it. `--only` tries another rewrite."},
    {"measured-slower",
     "On this machine's GPU, which is the one of `--device`, the program's kernels take longer than before; both times are "
     "named.",
     "Nothing, or `--only` to try another rewrite."},
    {"not-tried",
     "The time for the search was spent on others that promise more.",
     "Give it more with `--budget SECONDS`, or ask for it alone with `--only` and `--line`."},
    {"declined",
     "It pays, and you chose not to apply it.",
     "Nothing. `--all` applies all that pay without a question."},
    {"does-not-build",
     "The rewritten program does not compile or run.",
     "A fault of Heddle: report it, with what `--unproven` prints."},
}};
// clang-format on

} // namespace heddle::driver
