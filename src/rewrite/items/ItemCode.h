// SPDX-License-Identifier: Apache-2.0
//
// What a kernel, or the body of its loop over items, does for an item, cut at one of its
// statements, the core:
//
//   __global__ void k(...) {
//     load(table); __syncthreads();     front: stays
//     const int i = ...;                a step
//     if (i >= n) return;               a step that leaves
//     const float x = in[i];            a step
//     if (x > limit) {                  a step that enters
//       core;
//       out[i] = x;                     behind
//     }
//   }
#pragma once

#include "rewrite/code/Branches.h"
#include "rewrite/code/Refusal.h"

#include <clang/AST/Expr.h>

#include <vector>

namespace heddle::rewrite {

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

struct ItemCode {
  const clang::CompoundStmt* kernel = nullptr;
  const clang::ForStmt* loop = nullptr; ///< over items; nullptr: an item a thread
  std::vector<const clang::Stmt*> front;
  std::vector<Step> steps;
  std::vector<const clang::Stmt*> behind; ///< the core, in its block
  const clang::Stmt* last = nullptr;      ///< of the statements that move

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

/// The statements of a block, of another statement, or of none.
std::vector<const clang::Stmt*> statementsOf(const clang::Stmt* arm);
/// A block's only statement, or the statement itself.
const clang::Stmt& onlyStatement(const clang::Stmt& statement);

/// `around`: the core, from the inside out.
/// Refuses with: not-top-level, code-behind.
Legal<ItemCode> cutItem(const Source& source, const clang::Stmt& core,
                        const std::vector<const clang::Stmt*>& around);

/// Declarations in the front that other items have with other values.
std::vector<std::size_t> declarationsToCopy(const ItemCode& code);

/// How many steps are the same for all threads and blocks, or fill shared memory for what follows.
std::size_t stepsForFront(const Source& source, const ItemCode& code);

} // namespace heddle::rewrite
