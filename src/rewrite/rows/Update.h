// SPDX-License-Identifier: Apache-2.0
//
// A statement that joins one more value into a variable, in the ways that come to the same in any
// order of the values:
//
//   sum += x;  ++count;  sum = fmaf(a, b, sum);  bits |= x;  low = fminf(low, x);  found = true;
//   if (x < low) { low = x; at = k; }
//   if (v[k] > v[best]) best = k;
//   if (c) last = x;
#pragma once

#include "rewrite/rows/JoinedPlaces.h"

#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <optional>
#include <set>
#include <vector>

namespace heddle::rewrite {

/// How values are joined. Of Smallest and its like the values that go along are set with it.
enum class Joining {
  Sum,
  Product,
  Or,
  And,
  Xor,
  Min,
  Max,
  Smallest,
  Largest,
  SmallestLast,
  LargestLast,
  Set,
  First,      ///< set by the item that ends the loop
  SmallestAt, ///< the item of the smallest value
  LargestAt,
  Last ///< set by the last item that sets it
};

struct Update {
  Joining joining = Joining::Sum;
  std::vector<const clang::VarDecl*> variables; ///< the first, then those that go along
  std::vector<const clang::Expr*> names;        ///< of them in this statement
  const clang::Expr* constant = nullptr;        ///< of Set
  const clang::Expr* key = nullptr;             ///< of SmallestAt: the item's value
  bool isChoice = false;                        ///< by a comparison
};

/// `changed`: what may be joined into. Nothing: it is no such statement.
std::optional<Update> readUpdate(const Source& source, const clang::Expr& statement,
                                 const JoinedPlaces& changed);
/// `item`: of the loop.
std::optional<Update> readChoice(const Source& source, const clang::IfStmt& statement,
                                 const JoinedPlaces& changed, const clang::VarDecl& item);

} // namespace heddle::rewrite
