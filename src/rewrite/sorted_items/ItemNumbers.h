// SPDX-License-Identifier: Apache-2.0
//
// The variables by which the threads of a kernel know their items, where each thread has one of its
// own, or one after the other:
//
//   const int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

#include <optional>
#include <set>

namespace heddle::rewrite::sorted_items {

class ItemNumbers {
public:
  /// Nothing where a thread has a part beside the number of its item: it is a lane that shares one,
  /// or a thread of a block that has one.
  static std::optional<ItemNumbers> find(const clang::Stmt& kernel);

  bool contains(const clang::VarDecl& variable) const { return numbers_.contains(&variable); }
  /// Whether a loop takes one item after the other.
  bool isItemLoop(const clang::Stmt& loop) const;

private:
  std::set<const clang::VarDecl*> numbers_;
};

} // namespace heddle::rewrite::sorted_items
