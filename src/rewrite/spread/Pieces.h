// SPDX-License-Identifier: Apache-2.0
//
// The statements that one thread runs alone, as parts of what its warp will run:
//
//   float low = part[0];              for all lanes: it computes variables of the branch
//   count = 0;                        for one lane: it does what others may not repeat
//   for (k...) low = min(...);        a loop whose items the lanes share
#pragma once

#include "rewrite/code/Refusal.h"
#include "rewrite/code/Source.h"
#include "rewrite/code/WarpValues.h"

#include <clang/AST/Stmt.h>

#include <vector>

namespace heddle::rewrite::spread {

struct Piece {
  enum class Kind { ForAll, ForOne, Loop };

  Kind kind = Kind::ForAll;
  const clang::Stmt* statement = nullptr;
  const clang::Stmt* scope =
      nullptr;         ///< the block or branch that it stands in; nullptr: the outermost
  Edits call{};        ///< in the place of a loop
  bool rounds = false; ///< a loop that adds floating-point numbers
};

/// Up to all statements; behind the last loop all are for one. There is a loop.
/// Refuses with: not-one-thread, code-before, bounds-of-thread, and as findSharedLoop does.
Legal<std::vector<Piece>> cutPieces(const Source& source, const clang::Stmt& function,
                                    const WarpValues& values, Rows rows,
                                    const std::vector<const clang::Stmt*>& statements);

/// Whether all lanes read the same memory there as lane 0 does, or none at all. `alike`: variables
/// that all lanes have computed alike.
bool readsAlike(const clang::Stmt& code, const WarpValues& values,
                const std::set<const clang::VarDecl*>& alike);

} // namespace heddle::rewrite::spread
