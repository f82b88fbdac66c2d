// SPDX-License-Identifier: Apache-2.0
//
// Which values of a kernel are the same for all threads of a block, as far as its text proves it:
// parameters, blockIdx, constants, and what is computed from those by code that all threads run.
// What is read from memory or returned by a function counts as different.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <set>
#include <vector>

namespace heddle::rewrite {

/// Whether a value that threads have set after others returned counts as different from theirs.
enum class Returned { Counted, Ignored };
/// Whose threads must have the same value: those of a block, or of all blocks of a launch.
enum class AlikeIn { Block, Grid };

class BlockValues {
public:
  /// `apart`: a loop in which threads no longer keep step, whatever its condition.
  BlockValues(const clang::Stmt& body, const clang::Stmt* apart = nullptr,
              Returned returned = Returned::Counted, AlikeIn alikeIn = AlikeIn::Block);

  bool isUniform(const clang::Expr& value) const;
  bool isUniform(const clang::VarDecl& variable) const;
  /// Whether each condition around it is the same for all threads; some may have returned before.
  bool isReachedTogether(const clang::Stmt& statement) const {
    return !divergent_.contains(&statement);
  }
  /// Those that some threads of a block take and others do not.
  const std::vector<const clang::ReturnStmt*>& divergentReturns() const { return returns_; }

private:
  void walk(const clang::Stmt* code, bool divergent);
  void walkChildren(const clang::Stmt& code, bool divergent);
  void walkLoop(const clang::Stmt& loop, bool divergent);
  void walkChoice(const clang::Stmt& choice, const clang::Expr& condition, bool divergent);
  void walkWrite(const clang::Expr& place, const clang::Expr* value, bool readsPlace,
                 bool divergent);
  void walkExit(const clang::Stmt& exit, bool divergent);
  void vary(const clang::VarDecl* variable);
  bool isUniformOperation(const clang::Expr& value) const;

  bool someReturned() const { return returned_ == Returned::Counted && !returns_.empty(); }

  Returned returned_;
  AlikeIn alikeIn_;
  std::set<const clang::VarDecl*> varying_;
  std::set<const clang::Stmt*> divergentLoops_;
  std::set<const clang::Stmt*> divergent_;
  std::vector<const clang::ReturnStmt*> returns_;
  std::vector<const clang::Stmt*> loops_; ///< around the place of the walk
};

/// The variable that an expression names, or a member of which it names; nullptr: none.
const clang::VarDecl* namedVariable(const clang::Expr& place);

} // namespace heddle::rewrite
