// SPDX-License-Identifier: Apache-2.0
//
// Why reshape is refused: id, what it means, what to do.
#pragma once

#include "rewrite/code/CommonRefusals.h"

namespace heddle::rewrite::reshape {

// clang-format off
inline constexpr RefusalTable refusals{{
    {"whole-warps",
     "The kernel's blocks are whole warps, and more than one.",
     "", Fit::NotMeant},
    {"launch-shape",
     "The size of the blocks is no constant in the host's code, launches differ in it, or a grid is computed in a way that is "
     "not understood.",
     "Write the sizes as constants, or into a `dim3` that nothing changes."},
    {"dynamic-shared",
     "A launch gives the kernel shared memory, whose size is for one of the blocks.",
     "Declare the array in the kernel."},
    {"small-launch-bounds",
     "`__launch_bounds__` allows no larger blocks.",
     "Allow 256 threads."},
    {"grid-size-used",
     "The number of blocks is part of what the kernel computes, not only of a stride.",
     ""},
    {"block-index-in-function",
     "A function that the kernel calls asks for the block, or the kernel hands `blockIdx` or `gridDim` on as a whole.",
     "Pass the number that it needs."},
    {"axes-in-use",
     "The kernel asks for `threadIdx` or `blockDim` along each axis, so that none is left for more blocks.",
     ""},
    {"varying-barrier",
     "Not all blocks come to a barrier equally often, as far as the text proves it; or it is in a function, or a vote.",
     "Decide by parameters whether to come there."},
    {"no-barrier",
     "Threads share memory without a barrier: they rely on being in one warp.",
     "Put `__syncthreads()` between writing and reading."},
    {"shared-unfit",
     "What the block shares cannot become an array with an element for each block: it is aligned by hand, declared in a "
     "function, or too large.",
     ""},
    common["unfit-parameters"],
    common["no-launch"],
    common["launch-in-macro"],
    common["launch-in-expression"],
    common["launch-by-runtime"],
    common["side-effects-in-launch"],
    common["address-taken"],
    common["declared-elsewhere"],
    common["c-linkage"],
    common["explicit-instance"],
    common["macro-in-the-way"],
}};
// clang-format on

} // namespace heddle::rewrite::reshape
