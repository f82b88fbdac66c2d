// SPDX-License-Identifier: Apache-2.0
//
// What is done for an item, where it ends in a choice which leaves some items without work:
//
//     if (x > limit) {                  the last step
//       if (x < 0) A;                   the choice and its ways: arms,
//       else B;
//     }
//
// Where the first arm leaves (`if (c) return;`), what stands behind the choice is its other way.
// Where no arm does, a few lines behind it are the end of each way.
#pragma once

#include "rewrite/items/ItemCode.h"

#include <optional>
#include <vector>

namespace heddle::rewrite::compact {

struct Way {
  const clang::Expr* condition = nullptr; ///< none: all that took none of those before
  std::vector<const clang::Stmt*> code;
  std::optional<Range> range; ///< of the text; nothing where a macro hides it
};

struct Guard : ItemCode {
  const clang::IfStmt* choice = nullptr;
  std::vector<Way> ways;                ///< two or more; the last one has no condition
  bool goesOn = false;                  ///< the last way stands behind the choice
  std::vector<const clang::Stmt*> tail; ///< that all ways end in; stands behind the choice
  std::optional<Range> tailRange;

  using ItemCode::leaves;
  bool leaves(const Way& way) const;
  /// All that moves: steps, the choice, and what stands behind it.
  std::vector<const clang::Stmt*> moved() const;
  /// A way with the tail, unless it leaves before.
  std::vector<const clang::Stmt*> codeOf(const Way& way) const;
};

/// Refuses with: not-a-choice, not-top-level, code-behind.
Legal<Guard> cutGuard(const Source& source, const Placed& branch);

} // namespace heddle::rewrite::compact
