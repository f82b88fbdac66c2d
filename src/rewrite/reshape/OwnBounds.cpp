// SPDX-License-Identifier: Apache-2.0
//
// A walk over the statements of the kernel's body, up to the one behind which no thread is beyond a
// bound. Nothing in front of it may read or write memory: there would be more threads to do it.
#include "rewrite/reshape/OwnBounds.h"

#include "rewrite/code/Effects.h"
#include "rewrite/code/IndexSum.h"
#include "rewrite/code/Modified.h"
#include "rewrite/code/TreeVisitor.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace heddle::rewrite::reshape {
namespace {

using clang::Expr;
using clang::Stmt;
using clang::VarDecl;

constexpr unsigned leastBits = 32; ///< of a number that a place fits into

/// Whether a cast in an expression drops bits.
class Narrowing final : public TreeVisitor {
public:
  explicit Narrowing(const clang::ASTContext& ast) : ast_(ast) {}
  bool aroundStatement(Stmt* statement, Walk inside) override {
    const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(statement);
    return (cast == nullptr ||
            (cast->getType()->isIntegerType() && ast_.getTypeSize(cast->getType()) >= leastBits)) &&
           inside();
  }

private:
  const clang::ASTContext& ast_;
};

bool isReturn(const Stmt* statement) {
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(statement))
    return block->size() == 1 && isReturn(block->body_front());
  return llvm::isa<clang::ReturnStmt>(statement);
}

bool touchesMemory(const Stmt& code) {
  const Effects effects = effectsOf(code);
  return effects.loads || !effects.pure();
}

/// The operands that `joint` joins, in the order in which they are evaluated.
void addOperands(const Expr& condition, clang::BinaryOperatorKind joint,
                 std::vector<const Expr*>& operands) {
  const auto* both = llvm::dyn_cast<clang::BinaryOperator>(condition.IgnoreParenImpCasts());
  if (both == nullptr || both->getOpcode() != joint) {
    operands.push_back(&condition);
    return;
  }
  addOperands(*both->getLHS(), joint, operands);
  addOperands(*both->getRHS(), joint, operands);
}

class BoundFinder {
public:
  BoundFinder(const clang::FunctionDecl& kernel, std::size_t axes)
      : ast_(kernel.getASTContext()), modified_(modifiedIn(*kernel.getBody())), axes_(axes) {}

  bool find(const Stmt& body) {
    const Stmt* last = nullptr;
    for (const Stmt* each : body.children())
      last = each;
    for (const Stmt* each : body.children()) {
      if (each == nullptr || !readOne(*each, each == last))
        return false;
      if (isBound())
        return true;
    }
    return false;
  }

  OwnBounds found;

private:
  bool isBound() const {
    for (std::size_t axis = 0; axis < axes_; ++axis)
      if (!found.of[axis])
        return false;
    return true;
  }

  /// False: no bound helps behind it.
  bool readOne(const Stmt& statement, bool isLast) {
    if (const auto* declares = llvm::dyn_cast<clang::DeclStmt>(&statement))
      return readDeclarations(*declares);
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(&statement);
    if (branch == nullptr || branch->getElse() != nullptr || branch->getInit() != nullptr ||
        branch->getConditionVariable() != nullptr)
      return false;
    const bool leaves = isReturn(branch->getThen());
    return (leaves || isLast) && readCondition(*branch->getCond(), leaves) && (leaves || isBound());
  }

  bool readDeclarations(const clang::DeclStmt& declares) {
    return std::ranges::all_of(declares.decls(), [&](const clang::Decl* each) {
      const auto* variable = llvm::dyn_cast<VarDecl>(each);
      return variable == nullptr || notePlace(*variable) || !variable->hasInit() ||
             !touchesMemory(*variable->getInit());
    });
  }

