// SPDX-License-Identifier: Apache-2.0
//
// A thread's place in the whole grid, along one axis:
//
//   blockIdx.x * blockDim.x + threadIdx.x, in any order
#pragma once

#include <clang/AST/Expr.h>
#include <llvm/ADT/StringRef.h>

#include <optional>
#include <vector>

namespace heddle::rewrite {

/// The axis of a product of two of CUDA's names, in any order: of "gridDim" and "blockDim" it is 1
/// for `blockDim.y * gridDim.y`; -1: it is no such product.
int axisOfProduct(const clang::Expr* expression, llvm::StringRef one, llvm::StringRef other);

/// A sum with the thread's place in the grid among its terms: the axis, and what is left.
struct IndexSum {
  int axis = 0;
  std::vector<const clang::Expr*> rest;
};
std::optional<IndexSum> indexSumOf(const clang::Expr* expression);

} // namespace heddle::rewrite
