// SPDX-License-Identifier: Apache-2.0
//
// At first every variable counts as the same. A walk over the code takes out those that get a
// different value, or a value where not all threads are; it is repeated until none is taken out.
// A name that is neither read nor assigned (its address, a reference to it) may be changed by
// anyone, so its variable is taken out, too.
#include "rewrite/code/BlockValues.h"

#include "rewrite/code/Branches.h"

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>

namespace heddle::rewrite {
namespace {

bool isAlikeBuiltin(const clang::VarDecl& variable, AlikeIn alikeIn) {
  const llvm::StringRef name = variable.getName();
  return (name == "blockIdx" && alikeIn == AlikeIn::Block) || name == "blockDim" ||
         name == "gridDim" || name == "warpSize";
}

/// The value of a variable is read, or cannot be changed through this name.
bool isRead(const clang::Stmt& code) {
  const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(&code);
  return cast != nullptr &&
         (cast->getCastKind() == clang::CK_LValueToRValue ||
          (cast->getCastKind() == clang::CK_NoOp && cast->getType().isConstQualified())) &&
         namedVariable(*cast->getSubExpr()) != nullptr;
}

const clang::Expr* conditionOf(const clang::Stmt& loop) {
  if (const auto* counted = llvm::dyn_cast<clang::ForStmt>(&loop))
    return counted->getCond();
  if (const auto* tested = llvm::dyn_cast<clang::WhileStmt>(&loop))
    return tested->getCond();
  if (const auto* last = llvm::dyn_cast<clang::DoStmt>(&loop))
    return last->getCond();
  return nullptr;
}

} // namespace

const clang::VarDecl* namedVariable(const clang::Expr& place) {
  const clang::Expr* bare = place.IgnoreParens();
  while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(bare)) {
    if (member->isArrow())
      return nullptr;
    bare = member->getBase()->IgnoreParens();
  }
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(bare);
  return name != nullptr ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
}

BlockValues::BlockValues(const clang::Stmt& body, const clang::Stmt* apart, Returned returned,
                         AlikeIn alikeIn)
    : returned_(returned), alikeIn_(alikeIn) {
  if (apart != nullptr)
    divergentLoops_.insert(apart);
  for (std::size_t before = 0, now = 1; before != now;) {
    before = varying_.size() + divergentLoops_.size();
    divergent_.clear();
    returns_.clear();
    walk(&body, false);
    now = varying_.size() + divergentLoops_.size();
  }
}

void BlockValues::vary(const clang::VarDecl* variable) {
  if (variable != nullptr && variable->hasLocalStorage())
    varying_.insert(variable);
}

void BlockValues::walkChildren(const clang::Stmt& code, bool divergent) {
  for (const clang::Stmt* child : code.children())
    walk(child, divergent);
}

void BlockValues::walkLoop(const clang::Stmt& loop, bool divergent) {
  if (const auto* counted = llvm::dyn_cast<clang::ForStmt>(&loop))
    walk(counted->getInit(), divergent);
  const clang::Expr* condition = conditionOf(loop);
  const bool inside = divergent || divergentLoops_.contains(&loop) ||
                      llvm::isa<clang::CXXForRangeStmt>(loop) ||
                      (condition != nullptr && !isUniform(*condition));
  loops_.push_back(&loop);
  const auto* counted = llvm::dyn_cast<clang::ForStmt>(&loop);
  for (const clang::Stmt* child : loop.children())
    if (counted == nullptr || child != counted->getInit())
      walk(child, inside);
  loops_.pop_back();
}

void BlockValues::walkChoice(const clang::Stmt& choice, const clang::Expr& condition,
                             bool divergent) {
  const bool inside = divergent || !isUniform(condition);
  for (const clang::Stmt* child : choice.children())
    walk(child, child == &condition ? divergent : inside);
}

/// `value` is nullptr for ++ and --.
void BlockValues::walkWrite(const clang::Expr& place, const clang::Expr* value, bool readsPlace,
                            bool divergent) {
  const clang::VarDecl* variable = namedVariable(place);
  if (variable == nullptr)
    walk(&place, divergent);
  else if (divergent || someReturned() || (value != nullptr && !isUniform(*value)) ||
           (readsPlace && !isUniform(*variable)))
    vary(variable);
  walk(value, divergent);
}

void BlockValues::walkExit(const clang::Stmt& exit, bool divergent) {
  if (!divergent)
    return;
  const auto* returned = llvm::dyn_cast<clang::ReturnStmt>(&exit);
  if (returned != nullptr) {
    returns_.push_back(returned);
    divergentLoops_.insert(loops_.begin(), loops_.end());
  } else if (!loops_.empty()) {
    divergentLoops_.insert(loops_.back());
  }
}

