// SPDX-License-Identifier: Apache-2.0
//
// The number of an item, as a kernel computes it for its thread.
#pragma once

#include "rewrite/items/ItemCode.h"

#include <string>

namespace heddle::rewrite {

/// `int i = blockIdx.x * blockDim.x + threadIdx.x`, in any order, also through variables that are
/// never changed; blockDim.x may be a number.
struct ItemIndex {
  const clang::VarDecl* variable = nullptr;
  const clang::DeclStmt* statement = nullptr; ///< declares nothing else
};

/// Among the steps and the front; `threads`: of a block, in one row.
std::optional<ItemIndex> findItemNumber(const ItemCode& code, int threads);

/// What a loop counts, where it is one over items in strides of the grid:
///
///   for (int i = the item's number; i < n; i += blockDim.x * gridDim.x)
struct StridedLoop {
  const clang::VarDecl* variable = nullptr;
  const clang::Expr* bound = nullptr;
};
std::optional<StridedLoop> findStridedLoop(const clang::Stmt& kernel, const clang::ForStmt& loop,
                                           int threads);

} // namespace heddle::rewrite
