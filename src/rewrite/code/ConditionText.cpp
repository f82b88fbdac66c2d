// SPDX-License-Identifier: Apache-2.0
#include "rewrite/code/ConditionText.h"

#include <clang/AST/ExprCXX.h>
#include <fmt/format.h>

namespace heddle::rewrite {

std::string operandText(const Source& source, const clang::Expr& expression) {
  const std::string text = source.textOf(expression.getSourceRange());
  const clang::Expr* bare = expression.IgnoreImplicit();
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(bare);
  const bool loose = llvm::isa<clang::ConditionalOperator>(bare) ||
                     (binary != nullptr && (binary->isAssignmentOp() || binary->isCommaOp()));
  return loose ? "(" + text + ")" : text;
}

std::string conjunctText(const Source& source, const clang::Expr& expression) {
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression.IgnoreImplicit());
  const bool isOr = binary != nullptr && binary->getOpcode() == clang::BO_LOr;
  return isOr ? "(" + source.textOf(expression.getSourceRange()) + ")"
              : operandText(source, expression);
}

std::string holdsText(const Source& source, const clang::Expr& condition, bool holds) {
  const clang::Expr* bare = condition.IgnoreParenImpCasts();
  const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(bare);
  if (unary != nullptr && unary->getOpcode() == clang::UO_LNot && !unary->isTypeDependent())
    return holdsText(source, *unary->getSubExpr(), !holds);
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(bare);
  if (!holds && binary != nullptr && binary->isLogicalOp() && !binary->isTypeDependent()) {
    const bool isOr = binary->getOpcode() == clang::BO_LOr;
    const std::string left = holdsText(source, *binary->getLHS(), false);
    const std::string right = holdsText(source, *binary->getRHS(), false);
    return isOr ? left + " && " + right : "(" + left + " || " + right + ")";
  }
  return holds ? conjunctText(source, *condition.IgnoreParens()) : negation(source, condition);
}

std::string negation(const Source& source, const clang::Expr& condition) {
  const clang::Expr* bare = condition.IgnoreParenImpCasts();
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(bare);
  const bool simple =
      llvm::isa<clang::DeclRefExpr, clang::CallExpr, clang::MemberExpr, clang::ArraySubscriptExpr>(
          bare) &&
      !llvm::isa<clang::CXXOperatorCallExpr>(bare);
  if (binary != nullptr && binary->isComparisonOp()) {
    const auto opposite = clang::BinaryOperator::negateComparisonOp(binary->getOpcode());
    const bool exact =
        binary->isEqualityOp() || !binary->getLHS()->getType()->isFloatingType(); // NaN is neither
    if (exact && !binary->isTypeDependent())
      return fmt::format("{} {} {}", source.textOf(binary->getLHS()->getSourceRange()),
                         clang::BinaryOperator::getOpcodeStr(opposite).str(),
                         source.textOf(binary->getRHS()->getSourceRange()));
  }
  const std::string text = source.textOf(condition.getSourceRange());
  return simple ? "!" + text : "!(" + text + ")";
}

} // namespace heddle::rewrite
