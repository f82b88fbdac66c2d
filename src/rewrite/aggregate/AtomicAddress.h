// SPDX-License-Identifier: Apache-2.0
//
// What an atomic changes, by the name that leads there:
//
//   &sums[kind[i]]        sums, the word kind[i]
//   &tally->dropped       tally, its part ->dropped, the same for all threads
//   &view.bins[2]         the member bins of the parameter view, the word 2
//   count                 count, the word 0
#pragma once

#include "rewrite/code/MemoryUse.h"

#include <clang/AST/Expr.h>

#include <set>
#include <string>

namespace heddle::rewrite::aggregate {

struct AtomicAddress {
  /// A parameter of the kernel, a member of one, or a variable of the device; none: not known.
  Memory root;
  std::string path;    ///< of the root: "[0].dropped", "[3]"
  std::string fields;  ///< of that only the members, ".dropped": others are other words
  std::string name;    ///< the last one that it has: "dropped"
  bool isFixed = true; ///< the same for all threads of a launch
  bool isExact = true; ///< another path of this root is another word
  bool isPlain = true; ///< the root itself and an index: the word's type is that of its pointer
  /// A word of an array: `words` is the same for all threads. No index: the first one.
  const clang::Expr* words = nullptr;
  const clang::Expr* index = nullptr;
};

/// `modified`: variables that the kernel changes.
AtomicAddress addressOf(const Source& source, const clang::CallExpr& atomic,
                        const std::set<const clang::VarDecl*>& modified);

} // namespace heddle::rewrite::aggregate
