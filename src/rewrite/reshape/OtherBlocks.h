// SPDX-License-Identifier: Apache-2.0
//
// The form of reshape that only changes launches: the kernel's own bounds stop the threads that a
// grid of other blocks has more, and the host computes its grid from the same numbers.
#pragma once

#include "rewrite/Rewrite.h"
#include "rewrite/reshape/BlockUses.h"
#include "rewrite/reshape/LaunchShape.h"

namespace heddle::rewrite::reshape {

/// "blocks of 128" and "blocks of 32x8"; none where that is not known to be legal.
std::vector<Proposal> proposeOtherBlocks(const Source& source, const Target& target,
                                         const HostValues& values, const BlockUses& uses,
                                         const std::vector<LaunchShape>& shapes);

} // namespace heddle::rewrite::reshape
