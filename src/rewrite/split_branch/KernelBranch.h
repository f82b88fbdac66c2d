// SPDX-License-Identifier: Apache-2.0
//
// A kernel that ends in a choice of several ways, which a thread makes at most once:
//
//   __global__ void k(...) {
//     const int i = ...;               before
//     if (i < n) {                     a condition
//       const float x = in[i];         before
//       if (x > 0) A;                  the choice: its conditions, its arms
//       else if (x < 0) B; else C;
//       out[i] = x;                    behind: each thread runs it after its arm
//     }
//   }
#pragma once

#include "rewrite/code/Branches.h"
#include "rewrite/code/Refusal.h"

#include <vector>

namespace heddle::rewrite::split_branch {

struct KernelBranch {
  static constexpr std::size_t mostWays = 8;

  const clang::Stmt* choice = nullptr; ///< an if with all its else-ifs, or a switch
  /// In the order of the source: a statement, or the last label of a case. The last one is nullptr
  /// where some threads may take none of the others.
  std::vector<const clang::Stmt*> arms;
  std::vector<const clang::Expr*> conditions; ///< all that a thread's way depends on
  std::vector<const clang::Stmt*> before, behind;

  /// Those that have something to do.
  std::size_t ways() const { return arms.size() - (arms.back() == nullptr && behind.empty()); }
};

/// Refuses with: not-a-choice, not-top-level, code-behind, fallthrough, too-many-ways.
Legal<KernelBranch> cutKernel(const Source& source, const Placed& branch);

/// Whether a kernel may run once for each way: nothing is done before a thread's way is known, and
/// what is computed behind the branch does not change.
/// Refuses with: side-effects-before, code-behind, and as refuseCommunication does.
Legal<void> checkRunsAgain(const Source& source, const Placed& branch);

/// Whether a thread's way is the same after other threads have gone theirs.
/// Refuses with: condition-written.
Legal<void> checkDecidesAlike(const Source& source, const Placed& branch);

} // namespace heddle::rewrite::split_branch
