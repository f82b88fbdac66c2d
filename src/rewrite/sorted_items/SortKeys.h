// SPDX-License-Identifier: Apache-2.0
//
// What of an item decides how its thread goes through a branch: how often it turns in a loop, which
// way it takes.
#pragma once

#include "rewrite/code/Branches.h"
#include "rewrite/sorted_items/ItemNumbers.h"

#include <optional>
#include <string>

namespace heddle::rewrite::sorted_items {

struct SortKey {
  const clang::Stmt* decided = nullptr; ///< the loop, or the choice
  std::string text;                     ///< "used[p]"; of a loop empty where it is not known before
  bool isKnown = false;                 ///< by what is in memory before the kernel
};

/// Nothing where the item does not decide it, or not for all turns of a loop around it: the number
/// of the thread alone does, or it is decided anew each time.
std::optional<SortKey> findSortKey(const Source& source, const Placed& branch,
                                   const ItemNumbers& items);

/// The same for a loop of a function that the kernel calls at one place, for each item once.
std::optional<SortKey> findSortKeyOfCall(const BranchStatement& branch, const clang::Stmt& kernel,
                                         const ItemNumbers& items);

} // namespace heddle::rewrite::sorted_items
