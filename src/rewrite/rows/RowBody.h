// SPDX-License-Identifier: Apache-2.0
//
// What the items of a loop do together: the variables that they join values into, and whether one
// of them ends the loop. Everything else of an item must be its own.
#pragma once

#include "rewrite/code/Flow.h"
#include "rewrite/code/WarpValues.h"
#include "rewrite/rows/RowLoop.h"
#include "rewrite/rows/Update.h"

namespace heddle::rewrite {

struct Accumulator {
  Joining joining = Joining::Sum;
  std::vector<const clang::VarDecl*> variables; ///< several where they are set together
  bool isChoice = false;                        ///< by a comparison
  const clang::Expr* key = nullptr;             ///< of SmallestAt: the item's value
};

struct RowBody {
  std::vector<Accumulator> accumulators; ///< in the order of the text
  std::vector<JoinedPlace> places;       ///< that some of their variables stand for
  Exits exits;
  bool rounds = false; ///< a floating-point sum or product: another order rounds otherwise
  bool stores = false; ///< an item writes memory
};

/// Refuses with: carried-over, ends-early, not-its-place, order-of-atomics, thread-index-inside,
/// and as refuseCommunication does.
Legal<RowBody> readRowBody(const Source& source, const RowLoop& loop, Rows rows);

} // namespace heddle::rewrite
