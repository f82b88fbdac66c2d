// SPDX-License-Identifier: Apache-2.0
//
// `if (i >= n) return;` in front of a loop that all threads of the block must reach: the threads
// that would return skip what stands between instead.
//
//   if (i >= n)                const bool hasReturned = i >= n;
//     return;                  float x{};
//   float x = in[i];    ==>    if (!hasReturned) {
//   loop                         x = in[i];
//                              }
//                              loop
#pragma once

#include "rewrite/ways/WayLoop.h"

#include <optional>

namespace heddle::rewrite::regroup {

struct EarlyReturn {
  Edits edits; ///< for all in front of the loop; its first part is included
  std::vector<const clang::VarDecl*> movedOut; ///< variables that lose their const
};

/// Nothing where all threads reach the loop as it is.
/// Refuses with: divergent-entry, and as hoistDeclarations and refuseCommunication do.
Legal<std::optional<EarlyReturn>>
skipInsteadOfReturn(const Source& source, const BranchStatement& branch, const WayLoop& loop);

} // namespace heddle::rewrite::regroup
