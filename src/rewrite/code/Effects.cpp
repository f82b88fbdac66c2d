// SPDX-License-Identifier: Apache-2.0
#include "rewrite/code/Effects.h"

#include "rewrite/code/TreeVisitor.h"

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <utility>

namespace heddle::rewrite {
namespace {

using clang::Expr;

bool isGlobal(const clang::VarDecl& variable) {
  return variable.hasGlobalStorage() && !variable.hasAttr<clang::CUDASharedAttr>();
}

/// A function without a body that gets nothing but numbers has nothing to change.
bool takesNumbersOnly(const clang::FunctionDecl& function) {
  if (function.getName().starts_with("__nvvm_read_ptx_sreg"))
    return true;
  return function.param_size() > 0 &&
         std::ranges::all_of(function.parameters(), [](const clang::ParmVarDecl* each) {
           return each->getType()->isArithmeticType();
         });
}

class EffectFinder final : public TreeVisitor {
public:
  bool shouldVisitImplicitCode() const override { return true; }

  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable == nullptr)
      return true;
    found.reads.insert(variable);
    found.loads = found.loads || isGlobal(*variable) || variable->getType()->isReferenceType();
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    found.declares.insert(variable);
    if (isWritableReference(variable->getType()) && variable->hasInit())
      expose(variable->getInit());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    if (operation->isAssignmentOp())
      write(operation->getLHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) override {
    if (operation->isIncrementDecrementOp())
      write(operation->getSubExpr());
    if (operation->getOpcode() == clang::UO_AddrOf)
      expose(operation->getSubExpr());
    found.loads = found.loads || operation->getOpcode() == clang::UO_Deref;
    return true;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
    const Expr* base = element->getBase()->IgnoreParens();
    subscripted_.insert(base);
    found.loads = found.loads || !base->IgnoreImpCasts()->getType()->isArrayType();
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    found.loads = found.loads || member->isArrow();
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (cast->getCastKind() == clang::CK_ArrayToPointerDecay && !subscripted_.contains(cast))
      expose(cast->getSubExpr());
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr* lambda) override {
    for (const clang::LambdaCapture& capture : lambda->captures())
      if (capture.capturesVariable() && capture.getCaptureKind() == clang::LCK_ByRef)
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar()))
          expose(*variable);
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee == nullptr) {
      if (!call->isTypeDependent() && !call->isValueDependent())
        return touchAll();
      for (const Expr* argument : call->arguments())
        if (argument->isGLValue()) // it may be bound to a reference
          write(argument);
      return true;
    }
    if (const auto* onObject = llvm::dyn_cast<clang::CXXMemberCallExpr>(call))
      changeObject(*onObject);
    const bool hasObject =
        llvm::isa<clang::CXXOperatorCallExpr>(call) && llvm::isa<clang::CXXMethodDecl>(callee);
    if (hasObject && !llvm::cast<clang::CXXMethodDecl>(callee)->isConst())
      write(call->getArg(0));
    for (unsigned i = hasObject ? 1 : 0; i < call->getNumArgs(); ++i)
      bind(*callee, i - (hasObject ? 1 : 0), *call->getArg(i));
    return follow(*callee);
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    for (unsigned i = 0; i < made->getNumArgs(); ++i)
      bind(*made->getConstructor(), i, *made->getArg(i));
    return made->getConstructor()->isTrivial() || follow(*made->getConstructor());
  }
  bool VisitCXXNewExpr(clang::CXXNewExpr*) override { return touchAll(); }
  bool VisitGCCAsmStmt(clang::GCCAsmStmt*) override { return touchAll(); }

  Effects found;

private:
  static bool isWritableReference(clang::QualType type) {
    return type->isReferenceType() && !type->getPointeeType().isConstQualified();
  }

  bool touchAll() {
    found.loads = found.stores = true;
    return true;
  }

  void bind(const clang::FunctionDecl& callee, unsigned i, const Expr& argument) {
    if (i < callee.getNumParams() && isWritableReference(callee.getParamDecl(i)->getType()))
      write(&argument);
  }

  void changeObject(const clang::CXXMemberCallExpr& call) {
    const clang::CXXMethodDecl* method = call.getMethodDecl();
    const Expr* object = call.getImplicitObjectArgument();
    if (method == nullptr || method->isConst() || method->isStatic() || object == nullptr)
      return;
    if (object->getType()->isPointerType())
      found.stores = true;
    else
      write(object);
  }

  /// Whoever gets the address may assign.
  void expose(const clang::VarDecl& variable) {
    found.changes.insert(&variable);
    found.exposed.insert(&variable);
  }
  void expose(const Expr* place) {
    const std::set<const clang::VarDecl*> before = std::exchange(found.changes, {});
    write(place);
    found.exposed.insert(found.changes.begin(), found.changes.end());
    found.changes.insert(before.begin(), before.end());
  }

  void write(const Expr* place) {
    for (;;) {
      place = place->IgnoreParenCasts();
      const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place);
      const auto* member = llvm::dyn_cast<clang::MemberExpr>(place);
      if (element != nullptr && element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
        place = element->getBase();
      else if (member != nullptr && !member->isArrow())
        place = member->getBase();
      else
        break;
    }
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(place)) {
      write(choice->getTrueExpr());
      write(choice->getFalseExpr());
      return;
    }
    if (isOfCaller(*place))
      return;
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(place);
    const auto* variable =
        name != nullptr ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
    if (variable == nullptr) {
      found.stores = found.stores || !place->isPRValue(); // a temporary is nobody else's
      return;
    }
    found.changes.insert(variable);
    found.stores = found.stores || isGlobal(*variable) || variable->getType()->isReferenceType();
  }

  /// Of a callee only what it does to memory counts; its own variables end with it.
  bool follow(const clang::FunctionDecl& callee) {
    const clang::FunctionDecl* body = nullptr;
    if (!callee.hasBody(body))
      return takesNumbersOnly(callee) || touchAll();
    if (!seen_.insert(body).second)
      return true;
    EffectFinder inside;
    inside.inCallee_ = true;
    inside.seen_ = seen_;
    inside.TraverseStmt(body->getBody());
    found.loads = found.loads || inside.found.loads;
    found.stores = found.stores || inside.found.stores;
    return true;
  }

  /// What a callee's reference or `this` stands for is the caller's, who has counted it.
  bool isOfCaller(const Expr& place) const {
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&place))
      return inCallee_ && llvm::isa<clang::CXXThisExpr>(member->getBase()->IgnoreParenImpCasts());
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&place);
    return inCallee_ && name != nullptr && llvm::isa<clang::ParmVarDecl>(name->getDecl()) &&
           name->getDecl()->getType()->isReferenceType();
  }

  bool inCallee_ = false;
  std::set<const Expr*> subscripted_;
  std::set<const clang::FunctionDecl*> seen_;
};

} // namespace

Effects effectsOf(const clang::Stmt& code) {
  EffectFinder finder;
  finder.TraverseStmt(const_cast<clang::Stmt*>(&code));
  return finder.found;
}

} // namespace heddle::rewrite
