// SPDX-License-Identifier: Apache-2.0
//
// What cutting a loop needs, however it is cut.
#pragma once

#include "rewrite/code/Branches.h"
#include "rewrite/code/Flow.h"
#include "rewrite/code/Refusal.h"

#include <clang/AST/Expr.h>

#include <string>

namespace heddle::rewrite {

/// The header of a loop, whichever form it has.
struct LoopHeader {
  const clang::Stmt* init = nullptr;
  const clang::Expr* condition = nullptr;
  const clang::Expr* step = nullptr;
  const clang::Stmt* body = nullptr;
  bool testsLast = false;
};
LoopHeader headerOf(const clang::Stmt& loop);

/// A variable that the loop's condition declares, or nullptr.
const clang::VarDecl* conditionVariable(const clang::Stmt& loop);

/// No condition is one that always holds.
bool alwaysHolds(const clang::Expr* condition, const clang::ASTContext& ast);

/// The loop around a branch, which is to become lambdas.
struct CutPlace {
  LoopHeader header;
  Range range;   ///< of the loop
  Edits pragmas; ///< remove those in front of the loop: what takes its place is none
};

/// Refuses with: no-loop, macro-in-the-way, unhoistable-declaration, and as refuseCommunication
/// does.
Legal<CutPlace> placeLoop(const Source& source, const BranchStatement& branch);

/// The loop around a branch, with what stands around the loop.
Placed loopAround(const Placed& branch);

/// What leaves the loop's body becomes something else, and there is nowhere to put a value.
///
/// Refuses with: macro-in-the-way, value-returned.
Legal<void> refuseExits(const Source& source, const Exits& exits);

/// The edited text of a range, indented by nothing.
std::string linesOf(const Source& source, Range range, const Edits& edits);

} // namespace heddle::rewrite
