// SPDX-License-Identifier: Apache-2.0
//
// Conditions as text for another place than the one they were written for.
#pragma once

#include "rewrite/code/Source.h"

#include <clang/AST/Expr.h>

namespace heddle::rewrite {

/// An expression as an operand of `?:`.
std::string operandText(const Source& source, const clang::Expr& expression);

/// "i >= n" for `i < n`, where no operand can be NaN; else "!(...)".
std::string negation(const Source& source, const clang::Expr& condition);

} // namespace heddle::rewrite
