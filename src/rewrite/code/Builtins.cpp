// SPDX-License-Identifier: Apache-2.0
#include "rewrite/code/Builtins.h"

#include <clang/AST/ExprCXX.h>

namespace heddle::rewrite {

std::string builtinOf(const clang::Expr* expression) {
  const auto* pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(expression->IgnoreParenCasts());
  const auto* property =
      pseudo ? llvm::dyn_cast<clang::MSPropertyRefExpr>(pseudo->getSyntacticForm()) : nullptr;
  if (property == nullptr)
    return "";
  const clang::Expr* object = property->getBaseExpr();
  if (const auto* opaque = llvm::dyn_cast<clang::OpaqueValueExpr>(object))
    object = opaque->getSourceExpr();
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(object->IgnoreParenCasts());
  return name == nullptr ? ""
                         : name->getDecl()->getNameAsString() + "." +
                               property->getPropertyDecl()->getNameAsString();
}

const clang::BinaryOperator* operatorOf(const clang::Expr* expression,
                                        clang::BinaryOperatorKind kind) {
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression->IgnoreParenCasts());
  return binary != nullptr && binary->getOpcode() == kind ? binary : nullptr;
}

} // namespace heddle::rewrite
