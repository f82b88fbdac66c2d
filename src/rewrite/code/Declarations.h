// SPDX-License-Identifier: Apache-2.0
//
// Declarations that have to move: a variable that one part of a loop's body declares and another
// uses must outlive both parts once they are functions of their own.
#pragma once

#include "rewrite/code/Refusal.h"
#include "rewrite/code/Source.h"

#include <clang/AST/Decl.h>

#include <string>
#include <vector>

namespace heddle::rewrite {

struct Hoisted {
  std::vector<std::string> declarations;        ///< "float u;", for in front of the loop
  std::vector<const clang::VarDecl*> variables; ///< of those declarations
  Edits edits;                                  ///< what stays: "u = next(state);"
};

/// With the line break in front of it, where it has a line of its own.
Range wholeLine(const Source& source, Range range);

/// "float x" or "int x[4]": without a value, and not const.
std::string declarationOf(const Source& source, const clang::VarDecl& variable);

/// Whether an object that is made from values may be one of blank bytes (refill.cuh) until then.
enum class Objects { WithDefault, MayBeBlank };

/// Of the declarations among `statements`, those that `users` use.
/// Refuses with: unhoistable-declaration, macro-in-the-way.
Legal<Hoisted> hoistDeclarations(const Source& source,
                                 const std::vector<const clang::Stmt*>& statements,
                                 const std::vector<const clang::Stmt*>& users,
                                 Objects objects = Objects::WithDefault);

/// The variables that code names.
std::vector<const clang::VarDecl*> variablesIn(const clang::Stmt& code);
/// The variables that code declares, those of inner blocks included.
std::vector<const clang::VarDecl*> declaredIn(const clang::Stmt& code);

/// Whether a variable declared in one of the statements has the name of another variable of the
/// function that is declared outside the loop.
bool namesStandForMore(const clang::FunctionDecl& function, const clang::Stmt& loop,
                       const std::vector<const clang::Stmt*>& statements);

/// Whether a loop names both a variable that it declares and one of the same name from outside.
bool hidesOther(const clang::Stmt& loop, const clang::VarDecl& variable);

} // namespace heddle::rewrite
