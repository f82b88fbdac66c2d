// SPDX-License-Identifier: Apache-2.0
//
// Expressions by which a kernel asks for its thread and its block.
#pragma once

#include <clang/AST/Expr.h>

#include <string>

namespace heddle::rewrite {

/// "blockIdx.x", or nothing.
std::string builtinOf(const clang::Expr* expression);

/// The expression as this operator; nothing where it is another.
const clang::BinaryOperator* operatorOf(const clang::Expr* expression,
                                        clang::BinaryOperatorKind kind);

} // namespace heddle::rewrite
