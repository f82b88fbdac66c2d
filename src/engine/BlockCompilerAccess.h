// SPDX-License-Identifier: Apache-2.0
//
// What the compilation of loads and stores shares with that of atomics.
#pragma once

#include "engine/BlockCompiler.h"
#include "support/LaneMask.h"

#include <cstdint>

namespace heddle::engine {

inline constexpr unsigned half = warpSize / 2;

/// How the lanes of an access go; see BlockCompilerMemory.cpp.
enum Way : std::uint32_t { Careful, Scattered, Rows, Points };

/// The numbers of half a warp's lanes.
inline llvm::SmallVector<int, half> halfFrom(unsigned first) {
  llvm::SmallVector<int, half> lanes;
  for (unsigned lane = 0; lane < half; ++lane)
    lanes.push_back(int(first + lane));
  return lanes;
}

/// Whether the code is for a processor with NEON as its vectors.
bool isForNeon();

profile::MemorySpace memorySpaceOf(const llvm::Value* pointer);

/// Offset of each part of a value in memory.
std::vector<unsigned> memoryOffsets(llvm::Type* type, const llvm::DataLayout& types);

/// One memory instruction as compiled code sees it. Its addresses are those of the first access of
/// its group, plus a constant.
struct BlockCompiler::Access {
  unsigned number;
  unsigned bytes; ///< of one lane
  llvm::Align alignment;
  profile::MemorySpace space;
  llvm::Value* site; ///< its AccessSite
  const GroupState* group = nullptr;
  std::int64_t delta = 0;
};

} // namespace heddle::engine
