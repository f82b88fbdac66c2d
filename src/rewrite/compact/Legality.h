// SPDX-License-Identifier: Apache-2.0
//
// Whether an item may be tested by one thread and worked on by another, later than before.
#pragma once

#include "rewrite/compact/Guard.h"
#include "rewrite/compact/Needs.h"
#include "rewrite/items/ItemLegality.h"

namespace heddle::rewrite::compact {

struct Plan {
  Guard guard;
  std::size_t worker = 0; ///< the way that is the work
  const clang::VarDecl* number = nullptr;
  const clang::Expr* bound = nullptr; ///< of the loop
  Needs needs;
  std::set<const clang::Stmt*> taken; ///< out of the front
  Travels travels = Travels::ByCoordinates;

  /// All that is in one of the functions.
  std::vector<const clang::Stmt*> keptCode() const;
  ItemPlan items() const {
    return {guard, guard.moved(), keptCode(), number, bound, taken, travels};
  }
};

/// Refuses with what Refusals.h lists, but for the shape of the block, and as refuseCommunication
/// does.
Legal<void> checkPlan(const Source& source, const Plan& plan);

/// Whether the item's number is all by which the functions know their thread.
bool numberIsEnough(const Plan& plan);

} // namespace heddle::rewrite::compact
