// SPDX-License-Identifier: Apache-2.0
//
// share-init: the lanes of a warp share the work of starting cuRAND's XORWOW generator at their
// sequences.
//
//   curand_init(seed, thread, 0, &states[thread]);
//     ==>     heddle::curand_init(seed, thread, 0, &states[thread]);
//
// To start at sequence s each thread multiplies its state by a matrix for each digit of s to the
// base 4, and goes its own way at each of 160 bits. In a warp sequences mostly follow one another,
// so that most of these products are the same for all. The states are the same, bit for bit, and
// any lanes may call it: it is legal everywhere.
#pragma once

#include "rewrite/Rewrite.h"

namespace heddle::rewrite::share_init {

/// Refuses with: no-generator, macro-in-the-way.
Legal<std::vector<Proposal>> proposeSharedStart(const Source& source, const Target& target);

} // namespace heddle::rewrite::share_init
