// SPDX-License-Identifier: Apache-2.0
//
// Which variables code sets to a product of floating-point numbers, and which ones it adds to
// something. Memory counts as the pointer that leads there.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

#include <set>

namespace heddle::rewrite::meld {

struct ProductsAndSums {
  std::set<const clang::ValueDecl*> products; ///< or what a function may have computed as one
  std::set<const clang::ValueDecl*> sums;     ///< added, or given to a function that adds it
};

/// `except`: a statement in it that does not count.
ProductsAndSums findProducts(const clang::Stmt& code, const clang::Stmt* except = nullptr);

} // namespace heddle::rewrite::meld
