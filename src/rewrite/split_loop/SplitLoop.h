// SPDX-License-Identifier: Apache-2.0
//
// split-loop: a loop whose statements fall into two groups that have nothing to do with each other
// becomes two loops, each of which needs fewer registers.
//
//   for (int i = 0; i < n; ++i) {       for (int i = 0; i < n; ++i) {
//     x += a[i] * b[i];                   x += a[i] * b[i];
//     y += c[i] / d[i];          ==>    }
//   }                                   for (int i = 0; i < n; ++i) {
//                                         y += c[i] / d[i];
//                                       }
//
// Every variable sees the same operations in the same order. Carrillo, Siegel, Li: A Control-
// Structure Splitting Optimization for GPGPU, figure 5.
#pragma once

#include "rewrite/Rewrite.h"

namespace heddle::rewrite::split_loop {

/// Of the loop that the target names, else of the first loop of the kernel that allows it.
/// Refuses with: no-loop, loop-control (it cannot be repeated), leaves-early, one-group,
/// shared-computation, may-alias, macro-in-the-way, and as refuseCommunication does.
Legal<std::vector<Proposal>> proposeSplitLoop(const Source& source, const Target& target);

} // namespace heddle::rewrite::split_loop
