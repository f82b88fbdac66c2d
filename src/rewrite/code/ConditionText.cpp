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
