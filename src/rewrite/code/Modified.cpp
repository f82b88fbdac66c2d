// SPDX-License-Identifier: Apache-2.0
#include "rewrite/code/Modified.h"

#include "rewrite/code/TreeVisitor.h"

#include <clang/AST/ExprCXX.h>

namespace heddle::rewrite {
namespace {

/// The name of the variable that an object is, or is part of; nullptr: it is none, or behind a
/// pointer.
const clang::DeclRefExpr* nameOfObject(const clang::Expr* object) {
  for (;;) {
    object = object->IgnoreParens();
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(object))
      return name;
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(object);
        member && !member->isArrow())
      object = member->getBase();
    else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(object))
      object = element->getBase();
    else if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(object);
             cast && (cast->getCastKind() == clang::CK_ArrayToPointerDecay ||
                      cast->getCastKind() == clang::CK_NoOp))
      object = cast->getSubExpr();
    else
      return nullptr;
  }
}

class Modifications final : public TreeVisitor {
public:
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (cast->getCastKind() == clang::CK_LValueToRValue)
      read_.insert(nameOfObject(cast->getSubExpr()));
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    if (made->getConstructor()->isCopyOrMoveConstructor() && made->getNumArgs() > 0)
      read_.insert(nameOfObject(made->getArg(0)));
    return true;
  }
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* call) override {
    if (call->getMethodDecl() != nullptr && call->getMethodDecl()->isConst())
      read_.insert(nameOfObject(call->getImplicitObjectArgument()));
    return true;
  }
  // What is around a name is visited first: its reader is known by now.
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable != nullptr && !variable->getType().isConstQualified() && !read_.contains(name))
      found.insert(name);
    return true;
  }

  std::set<const clang::DeclRefExpr*> found;

private:
  std::set<const clang::DeclRefExpr*> read_;
};

} // namespace

std::set<const clang::DeclRefExpr*> namesNotRead(const clang::Stmt& code) {
  Modifications modifications;
  modifications.TraverseStmt(const_cast<clang::Stmt*>(&code));
  return std::move(modifications.found);
}

std::set<const clang::VarDecl*> modifiedIn(const clang::Stmt& code) {
  std::set<const clang::VarDecl*> variables;
  for (const clang::DeclRefExpr* name : namesNotRead(code))
    variables.insert(llvm::cast<clang::VarDecl>(name->getDecl()));
  return variables;
}

} // namespace heddle::rewrite
