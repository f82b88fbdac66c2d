// SPDX-License-Identifier: Apache-2.0
//
// A loop whose threads differ in how often they go around, as one way of the device library's
// loops: a turn is a strip of many iterations, long enough for what is done between two turns.
//
//   while (c) {         next    c ? 0 : done
//     B;                path    for (int turn = 0; turn < 64 && c; ++turn) { B; }
//   }
//
// A condition that changes something is tested only in the strip, which says how it ended:
//
//   do {                next    0
//     B;                path    int turn = 0;
//   } while (c);                do { B; } while (c && ++turn < 64);
//                               return turn == 64 ? flow::proceed : flow::leave;
#pragma once

#include "rewrite/ways/WayLoop.h"

namespace heddle::rewrite::regroup {

/// Cuts the innermost loop around a statement; `strip`: iterations.
///
/// Refuses with: value-returned, and as placeLoop does.
Legal<WayLoop> cutWholeLoop(const Source& source, const BranchStatement& inside, int strip);

/// The body of a loop, as a statement in it.
BranchStatement bodyOf(const BranchStatement& loop);

} // namespace heddle::rewrite::regroup
