// SPDX-License-Identifier: Apache-2.0
#include "rewrite/items/ItemIndex.h"

#include "rewrite/code/Builtins.h"
#include "rewrite/code/Effects.h"

#include <clang/AST/ASTContext.h>

#include <algorithm>

namespace heddle::rewrite {
namespace {

using clang::Expr;
using clang::VarDecl;

class Recognizer {
public:
  Recognizer(const clang::Stmt& kernel, const clang::ASTContext& ast, int threads)
      : ast_(ast), changed_(effectsOf(kernel).changes), threads_(threads) {}

  /// The value of a variable that begins as the item's number.
  bool isNumber(const VarDecl& variable) const {
    const clang::QualType type = variable.getType();
    return variable.hasInit() && type->isIntegerType() && !type->isBooleanType() &&
           ast_.getTypeSize(type) >= 32 && isSum(*variable.getInit(), ast_.getTypeSize(type) > 32);
  }
  bool isNumber(const Expr& value) const { return isSum(value, false); }
  bool isStride(const Expr& value) const { return isProduct(value, "gridDim.x", false); }

private:
  /// What a variable that is never changed was set to.
  const Expr& resolved(const Expr& value) const {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value.IgnoreParenCasts());
    const auto* variable = name ? llvm::dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    const bool isKnown = variable != nullptr && variable->hasLocalStorage() &&
                         variable->hasInit() && !changed_.contains(variable) &&
                         variable->getType()->isIntegerType() &&
                         ast_.getTypeSize(variable->getType()) >= 32;
    return isKnown ? resolved(*variable->getInit()) : value;
  }
  bool is(const Expr& value, const char* builtin) const {
    return builtinOf(&resolved(value)) == builtin;
  }
  bool isBlockSize(const Expr& value) const {
    clang::Expr::EvalResult number;
    return is(value, "blockDim.x") ||
           (!value.isValueDependent() && value.EvaluateAsInt(number, ast_) &&
            number.Val.getInt() == threads_);
  }
  /// `wide`: it must not wrap at 32 bits, which the variable that takes it would not.
  bool isProduct(const Expr& value, const char* of, bool wide) const {
    const Expr& known = resolved(value);
    const clang::BinaryOperator* product = operatorOf(&known, clang::BO_Mul);
    return product != nullptr && (!wide || ast_.getTypeSize(product->getType()) > 32) &&
           ((is(*product->getLHS(), of) && isBlockSize(*product->getRHS())) ||
            (is(*product->getRHS(), of) && isBlockSize(*product->getLHS())));
  }
  bool isSum(const Expr& value, bool wide) const {
    const Expr& known = resolved(value);
    const clang::BinaryOperator* sum = operatorOf(&known, clang::BO_Add);
    return sum != nullptr &&
           ((isProduct(*sum->getLHS(), "blockIdx.x", wide) && is(*sum->getRHS(), "threadIdx.x")) ||
            (isProduct(*sum->getRHS(), "blockIdx.x", wide) && is(*sum->getLHS(), "threadIdx.x")));
  }

  const clang::ASTContext& ast_;
  std::set<const VarDecl*> changed_;
  int threads_;
};

const VarDecl* onlyVariable(const clang::Stmt* statement) {
  const auto* declares = llvm::dyn_cast_or_null<clang::DeclStmt>(statement);
  return declares != nullptr && declares->isSingleDecl()
             ? llvm::dyn_cast<VarDecl>(declares->getSingleDecl())
             : nullptr;
}

bool names(const Expr& value, const VarDecl& variable) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value.IgnoreParenImpCasts());
  return name != nullptr && name->getDecl() == &variable;
}

/// What is added to the variable in each turn, or nullptr.
const Expr* stepOf(const Expr* value, const VarDecl& variable) {
  const auto* set = llvm::dyn_cast_or_null<clang::BinaryOperator>(value);
  if (set == nullptr || !set->isAssignmentOp() || !names(*set->getLHS(), variable))
    return nullptr;
  if (set->getOpcode() == clang::BO_AddAssign)
    return set->getRHS();
  const clang::BinaryOperator* sum =
      set->getOpcode() == clang::BO_Assign ? operatorOf(set->getRHS(), clang::BO_Add) : nullptr;
  if (sum == nullptr)
    return nullptr;
  if (names(*sum->getLHS(), variable))
    return sum->getRHS();
  return names(*sum->getRHS(), variable) ? sum->getLHS() : nullptr;
}

/// The bound of `i < n` and `n > i`, or nullptr.
const Expr* boundOf(const Expr* condition, const VarDecl& variable) {
  const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(condition);
  if (test == nullptr)
    return nullptr;
  if (test->getOpcode() == clang::BO_LT && names(*test->getLHS(), variable))
    return test->getRHS();
  return test->getOpcode() == clang::BO_GT && names(*test->getRHS(), variable) ? test->getLHS()
                                                                               : nullptr;
}

} // namespace

std::optional<ItemIndex> findItemNumber(const ItemCode& code, int threads) {
  std::vector<const clang::Stmt*> before = code.front;
  for (const Step& step : code.steps)
    if (step.statement != nullptr)
      before.push_back(step.statement);
  for (const clang::Stmt* statement : before) {
    const VarDecl* variable = onlyVariable(statement);
    if (variable == nullptr)
      continue;
    const Recognizer recognizer(*code.kernel, variable->getASTContext(), threads);
    if (recognizer.isNumber(*variable))
      return ItemIndex{variable, llvm::cast<clang::DeclStmt>(statement)};
  }
  return std::nullopt;
}

std::optional<StridedLoop> findStridedLoop(const clang::Stmt& kernel, const clang::ForStmt& loop,
                                           int threads) {
  const VarDecl* variable = onlyVariable(loop.getInit());
  const Expr* bound = variable != nullptr ? boundOf(loop.getCond(), *variable) : nullptr;
  const Expr* step = variable != nullptr ? stepOf(loop.getInc(), *variable) : nullptr;
  if (bound == nullptr || step == nullptr || !variable->hasInit() ||
      !variable->getType()->isIntegerType() || !bound->getType()->isIntegerType())
    return std::nullopt;
  const Recognizer recognizer(kernel, variable->getASTContext(), threads);
  const bool isStrided = recognizer.isNumber(*variable->getInit()) && recognizer.isStride(*step) &&
                         !effectsOf(*loop.getBody()).changes.contains(variable);
  return isStrided ? std::optional(StridedLoop{variable, bound}) : std::nullopt;
}

} // namespace heddle::rewrite
