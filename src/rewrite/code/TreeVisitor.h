// SPDX-License-Identifier: Apache-2.0
//
// clang's RecursiveASTVisitor with virtual functions: that template costs seconds of compile time
// for each class made from it, and this one is made once.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <llvm/ADT/STLFunctionalExtras.h>

namespace heddle::rewrite {

/// Override what is of interest; false ends the walk, as in clang's own.
class TreeVisitor {
public:
  virtual ~TreeVisitor() = default;

  // NOLINTBEGIN(readability-identifier-naming): the names are clang's
  bool TraverseStmt(clang::Stmt* code);
  bool TraverseDecl(clang::Decl* declaration);
  // NOLINTEND(readability-identifier-naming)

  /// Around the walk through a statement or a function; they end the walk with false, too.
  using Walk = llvm::function_ref<bool()>;
  virtual bool aroundStatement(clang::Stmt*, Walk inside) { return inside(); }
  virtual bool aroundFunction(clang::FunctionDecl*, Walk inside) { return inside(); }

  virtual bool shouldVisitImplicitCode() const { return false; }
  virtual bool shouldVisitTemplateInstantiations() const { return false; }
#define HEDDLE_NODE(Name)                                                                          \
  virtual bool Visit##Name(clang::Name*) { return true; }
#include "rewrite/code/TreeVisitor.def"
};

} // namespace heddle::rewrite
