// SPDX-License-Identifier: Apache-2.0
//
// What the body of a loop may join values into: variables from outside of it, and places that are
// the same for all items. Each place has a variable that stands for it.
//
//   sum += x;                      a variable of the thread, or of the block
//   force.x += x;  acc[2] += x;    part of one
//   y[row] += x;  total[0] += x;   memory that the item does not choose
#pragma once

#include "rewrite/rows/RowLoop.h"

#include <map>
#include <set>
#include <vector>

namespace heddle::rewrite {

/// An element or a member, each time that the body names it.
struct JoinedPlace {
  const clang::VarDecl* variable = nullptr; ///< that stands for it; its name is a fresh one
  std::string text;
  std::vector<const clang::Expr*> names;
  bool isMemory = false; ///< not a part of one of the thread's variables
};

class JoinedPlaces {
public:
  /// `changed`: by the body, from outside of it.
  JoinedPlaces(const Source& source, const RowLoop& loop, std::set<const clang::VarDecl*> changed);

  /// The variable that an expression names, or that stands for the place; nullptr: none of these.
  const clang::VarDecl* of(const clang::Expr* expression) const;
  /// The name in an expression that names this one; nullptr: it does something else.
  const clang::Expr* nameOf(const clang::Expr* expression, const clang::VarDecl* variable) const {
    return of(expression) == variable ? bare(expression) : nullptr;
  }
  bool mentionedIn(const clang::Stmt& code) const;
  /// Each name in the code, but not those inside of another.
  std::vector<const clang::Expr*> namesIn(const clang::Stmt& code) const;

  const std::vector<JoinedPlace>& places() const { return places_; }

  /// Without parentheses, implicit casts and the end of temporaries.
  static const clang::Expr* bare(const clang::Expr* expression);

private:
  std::set<const clang::VarDecl*> changed_;
  std::vector<JoinedPlace> places_;
  std::map<const clang::Expr*, const clang::VarDecl*> standing_;
};

/// Whether a value is computed from variables and what CUDA calls thread and block alone.
bool readsNoMemory(const clang::Expr& value);

/// The variables that code names, but for those in the places.
std::vector<const clang::VarDecl*> variablesBeside(const clang::Stmt& code,
                                                   const std::vector<JoinedPlace>& places);

} // namespace heddle::rewrite
