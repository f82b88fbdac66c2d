// SPDX-License-Identifier: Apache-2.0
//
// Whether an item may be done by another thread than its own, later than before, and by a block
// that does the items of others, too.
#pragma once

#include "rewrite/items/ItemCode.h"

#include <set>

namespace heddle::rewrite {

/// How the functions that do an item know which one.
enum class Travels { ByNumber, ByCoordinates, InLoop };

struct ItemPlan {
  const ItemCode& code;
  std::vector<const clang::Stmt*> moved; ///< all that leaves its place
  std::vector<const clang::Stmt*> kept;  ///< of that, what is in one of the functions
  const clang::VarDecl* number = nullptr;
  const clang::Expr* bound = nullptr; ///< of the loop over items
  std::set<const clang::Stmt*> taken; ///< out of the front
  Travels travels = Travels::ByCoordinates;
};

/// Refuses with: ends-loop, changes-outside, value-of-thread, value-of-block, divergent-entry,
/// thread-index-inside, unhoistable-declaration, and as refuseCommunication does.
Legal<void> checkItems(const Source& source, const ItemPlan& plan);

} // namespace heddle::rewrite
