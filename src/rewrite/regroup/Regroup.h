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
// A loop without such a branch, whose threads differ in how often they go around, has one way, and
// a turn is a strip of iterations (WholeLoop.h). Threads that are done drop out; the live ones
// share warps:
//
//   warps of 4, each thread as        strip 1            strip 2        strip 3
//   many iterations as said,          9 2 1 7            9 7 8 .        9 . . .
//   strips of 4                       3 8 2 3     ==>
//
//   while (c) {                   heddle::regrouped_loop<256, 1, State>(state,
//     B;                   ==>        [&](State& state) { ... return c ? 0 : heddle::done; },
//   }                                 [&](State& state) {
//                                       ... for (int turn = 0; turn < 64 && c; ++turn) { B; } });
//
// Values that are the same for all threads of a block stay where they are. The loop holds for one
// size of block, which an assertion in front of it names.
#pragma once

#include "rewrite/Rewrite.h"

namespace heddle::rewrite::regroup {

/// Refuses with: not-in-kernel, block-size-unknown, block-size, divergent-entry (not all threads of
/// the block come to the loop), thread-index-inside, state-cannot-travel, state-too-large,
/// sync-op-inside (behind the loop, too), and as cutLoop and cutWholeLoop do.
Legal<std::vector<Proposal>> proposeRegroupedLoop(const Source& source, const Target& target);

} // namespace heddle::rewrite::regroup
