// SPDX-License-Identifier: Apache-2.0
//
// The second form of predicate: short arms that only assign local variables run both, and every
// assignment keeps the old value where it was not meant.
//
//   if (c)                         const bool first = c;
//     x += a;             ==>      x = first ? x + a : x;
//   else                           y = first ? y : b;
//     y = b;
#pragma once

#include "rewrite/Rewrite.h"

namespace heddle::rewrite::predicate {

/// Refuses with: not-an-if, unhoistable-declaration, arms-too-long, side-effects, store-in-one-arm,
/// may-fault, types-differ, macro-in-the-way, and as refuseCommunication does.
Legal<Edits> selectAssignments(const Source& source, const Target& target);

} // namespace heddle::rewrite::predicate
