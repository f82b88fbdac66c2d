// SPDX-License-Identifier: Apache-2.0
//
// regroup: the threads of a block swap the states of their loops, so that those of one way share
// warps. All that a thread has of its own goes into the state and is taken out behind the loop.
//
//   if (i >= n) return;           const bool hasReturned = i >= n;
//   float x = in[i];              float x{};
//                                 if (!hasReturned) { x = in[i]; }
//   while (c1) {                  struct State { int i; float x; bool hasReturned; };
//     B1;                         State state{i, x, hasReturned};
//     if (c2) A; else B;   ==>    heddle::regrouped_loop<256, 2, State>(state, [&](State& state) {
//     B2;                             auto& [i, x, hasReturned] = state; ...}, ...);
//   }                             if (state.hasReturned) return;
//                                 i = state.i; x = state.x;
//   out[i] = x;                   out[i] = x;
//
// Values that are the same for all threads of a block stay where they are. The loop holds for one
// size of block, which an assertion in front of it names.
#pragma once

#include "rewrite/Rewrite.h"

namespace heddle::rewrite {

/// Refuses with: not-in-kernel, block-size-unknown, block-size, divergent-entry (not all threads of
/// the block come to the loop), thread-index-inside, state-cannot-travel, state-too-large,
/// sync-op-inside (behind the loop, too), and as cutLoop does.
Legal<std::vector<Proposal>> proposeRegroupedLoop(const Source& source, const Target& target);

} // namespace heddle::rewrite
