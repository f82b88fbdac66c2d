// SPDX-License-Identifier: Apache-2.0
//
// meld: arms of a branch that are alike in parts. These parts stand once, for the lanes of both,
// with operands that are chosen; what is not alike stays in branches around them:
//
//   if (isSphere) {                          const bool first = isSphere;
//     float t = enter(sphere);               float t;
//     c = shade(t, red);                     if (first)
//     hits++;                                  t = enter(sphere);
//   } else {                        ==>      else
//     float t = cross(slab);                   t = cross(slab);
//     c = shade(t, grey);                    c = shade(t, first ? red : grey);
//   }                                        if (first)
//                                              hits++;
//
// Each thread runs the statements of its own arm, in their order: it computes what it computed
// before, bit for bit. Only the order between lanes of different arms changes.
#pragma once

#include "rewrite/Rewrite.h"

namespace heddle::rewrite::meld {

/// Refuses with: not-an-if, nothing-alike, alike-throughout, macro-in-the-way,
/// unhoistable-declaration, fuses-otherwise, arms-share-memory, and as refuseCommunication does.
Legal<std::vector<Proposal>> proposeMelded(const Source& source, const Target& target);

} // namespace heddle::rewrite::meld
