// SPDX-License-Identifier: Apache-2.0
//
// A loop over consecutive items, in its usual spellings:
//
//   for (int k = start[r]; k < start[r + 1]; ++k) ...      also <=, !=, k += 2, unsigned, pointers,
//   and down for (k = start[r], end = start[r + 1]; k < end; k++) ... while (k < end) { ...; ++k; }
#pragma once

#include "rewrite/code/Branches.h"
#include "rewrite/code/Refusal.h"

#include <clang/AST/Expr.h>

#include <optional>
#include <string>

namespace heddle::rewrite {

struct RowLoop {
  const clang::Stmt* loop = nullptr;
  const clang::Stmt* function = nullptr; ///< the body of the one that it stands in
  const clang::VarDecl* item = nullptr;
  const clang::Expr* begin = nullptr; ///< nullptr: the item has its value
  const clang::Expr* end = nullptr;
  std::string beginText, endText; ///< of the first item and the one behind the last
  int step = 1;                   ///< negative: it counts down
  const clang::Stmt* body = nullptr;
  Range range, bodyRange;                     ///< with a comment behind a body without braces
  const clang::Stmt* lastStatement = nullptr; ///< of a `while`: what counts; else nullptr
};

/// `placed`: the loop.
/// Refuses with: loop-form, bounds-change, counter-used-behind, macro-in-the-way.
Legal<RowLoop> readRowLoop(const Source& source, const Placed& placed);

/// The loop that a branch is, or that it breaks out of.
std::optional<BranchStatement> rowLoopOf(const BranchStatement& branch);

} // namespace heddle::rewrite
