// SPDX-License-Identifier: Apache-2.0
//
// Which variables code may change. Whatever is named other than to be read counts: assigned,
// counted up, passed by reference, its address taken.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <set>

namespace heddle::rewrite {

std::set<const clang::VarDecl*> modifiedIn(const clang::Stmt& code);
/// The names by which they may be changed.
std::set<const clang::DeclRefExpr*> namesNotRead(const clang::Stmt& code);

} // namespace heddle::rewrite
