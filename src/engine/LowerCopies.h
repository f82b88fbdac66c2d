// SPDX-License-Identifier: Apache-2.0
//
// Plain loads and stores instead of memset, memcpy and memmove, as nvcc makes them: as wide as the
// alignment allows, in a row where the size is a small constant, else in a loop.
//
//   memcpy(to, from, 40), aligned to 16     16 + 16 + 8 bytes in a row
//   memset(local, 0, 32768), aligned to 1   a loop of 32 bytes in a row
//   memcpy(to, from, n)                     a loop of 4 bytes in a row, and one of single bytes
//
// Each has the place of the call. Loops of a constant size count as if they were in a row: ptxas
// unrolls them. It stands in front of the passes that work on loads and stores.
#pragma once

#include <llvm/IR/PassManager.h>

namespace heddle::engine {

/// Of the branch that ends such a loop: it is none of the source's.
inline constexpr const char* copyLoopMetadata = "heddle.copy.loop";
/// Also of that branch: nothing of the loop but its loads and stores counts.
inline constexpr const char* copyUnrolledMetadata = "heddle.copy.unrolled";

class LowerCopies : public llvm::PassInfoMixin<LowerCopies> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::engine
