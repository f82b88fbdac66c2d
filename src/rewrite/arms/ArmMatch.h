// SPDX-License-Identifier: Apache-2.0
//
// Two arms of a branch held against each other: the same statements, calls and loops up to operands
// that can be chosen.
//
//   x = f(x, 3, a[i]);                          3 or 7
//   x = f(x, 7, b[i]);      differ in           a or b
#pragma once

#include "rewrite/code/Refusal.h"
#include "rewrite/code/Source.h"

#include <clang/AST/Expr.h>

#include <map>
#include <string>
#include <vector>

namespace heddle::rewrite {

/// Two operands at the same place of both arms.
struct Choice {
  const clang::Expr* first = nullptr; ///< of the arm that is taken where the condition holds
  const clang::Expr* other = nullptr;
  std::string meaning;  ///< a name for it: what takes it calls it; may be empty
  bool alone = false;   ///< nothing beside it binds tighter than `?:`
  bool repeats = false; ///< it stands in a loop of the arm
};

/// `isPattern`: the arms are of a template, which does not know its types; what is found there
/// holds only if each instance matches too. Refuses with: arms-differ, types-differ,
/// constant-power.
Legal<std::vector<Choice>> matchArms(const Source& source, const clang::Stmt& first,
                                     const clang::Stmt& other, bool isPattern);

/// Variables of the other arm, and those of the first one that stand for them.
using Twins = std::map<const clang::ValueDecl*, const clang::ValueDecl*>;

/// The same for a part of each arm. Adds what the parts declare to `twins` if they match.
Legal<std::vector<Choice>> matchParts(const Source& source, const clang::Stmt& first,
                                      const clang::Stmt& other, bool isPattern, Twins& twins);

/// Whether an expression is made of a few variables, constants and operators.
bool isSimpleOperand(const clang::Expr& expression);

/// The text of an expression as an operand of `?:`.
std::string choiceOperand(const Source& source, const clang::Expr& expression);

} // namespace heddle::rewrite
