// SPDX-License-Identifier: Apache-2.0
//
// Whether a kernel does the same in blocks of another size: all that it knows of its thread must be
// the place in the whole grid,
//
//   blockIdx.x * blockDim.x + threadIdx.x        of each axis, and how many there are,
//   gridDim.x * blockDim.x
//
// Then blocks of 64 and of 256 threads run the same threads, as long as there are equally many of
// them. Another size mostly rounds their number up. The threads that come on top must do nothing:
//
//   if (i >= n) return;      if (i < n) { all of it }      for (i = ...; i < n; i += all threads)
#pragma once

#include "rewrite/code/Refusal.h"
#include "rewrite/code/Source.h"

#include <clang/AST/Decl.h>

#include <array>

namespace heddle::rewrite::tuning {

struct FreeBlock {
  std::array<bool, 3> guarded = {}; ///< by axis: threads on top do nothing
  bool hasLanes = false; ///< lanes of a warp know of each other: a warp must keep its threads
};

/// Of a kernel with a body. A run must still show that its results are the same.
/// Refuses with: index-not-global, shared-memory, inline-assembly.
Legal<FreeBlock> findFreeBlock(const Source& source, const clang::FunctionDecl& kernel);

} // namespace heddle::rewrite::tuning
