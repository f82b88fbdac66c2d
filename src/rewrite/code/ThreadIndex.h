// SPDX-License-Identifier: Apache-2.0
//
// Where code reads threadIdx, blockIdx or gridDim, itself or in a function that it calls.
#pragma once

#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <vector>

namespace heddle::rewrite {

struct ThreadIndexUses {
  std::vector<const clang::Expr*> names;     ///< that stand in the code itself
  std::vector<const clang::CallExpr*> calls; ///< of functions that read it somewhere
};

ThreadIndexUses findThreadIndex(const clang::Stmt& code);

/// The same for threadIdx and blockIdx.
ThreadIndexUses findItemIndex(const clang::Stmt& code);

/// Whether it asks for gridDim.
bool asksForGrid(const clang::Stmt& code);

} // namespace heddle::rewrite
