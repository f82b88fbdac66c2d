// SPDX-License-Identifier: Apache-2.0
//
// The form of reshape that puts several blocks of the kernel into one of the launch. They stand
// beside each other along an axis that the kernel's blocks do not use; see Reshape.h.
//
//   1. The kernel gets the number of its blocks as a parameter, and threads whose block is beyond
//      it return.
//   2. The number of the block takes the place of blockIdx.x, and how many there are that of
//      gridDim.x.
//   3. What a block shares becomes an array with an element for each block.
//   4. Launches have fewer and larger blocks.
#pragma once

#include "rewrite/Rewrite.h"
#include "rewrite/reshape/BlockUses.h"
#include "rewrite/reshape/LaunchShape.h"

namespace heddle::rewrite::reshape {

/// "packs of 8", for a few numbers of blocks.
/// Refuses with: axes-in-use, no-barrier, shared-unfit, small-launch-bounds, launch-shape,
/// unfit-parameters, macro-in-the-way, and as declarationsOf does.
Legal<std::vector<Proposal>> proposePacks(const Source& source, const Target& target,
                                          const BlockUses& uses,
                                          const std::vector<LaunchShape>& shapes);

/// Whether the kernel's own __launch_bounds__ allow blocks of that many threads.
bool boundsAllow(const clang::FunctionDecl& kernel, int threads);

} // namespace heddle::rewrite::reshape
