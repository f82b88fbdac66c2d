// SPDX-License-Identifier: Apache-2.0
//
// What the threads of a block join is kept in the block until its end. Sums whose word differs
// between threads are in shared memory:
//
//   __global__ void k(...) {                     __global__ void k(...) {
//                                                  __shared__ heddle::block_tally<int, 256>
//                                                  ownSums; ownSums.begin();
//     atomicAdd(&sums[kind[i]], 1);     ==>        ownSums.add(sums, kind[i], 1);
//                                                  ownSums.end(sums);
//   }                                            }
//
// What has one address for all threads is kept by each of them:
//
//                                                  heddle::thread_total<int> ownHits;
//     atomicAdd(&found->hits, 1);       ==>        ownHits.join(1);
//                                                  ownHits.end(&found->hits);
#pragma once

#include "rewrite/aggregate/TiledBody.h"

#include <clang/AST/Decl.h>

#include <optional>
#include <vector>

namespace heddle::rewrite::aggregate {

/// What is kept of each array, and of how many blocks.
struct TallySize {
  int words = 0;
  int copies = 1; ///< of each word, for lanes that want the same
  int tiles = 1;
};

/// Which of them there is something for.
struct Keepable {
  bool tallies = false, totals = false;
};
Keepable findKeepable(const Source& source, const clang::FunctionDecl& kernel,
                      const std::vector<const clang::CallExpr*>& atomics);

/// Nothing where nothing can be kept so: the address is not understood, the kernel uses the memory
/// otherwise, too, or a thread may end before it has handed in what it has.
std::optional<Edits> keepInBlock(const Source& source, const clang::FunctionDecl& kernel,
                                 const std::vector<const clang::CallExpr*>& atomics,
                                 TallySize size);

} // namespace heddle::rewrite::aggregate