  bool notePlace(const VarDecl& variable) {
    const clang::QualType type = variable.getType();
    if (!variable.hasInit() || !type->isIntegerType() || ast_.getTypeSize(type) < leastBits ||
        modified_.contains(&variable) ||
        !Narrowing(ast_).TraverseStmt(const_cast<Expr*>(variable.getInit())))
      return false;
    const auto sum = indexSumOf(variable.getInit());
    if (!sum || !sum->rest.empty())
      return false;
    axisOf_[&variable] = std::size_t(sum->axis);
    found.places.push_back(variable.getInit());
    return true;
  }

  /// What stands in front of the last bound is evaluated by threads beyond it.
  bool readCondition(const Expr& condition, bool leaves) {
    std::vector<const Expr*> operands;
    addOperands(condition, leaves ? clang::BO_LOr : clang::BO_LAnd, operands);
    for (const Expr* each : operands) {
      if (!readOperand(*each, leaves) && touchesMemory(*each))
        return false;
      if (isBound())
        return true;
    }
    return true;
  }

  /// Whether it is a bound.
  bool readOperand(const Expr& operand, bool leaves) {
    const auto* test = llvm::dyn_cast<clang::BinaryOperator>(operand.IgnoreParenImpCasts());
    if (test == nullptr || !test->isRelationalOp())
      return false;
    clang::BinaryOperatorKind kind = test->getOpcode();
    const Expr *place = test->getLHS(), *limit = test->getRHS();
    if (axisOf(*place) == nullptr) {
      std::swap(place, limit);
      kind = clang::BinaryOperator::reverseComparisonOp(kind);
    }
    if (leaves)
      kind = clang::BinaryOperator::negateComparisonOp(kind);
    const std::size_t* axis = axisOf(*place);
    if (axis == nullptr || (kind != clang::BO_LT && kind != clang::BO_LE))
      return false;
    const auto bound = boundOf(*limit, kind == clang::BO_LE);
    if (bound)
      found.of[*axis] = bound;
    return bound.has_value();
  }

  const std::size_t* axisOf(const Expr& value) const {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value.IgnoreParenImpCasts());
    const auto known =
        name != nullptr ? axisOf_.find(llvm::dyn_cast<VarDecl>(name->getDecl())) : axisOf_.end();
    return known != axisOf_.end() ? &known->second : nullptr;
  }

  /// n, n - 1 and numbers. `included`: the limit itself is in front of the bound.
  std::optional<Bound> boundOf(const Expr& limit, bool included) const {
    if (const auto number = numberOf(limit))
      return Bound{nullptr, *number + included};
    const Expr* bare = limit.IgnoreParenImpCasts();
    std::int64_t less = 0;
    if (const auto* rest = llvm::dyn_cast<clang::BinaryOperator>(bare);
        rest != nullptr && rest->getOpcode() == clang::BO_Sub) {
      const auto number = numberOf(*rest->getRHS());
      // Where it is unsigned, 3 - 5 is a large number.
      if (!number || *number < 0 || !limit.getType()->isSignedIntegerType() ||
          !rest->getType()->isSignedIntegerType())
        return std::nullopt;
      less = *number;
      bare = rest->getLHS()->IgnoreParenImpCasts();
    }
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(bare);
    const auto* parameter =
        name != nullptr ? llvm::dyn_cast<clang::ParmVarDecl>(name->getDecl()) : nullptr;
    if (parameter == nullptr || !parameter->getType()->isIntegerType() ||
        modified_.contains(parameter) || less < included)
      return std::nullopt;
    return Bound{parameter};
  }

  std::optional<std::int64_t> numberOf(const Expr& value) const {
    Expr::EvalResult result;
    if (value.isValueDependent() || !value.EvaluateAsInt(result, ast_))
      return std::nullopt;
    return result.Val.getInt().tryExtValue();
  }

  const clang::ASTContext& ast_;
  std::set<const VarDecl*> modified_;
  std::size_t axes_;
  std::map<const VarDecl*, std::size_t> axisOf_;
};

} // namespace

std::optional<OwnBounds> findOwnBounds(const clang::FunctionDecl& kernel, std::size_t axes) {
  BoundFinder finder(kernel, axes);
  return finder.find(*kernel.getBody()) ? std::optional(std::move(finder.found)) : std::nullopt;
}

} // namespace heddle::rewrite::reshape
