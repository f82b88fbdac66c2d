// SPDX-License-Identifier: Apache-2.0
//
// schedule-iterations: a loop whose body takes one of k ways runs one way a turn, for all lanes of
// the warp that want it.
//
// clang-format off
//   while (c1) {                      heddle::scheduled_loop<heddle::aging, 2>(
//     B1;                                 [&] { if (!c1) return heddle::done; B1; return c2 ? 0 : 1; },
//     if (c2) A; else B;      ==>         [&] { A; },
//     B2;                                 [&] { B; },
//   }                                     [&] { B2; });
// clang-format on
//
// Each thread's own statements keep their order; only the order between threads changes.
#pragma once

#include "rewrite/Rewrite.h"

namespace heddle::rewrite::schedule_iterations {

/// With `aging`, with `cost_aging` where the ways are known to be of unequal length, and with words
/// written out: the ways in turn, and the best word for the shares of two ways.
/// Refuses as cutLoop does.
Legal<std::vector<Proposal>> proposeScheduledLoops(const Source& source, const Target& target);

} // namespace heddle::rewrite::schedule_iterations
