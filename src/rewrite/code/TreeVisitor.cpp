// SPDX-License-Identifier: Apache-2.0
#include "rewrite/code/TreeVisitor.h"

#include <clang/AST/RecursiveASTVisitor.h>

namespace heddle::rewrite {
namespace {

class TreeWalk : public clang::RecursiveASTVisitor<TreeWalk> {
  using Base = clang::RecursiveASTVisitor<TreeWalk>;

public:
  explicit TreeWalk(TreeVisitor& to) : to_(to) {}

  bool shouldVisitImplicitCode() const { return to_.shouldVisitImplicitCode(); }
  bool shouldVisitTemplateInstantiations() const { return to_.shouldVisitTemplateInstantiations(); }
  bool TraverseStmt(clang::Stmt* code) {
    return code == nullptr || to_.aroundStatement(code, [&] { return Base::TraverseStmt(code); });
  }
  bool TraverseFunctionDecl(clang::FunctionDecl* function) {
    return to_.aroundFunction(function, [&] { return Base::TraverseFunctionDecl(function); });
  }
  bool TraverseCXXMethodDecl(clang::CXXMethodDecl* function) {
    return to_.aroundFunction(function, [&] { return Base::TraverseCXXMethodDecl(function); });
  }
#define HEDDLE_NODE(Name)                                                                          \
  bool Visit##Name(clang::Name* node) { return to_.Visit##Name(node); }
#include "rewrite/code/TreeVisitor.def"

private:
  TreeVisitor& to_;
};

} // namespace

bool TreeVisitor::TraverseStmt(clang::Stmt* code) {
  return TreeWalk(*this).TraverseStmt(code);
}

bool TreeVisitor::TraverseDecl(clang::Decl* declaration) {
  return TreeWalk(*this).TraverseDecl(declaration);
}

} // namespace heddle::rewrite
