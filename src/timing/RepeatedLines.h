// SPDX-License-Identifier: Apache-2.0
//
// A long warp is traced in windows, and what its thread block used between them is not known. Where
// a window shows the first use of a line, the line is either new, as in a walk through an array, or
// one of a table that the block reads again and again and had used long before. The windows tell
// which: in a walk each line is seen at one time only, in a table at many. It is the question of
// how many fish are in a pond, when of those caught today so many were marked yesterday.
#pragma once

#include "profile/KernelTrace.h"

namespace heddle::timing {

/// Chooses the lines of each block that a cache of so many bytes keeps between the windows, and
/// takes their first uses from what is new to the block.
void keepRepeatedLines(profile::KernelTrace& trace, double cacheBytes);

} // namespace heddle::timing
