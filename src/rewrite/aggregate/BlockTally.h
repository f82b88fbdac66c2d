// SPDX-License-Identifier: Apache-2.0
//
// Sums of a kernel that each block keeps for itself in shared memory:
//
//   __global__ void k(...) {                     __global__ void k(...) {
//                                                  __shared__ heddle::block_tally<int, 256>
//                                                  ownSums; ownSums.begin();
//     atomicAdd(&sums[kind[i]], 1);     ==>        ownSums.add(sums, kind[i], 1);
//                                                  ownSums.end(sums);
//   }                                            }
#pragma once

#include "rewrite/code/Source.h"

#include <clang/AST/Decl.h>

#include <optional>
#include <vector>

namespace heddle::rewrite::aggregate {

/// What is kept of each parameter.
struct TallySize {
  int words = 0;
  int copies = 1; ///< of each word, for lanes that want the same
};

/// Nothing where no sum can be kept so: it is no parameter's, the kernel uses the parameter
/// otherwise, too, or a thread may end behind its first addition.
std::optional<Edits> keepSumsInBlock(const Source& source, const clang::FunctionDecl& kernel,
                                     const std::vector<const clang::CallExpr*>& atomics,
                                     TallySize size);

} // namespace heddle::rewrite::aggregate
