// SPDX-License-Identifier: Apache-2.0
//
// What code of one thread reads and changes, so that it can be moved past other code. Functions
// that it calls are looked at too; where that is not possible, they are taken to touch all memory.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

#include <set>

namespace heddle::rewrite {

struct Effects {
  /// Arrays are variables here: an element that is assigned changes the array.
  std::set<const clang::VarDecl*> reads;
  std::set<const clang::VarDecl*> changes; ///< assigned, or handed out so that others may assign
  std::set<const clang::VarDecl*> exposed; ///< those whose address or reference somebody gets
  std::set<const clang::VarDecl*> declares;
  bool loads = false;  ///< memory that a pointer or a reference points to, or a global variable
  bool stores = false; ///< the same

  bool pure() const { return changes.empty() && !stores; }
};

Effects effectsOf(const clang::Stmt& code);

} // namespace heddle::rewrite
