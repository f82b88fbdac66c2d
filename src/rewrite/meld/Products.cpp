// SPDX-License-Identifier: Apache-2.0
#include "rewrite/meld/Products.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/STLExtras.h>

#include <array>

namespace heddle::rewrite::meld {
namespace {

using clang::BinaryOperator;
using clang::Expr;
using clang::Stmt;
using llvm::StringRef;

/// Functions of CUDA whose last step is no product that could be fused, by how they begin.
constexpr std::array<StringRef, 16> noProducts = {
    "fabs",  "fmin", "fmax", "sqrt", "floor", "ceil",     "rint", "trunc",
    "round", "min",  "max",  "abs",  "fma",   "copysign", "fmod", "rsqrt"};

bool mayBeFloating(const Expr& value) {
  return value.isTypeDependent() || value.getType()->isFloatingType();
}

/// The variable that a place is, is part of, or is reached through.
const clang::ValueDecl* rootOf(const Expr* place) {
  for (;;) {
    place = place->IgnoreParenCasts();
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place))
      place = element->getBase();
    else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place))
      place = member->getBase();
    else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(place);
             unary != nullptr && !unary->isArithmeticOp())
      place = unary->getSubExpr();
    else
      break;
  }
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(place);
  return name != nullptr ? name->getDecl() : nullptr;
}

class Walk {
public:
  Walk(const Stmt* except, std::set<const clang::FunctionDecl*>& within)
      : except_(except), within_(within) {}

  void walk(const Stmt* code) {
    if (code == nullptr || code == except_)
      return;
    if (const auto* declares = llvm::dyn_cast<clang::DeclStmt>(code))
      for (const clang::Decl* each : declares->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(each))
          set(variable, variable->getInit());
    if (const auto* operation = llvm::dyn_cast<BinaryOperator>(code))
      visit(*operation);
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(code))
      giveArguments(*call);
    if (const auto* end = llvm::dyn_cast<clang::ReturnStmt>(code))
      returnsProduct = returnsProduct || mayReturn(end->getRetValue());
    for (const Stmt* child : code->children())
      walk(child);
  }

  ProductsAndSums found;
  bool returnsProduct = false;

private:
  void set(const clang::ValueDecl* variable, const Expr* value) {
    if (variable != nullptr && value != nullptr && isProduct(*value))
      found.products.insert(variable);
  }

  void visit(const BinaryOperator& operation) {
    const clang::BinaryOperatorKind kind = operation.getOpcode();
    const bool adds = kind == clang::BO_Add || kind == clang::BO_Sub ||
                      kind == clang::BO_AddAssign || kind == clang::BO_SubAssign;
    if (adds && mayBeFloating(operation)) {
      add(*operation.getLHS());
      add(*operation.getRHS());
    }
    if (kind == clang::BO_Assign)
      set(rootOf(operation.getLHS()), operation.getRHS());
    if (kind == clang::BO_MulAssign && mayBeFloating(operation))
      found.products.insert(rootOf(operation.getLHS()));
  }

  void add(const Expr& operand) {
    const Expr* bare = operand.IgnoreParenCasts();
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(bare)) {
      add(*choice->getTrueExpr());
      add(*choice->getFalseExpr());
    } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(bare);
               unary != nullptr && unary->isArithmeticOp()) {
      add(*unary->getSubExpr());
    } else {
      found.sums.insert(rootOf(bare));
    }
  }

  void giveArguments(const clang::CallExpr& call) {
    const clang::FunctionDecl* body = nullptr;
    const clang::FunctionDecl* callee = call.getDirectCallee();
    if (callee == nullptr || !callee->hasBody(body) || !within_.insert(body).second)
      return;
    Walk inside(nullptr, within_);
    inside.walk(body->getBody());
    const unsigned shift =
        llvm::isa<clang::CXXOperatorCallExpr>(call) && llvm::isa<clang::CXXMethodDecl>(callee) ? 1
                                                                                               : 0;
    for (unsigned i = 0; i < body->getNumParams() && i + shift < call.getNumArgs(); ++i) {
      if (inside.found.sums.contains(body->getParamDecl(i)))
        add(*call.getArg(i + shift));
      if (inside.found.products.contains(body->getParamDecl(i)))
        found.products.insert(rootOf(call.getArg(i + shift)));
    }
    within_.erase(body);
  }

  bool isProduct(const Expr& value) {
    const Expr* bare = value.IgnoreParenCasts();
    if (const auto* operation = llvm::dyn_cast<BinaryOperator>(bare))
      return operation->getOpcode() == clang::BO_Mul && mayBeFloating(*operation);
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(bare))
      return isProduct(*choice->getTrueExpr()) || isProduct(*choice->getFalseExpr());
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(bare))
      return unary->isArithmeticOp() && isProduct(*unary->getSubExpr());
    const auto* call = llvm::dyn_cast<clang::CallExpr>(bare);
    return call != nullptr && (mayBeFloating(*call) || call->getType()->isRecordType()) &&
           isProductOf(*call);
  }

  bool isProductOf(const clang::CallExpr& call) {
    const clang::FunctionDecl* callee = call.getDirectCallee();
    if (callee == nullptr || !callee->getDeclName().isIdentifier())
      return true;
    StringRef name = callee->getName();
    name.consume_front("__nv_");
    if (name.starts_with("__f") || name.starts_with("__d") || // rounded as the name says
        llvm::any_of(noProducts, [&](StringRef each) { return name.starts_with(each); }))
      return false;
    const clang::FunctionDecl* body = nullptr;
    if (!callee->hasBody(body) || !within_.insert(body).second)
      return true;
    Walk inside(nullptr, within_);
    inside.walk(body->getBody());
    within_.erase(body);
    return inside.returnsProduct;
  }

  bool mayReturn(const Expr* value) {
    return value != nullptr && (isProduct(*value) || found.products.contains(rootOf(value)));
  }

  const Stmt* except_;
  std::set<const clang::FunctionDecl*>& within_; ///< that the walk is in
};

} // namespace

ProductsAndSums findProducts(const Stmt& code, const Stmt* except) {
  std::set<const clang::FunctionDecl*> within;
  Walk walk(except, within);
  walk.walk(&code);
  walk.found.products.erase(nullptr);
  walk.found.sums.erase(nullptr);
  return std::move(walk.found);
}

} // namespace heddle::rewrite::meld
