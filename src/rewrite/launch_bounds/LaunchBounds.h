// SPDX-License-Identifier: Apache-2.0
//
// launch-bounds: tells the compiler how many threads a block has, and how many blocks should fit on
// a multiprocessor, so that it gives each thread the registers that leaves.
//
//   __global__ void k(...)     ==>     __global__ void __launch_bounds__(256, 5) k(...)
#pragma once

#include "rewrite/Rewrite.h"

namespace heddle::rewrite::launch_bounds {

/// `(threads)`, and `(threads, blocks)` with one block more than the registers leave room for now,
/// where they are known and a multiprocessor of the modelled GPU has the threads.
///
/// Refuses with: block-size-unknown, has-launch-bounds, no-register-pressure, macro-in-the-way.
Legal<std::vector<Proposal>> proposeLaunchBounds(const Source& source, const Target& target);

} // namespace heddle::rewrite::launch_bounds
