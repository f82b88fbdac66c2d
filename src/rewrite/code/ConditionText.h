// SPDX-License-Identifier: Apache-2.0
//
// Conditions as text for another place than the one they were written for.
#pragma once

#include "rewrite/code/Source.h"

#include <clang/AST/Expr.h>

namespace heddle::rewrite {

/// An expression as an operand of `?:`.
std::string operandText(const Source& source, const clang::Expr& expression);

/// An expression as an operand of `&&`.
std::string conjunctText(const Source& source, const clang::Expr& expression);

/// What is true where a condition is, or where it is not, as an operand of `&&`: "i < n && !done"
/// for `i >= n || done` that does not hold.
std::string holdsText(const Source& source, const clang::Expr& condition, bool holds);

/// "i >= n" for `i < n`, where no operand can be NaN; else "!(...)".
std::string negation(const Source& source, const clang::Expr& condition);

} // namespace heddle::rewrite
