// SPDX-License-Identifier: Apache-2.0
//
// A kernel whose threads know nothing but their place in the grid, and that has a bound for it:
//
//   int x = blockIdx.x * blockDim.x + threadIdx.x;
//   int y = blockIdx.y * blockDim.y + threadIdx.y;
//   if (x >= width || y >= height - 1) return;          or if (x < width && ...) { all of it }
//
// Threads beyond the bounds do nothing, however many there are.
#pragma once

#include <clang/AST/Decl.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::rewrite::reshape {

/// A thread at this place or behind it does nothing.
struct Bound {
  const clang::ParmVarDecl* parameter = nullptr; ///< the kernel's, or
  std::int64_t number = 0;
};

struct OwnBounds {
  std::array<std::optional<Bound>, 3> of; ///< by axis
  /// By which the kernel computes its place.
  std::vector<const clang::Expr*> places;
};

/// `axes`: how many, from x on, must have a bound; nothing where one has none.
std::optional<OwnBounds> findOwnBounds(const clang::FunctionDecl& kernel, std::size_t axes);

} // namespace heddle::rewrite::reshape
