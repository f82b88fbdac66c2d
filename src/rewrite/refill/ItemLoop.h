// SPDX-License-Identifier: Apache-2.0
//
// What is done for an item around its loop, and how the parts know their item.
#pragma once

#include "rewrite/code/LoopPieces.h"
#include "rewrite/items/ItemLegality.h"

#include <set>

namespace heddle::rewrite::refill {

struct ItemLoop {
  ItemCode code;
  const clang::Stmt* core = nullptr; ///< the loop with its attributes, which is cut out
  const clang::Stmt* loop = nullptr;
  LoopHeader header;
  std::set<std::size_t> needed; ///< steps
  const clang::VarDecl* number = nullptr;
  const clang::Expr* bound = nullptr; ///< of the loop over items
  Travels travels = Travels::ByCoordinates;

  /// Of the steps those that are needed, the loop, and what stands behind it.
  std::vector<const clang::Stmt*> kept() const;
  /// Then it is no mere argument of the parts.
  bool changesNumber() const;
  ItemPlan items() const;
  /// Which steps lead to the loop and what stands behind it: all but declarations that are not
  /// used.
  void findNeeded();
};

/// The loop that a branch is, or leaves. Refuses with: no-loop-of-item.
Legal<BranchStatement> loopOf(const BranchStatement& branch);

/// Refuses with: not-top-level, code-behind.
Legal<ItemLoop> cutItemLoop(const Source& source, const Placed& loop);

/// Refuses with: names-twice, side-effects-before, and as checkItems does.
Legal<void> checkItemLoop(const Source& source, const ItemLoop& loop,
                          const clang::FunctionDecl& kernel);

} // namespace heddle::rewrite::refill
