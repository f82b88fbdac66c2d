// SPDX-License-Identifier: Apache-2.0
//
// From a place that a profile names to the statement that stands there.
#pragma once

#include "rewrite/code/Source.h"

#include <clang/AST/Decl.h>

#include <vector>

namespace heddle::rewrite {

/// A statement and what stands around it, innermost first, up to the function's body.
struct Placed {
  const clang::Stmt* statement = nullptr;
  std::vector<const clang::Stmt*> around;

  /// The innermost loop around it, or nullptr.
  const clang::Stmt* loop() const;
};

/// A branch: an if, a switch, a loop or a choice inside an expression.
struct BranchStatement : Placed {
  const clang::FunctionDecl* function = nullptr; ///< that it stands in
  /// The same statement in each instantiation of a template, where types and calls are known; the
  /// statement itself where there is no template.
  std::vector<Placed> instances;
};

bool isLoop(const clang::Stmt& statement);

/// The first `if` of the else-if chain that a branch continues, or the branch itself.
const clang::Stmt* chainOf(const Placed& branch);

/// All branches of this file, in the order of the source.
std::vector<BranchStatement> allBranches(const Source& source);

/// Those that begin in a line, in the order of the source.
std::vector<BranchStatement> branchesOfLine(const Source& source, int line);

/// The innermost branch whose condition, or keyword, is at this line and column; column 0 is any.
/// Nothing where there is none in this file.
std::optional<BranchStatement> findBranch(const Source& source, int line, int column);

} // namespace heddle::rewrite
