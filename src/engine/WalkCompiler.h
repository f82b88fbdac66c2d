// SPDX-License-Identifier: Apache-2.0
//
// Compiles the walk from one basic block to the next:
//
//   uint64_t walk(frame, warp, mask, at, end)     runs blocks from `at` on, up to `end` or to a
//   block
//                                                 after which there is more to do than to count
//
// It goes on by itself where all lanes take one edge and the edge means nothing but a trip of a
// loop. For everything else (lanes that part, barriers, calls, returns, loops entered and left,
// polling, time to look up) it returns the number of the block that has just run, with the lanes
// that take its first successor in the upper half; noBlock when the lanes have come to `end`.
// WarpRun does the rest, and would do all of it in the same way.
#pragma once

#include "engine/BlockCompiler.h"
#include "engine/CompiledKernel.h"

namespace heddle::engine {

/// Into a module of its own: what is counted may change while the code of the blocks, which takes
/// long to compile, stays the same.
void compileWalk(llvm::Module& module, const KernelCompilation& kernel, std::size_t functionNumber,
                 const CompiledFunction& function);

} // namespace heddle::engine
