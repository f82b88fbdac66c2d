// SPDX-License-Identifier: Apache-2.0
//
// predicate: a branch becomes straight code. Where both arms do the same with other operands, the
// operands are chosen first and one copy of the code runs for all lanes:
//
//   if (isFast)                              const auto scale = isFast ? 0.5f : 0.25f;
//     for (...) x = fmaf(x, 0.5f, a[i]);     const auto from = isFast ? a : b;
//   else                             ==>     for (...)
//     for (...) x = fmaf(x, 0.25f, b[i]);      x = fmaf(x, scale, from[i]);
//
// Short arms that differ, or have no else, run both: see SelectAssignments.h. Each thread computes
// what it computed before, bit for bit.
#pragma once

#include "rewrite/Rewrite.h"

namespace heddle::rewrite::predicate {

/// Refuses with: not-an-if, unhoistable-declaration, side-effects (of a condition that decides
/// nothing), macro-in-the-way, and as matchArms, selectAssignments and refuseCommunication do.
Legal<std::vector<Proposal>> proposePredicated(const Source& source, const Target& target);

} // namespace heddle::rewrite::predicate