void BlockValues::walk(const clang::Stmt* code, bool divergent) {
  if (code == nullptr || isRead(*code) || llvm::isa<clang::PseudoObjectExpr>(code))
    return;
  if (divergent)
    divergent_.insert(code);
  if (const auto* declares = llvm::dyn_cast<clang::DeclStmt>(code)) {
    for (const clang::Decl* each : declares->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
          variable && variable->hasInit()) {
        if (divergent || someReturned() || !isUniform(*variable->getInit()))
          vary(variable);
        walk(variable->getInit(), divergent);
      }
    return;
  }
  if (isLoop(*code) || llvm::isa<clang::CXXForRangeStmt>(code))
    return walkLoop(*code, divergent);
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(code))
    return walkChoice(*branch, *branch->getCond(), divergent);
  if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(code))
    return walkChoice(*choice, *choice->getCond(), divergent);
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(code))
    return walkChoice(*choice, *choice->getCond(), divergent);
  if (const auto* both = llvm::dyn_cast<clang::BinaryOperator>(code)) {
    if (both->isAssignmentOp())
      return walkWrite(*both->getLHS(), both->getRHS(), both->isCompoundAssignmentOp(), divergent);
    if (both->isLogicalOp())
      return walkChoice(*both, *both->getLHS(), divergent);
  }
  if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(code);
      step != nullptr && step->isIncrementDecrementOp())
    return walkWrite(*step->getSubExpr(), nullptr, true, divergent);
  if (llvm::isa<clang::BreakStmt, clang::ContinueStmt, clang::ReturnStmt>(code))
    walkExit(*code, divergent);
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(code);
      name != nullptr && !name->getType().isConstQualified())
    vary(llvm::dyn_cast<clang::VarDecl>(name->getDecl()));
  walkChildren(*code, divergent);
}

bool BlockValues::isUniform(const clang::VarDecl& variable) const {
  if (variable.hasLocalStorage())
    return !varying_.contains(&variable) && !variable.getType()->isReferenceType();
  return isAlikeBuiltin(variable, alikeIn_) || variable.hasAttr<clang::CUDAConstantAttr>() ||
         (variable.getType().isConstQualified() && !variable.hasAttr<clang::CUDASharedAttr>() &&
          variable.getName() != "threadIdx" && variable.getName() != "blockIdx");
}

bool BlockValues::isUniform(const clang::Expr& value) const {
  const clang::Expr* bare = value.IgnoreParenCasts()->IgnoreImplicit();
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(bare)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    return variable != nullptr ? isUniform(*variable)
                               : llvm::isa<clang::EnumConstantDecl, clang::NonTypeTemplateParmDecl>(
                                     name->getDecl());
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(bare))
    return !member->isArrow() && llvm::isa<clang::FieldDecl>(member->getMemberDecl()) &&
           isUniform(*member->getBase());
  if (const auto* built = llvm::dyn_cast<clang::PseudoObjectExpr>(bare))
    return isUniform(*built->getSyntacticForm());
  if (const auto* property = llvm::dyn_cast<clang::MSPropertyRefExpr>(bare))
    return isUniform(*property->getBaseExpr());
  if (const auto* opaque = llvm::dyn_cast<clang::OpaqueValueExpr>(bare))
    return opaque->getSourceExpr() != nullptr && isUniform(*opaque->getSourceExpr());
  return isUniformOperation(*bare);
}

/// Literals, and operators that touch no memory.
bool BlockValues::isUniformOperation(const clang::Expr& value) const {
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&value);
      unary != nullptr &&
      (unary->getOpcode() == clang::UO_Deref || unary->isIncrementDecrementOp() ||
       unary->getOpcode() == clang::UO_AddrOf))
    return false;
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&value);
      binary != nullptr &&
      (binary->isAssignmentOp() || binary->isCommaOp() || binary->isPtrMemOp()))
    return false;
  if (llvm::isa<clang::UnaryExprOrTypeTraitExpr>(value))
    return true;
  using namespace clang;
  return llvm::isa<IntegerLiteral, FloatingLiteral, CharacterLiteral, CXXBoolLiteralExpr,
                   CXXNullPtrLiteralExpr, ImplicitValueInitExpr, CXXScalarValueInitExpr,
                   UnaryOperator, BinaryOperator, ConditionalOperator, InitListExpr,
                   SubstNonTypeTemplateParmExpr>(value) &&
         std::ranges::all_of(value.children(), [&](const Stmt* child) {
           return child == nullptr || isUniform(*llvm::cast<Expr>(child));
         });
}

} // namespace heddle::rewrite
