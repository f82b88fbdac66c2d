// SPDX-License-Identifier: Apache-2.0
//
// A loop whose body takes one of several ways, cut into the parts that the device library's loops
// take (cuda/include/heddle/ways.cuh):
//
//   for (init; c1; step) {          init    once
//     B1;                           next    c1 ? (B1; the way of this turn) : done
//     if (c2) A; else B;            paths   A, B
//     B2;                           after   B2; step
//   }
//
// An else-if chain, a switch and branches that are all there is in an arm are one choice of more
// than two ways. `break`, `continue` and `return` become what a part returns.
#pragma once

#include "rewrite/code/Branches.h"
#include "rewrite/code/Declarations.h"
#include "rewrite/code/Refusal.h"

#include <string>
#include <vector>

namespace heddle::rewrite {

struct WayLoop {
  const clang::Stmt* loop = nullptr;
  Range range;                          ///< of the loop
  Edits pragmas;                        ///< remove those in front of the loop
  const clang::Stmt* init = nullptr;    ///< of the loop
  std::vector<std::string> setUp;       ///< statements in front of the loop: init, declarations
  Hoisted hoisted;                      ///< the declarations among them
  bool needsBraces = false;             ///< a name of them stands for something else nearby
  std::string next;                     ///< bodies of the lambdas, indented by nothing
  std::vector<std::string> ways;        ///< may be empty
  std::string after;                    ///< may be empty
  std::string leaving;                  ///< statement behind the loop; may be empty
  std::vector<const clang::Stmt*> arms; ///< of the ways; nullptr where there is none
  std::vector<Range> armRanges;         ///< empty where there is none
};

/// Cuts the loop around a branch.
///
/// Refuses with: no-loop, not-alone (the branch is not a statement of the loop's own body),
/// not-a-choice, too-many-ways, fallthrough, unhoistable-declaration, value-returned,
/// macro-in-the-way, and as refuseCommunication does.
Legal<WayLoop> cutLoop(const Source& source, const BranchStatement& branch);

} // namespace heddle::rewrite
