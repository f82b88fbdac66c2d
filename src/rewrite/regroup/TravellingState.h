// SPDX-License-Identifier: Apache-2.0
//
// What a thread takes along when it changes places with another in a loop: each of its variables
// that the loop, or code behind it, uses and that another thread may have with another value.
#pragma once

#include "rewrite/ways/WayLoop.h"

#include <set>
#include <vector>

namespace heddle::rewrite::regroup {

struct TravellingState {
  /// Declared in front of the loop or in its first part; in the order of the text.
  std::vector<const clang::VarDecl*> variables;
  std::set<const clang::VarDecl*> usedBehind; ///< of those
};

/// Code that threads run once the loop has mixed them up: `after` the loop, and all of the `loops`
/// around it.
struct Behind {
  std::vector<const clang::Stmt*> after;
  std::vector<const clang::Stmt*> loops;
};
Behind behind(const Placed& branch);

struct BlockLimits {
  int threads = 0;
  int shared = 0; ///< bytes, without a launch that asks for more
};

/// Refuses with: state-cannot-travel, state-too-large.
Legal<TravellingState> findTravellingState(const Source& source, const BranchStatement& branch,
                                           const WayLoop& loop, BlockLimits block);

} // namespace heddle::rewrite::regroup
