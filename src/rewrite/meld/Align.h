// SPDX-License-Identifier: Apache-2.0
//
// The statements of two arms side by side: those that are alike in both, in the order of both, and
// what stands between them.
//
//   t = hit(sphere);  |  t = edge(slab);  |  not alike
//   c = shade(t);     |  c = shade(t);    |  alike
//   c *= 2;           |                   |  not alike
#pragma once

#include "rewrite/Rewrite.h"
#include "rewrite/arms/ArmMatch.h"

#include <vector>

namespace heddle::rewrite::meld {

using Statements = std::vector<const clang::Stmt*>;

/// Of a block, or the one statement that stands in its place.
Statements statementsOf(const clang::Stmt& arm);

/// Either one statement of each arm, which are alike, or some of each, which are not.
struct Part {
  bool alike = false;
  std::size_t first = 0, other = 0;           ///< where it begins in the arms
  std::size_t firstCount = 0, otherCount = 0; ///< statements
};

struct Alignment {
  std::vector<Part> parts; ///< of all statements of both arms, in their order
  std::vector<Choice> choices;
  Twins twins;
  /// Instructions: of what is alike, in each arm, and of the whole arms; estimates.
  double alike = 0, firstLength = 0, otherLength = 0;
};

/// The alignment that shares the most. `isPattern`: see matchArms.
Alignment align(const Source& source, const clang::Stmt& first, const clang::Stmt& other,
                bool isPattern, const std::vector<MeasuredLoop>& loops);

/// Whether the same parts are alike in an instance of a template.
bool isAlikeToo(const Source& source, const Alignment& alignment, const clang::Stmt& first,
                const clang::Stmt& other);

} // namespace heddle::rewrite::meld
