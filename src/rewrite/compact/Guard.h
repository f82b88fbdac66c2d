// SPDX-License-Identifier: Apache-2.0
//
// A kernel, or the body of its loop over items, that ends in a choice which leaves some items
// without work:
//
//   __global__ void k(...) {
//     load(table); __syncthreads();     front: stays
//     const int i = ...;                a step
//     if (i >= n) return;               a step that leaves
//     const float x = in[i];            a step
//     if (x > limit) {                  a step that enters
//       if (x < 0) A;                   the choice and its ways: arms,
//       else B;
//     }
//   }
//
// Where the first arm leaves (`if (c) return;`), what stands behind the choice is its other way.
// Where no arm does, a few lines behind it are the end of each way.
#pragma once

#include "rewrite/code/Branches.h"
#include "rewrite/code/Refusal.h"

#include <clang/AST/Expr.h>

#include <optional>
#include <vector>

namespace heddle::rewrite::compact {

struct Step {
  const clang::Stmt* statement = nullptr; ///< that runs as it stands, or
  const clang::Expr* enters = nullptr;    ///< the condition of an `if` around all that follows
  const clang::Stmt* around = nullptr;    ///< that `if`
  bool isCopy = false;                    ///< of a declaration that stands in the front

  const clang::Stmt& code() const {
    if (statement != nullptr)
      return *statement;
    return *enters;
  }
};

struct Way {
  const clang::Expr* condition = nullptr; ///< none: all that took none of those before
  std::vector<const clang::Stmt*> code;
  std::optional<Range> range; ///< of the text; nothing where a macro hides it
};

struct Guard {
  const clang::CompoundStmt* kernel = nullptr;
  const clang::ForStmt* loop = nullptr; ///< over items; nullptr: an item a thread
  std::vector<const clang::Stmt*> front;
  std::vector<Step> steps;
  const clang::IfStmt* choice = nullptr;
  std::vector<Way> ways;                ///< two or more; the last one has no condition
  bool goesOn = false;                  ///< the last way stands behind the choice
  std::vector<const clang::Stmt*> tail; ///< that all ways end in; stands behind the choice
  std::optional<Range> tailRange;
  const clang::Stmt* last = nullptr; ///< of the statements that move

  /// All that moves: steps, the choice, and what stands behind it.
  std::vector<const clang::Stmt*> moved() const;
  /// A way with the tail, unless it leaves before.
  std::vector<const clang::Stmt*> codeOf(const Way& way) const;
  bool leaves(const Way& way) const;
  /// The statement ends what is done for an item: `return`, or `continue` in a loop over items.
  bool isExit(const clang::Stmt& statement) const;
  /// `if (condition) return;`, or nullptr.
  const clang::IfStmt* asExit(const Step& step) const;
  /// All threads that take an `if` leave in it.
  bool leaves(const clang::IfStmt& test) const;
  /// The first `count` steps, which are statements of the kernel itself, go to the front.
  void moveToFront(std::size_t count);
  /// Declarations of the front become the first steps, too; numbers of its statements, rising.
  void copyFromFront(const std::vector<std::size_t>& declarations);
};

/// Refuses with: not-a-choice, not-top-level, code-behind.
Legal<Guard> cutGuard(const Source& source, const Placed& branch);

/// Declarations in the front that other items have with other values.
std::vector<std::size_t> declarationsToCopy(const Guard& guard);

/// How many steps are the same for all threads and blocks, or fill shared memory for what follows.
std::size_t stepsForFront(const Source& source, const Guard& guard);

} // namespace heddle::rewrite::compact
