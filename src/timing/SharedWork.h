// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/KernelTrace.h"

namespace heddle::timing {

/// A launch whose threads take their work from a counter. The engine runs a warp for as long as it
/// can, and the first ones take nearly all; on a GPU all run at once, and share it. Here each warp
/// does as much as the mean one, in the way of the one that did the most: of the grid, or of its
/// block where each block has a counter of its own.
/// `instructions` and `blocks` are those of the grid.
profile::KernelTrace withSharedWork(const profile::KernelTrace& trace, double instructions,
                                    double blocks);

} // namespace heddle::timing
