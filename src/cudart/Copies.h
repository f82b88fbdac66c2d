// SPDX-License-Identifier: Apache-2.0
//
// Copies and fills with CUDA's checks. The table of which kind accepts which memory was measured on
// an H200 (docs/design/cudart.md).
#pragma once

#include "cudart/Runtime.h"

namespace heddle::cudart {

/// Rows of `width` bytes: `height` in a slice, slices `rows` rows apart.
struct PitchedRange {
  const void* begin = nullptr;
  std::size_t pitch = 0;
  std::size_t rows = 0;
};

/// Copies extent.depth slices of extent.height rows of extent.width bytes.
cudaError_t copyPitched(Runtime& runtime, const PitchedRange& to, const PitchedRange& from,
                        cudaExtent extent, cudaMemcpyKind kind);

cudaError_t copyBytes(Runtime& runtime, void* to, const void* from, std::size_t size,
                      cudaMemcpyKind kind);

cudaError_t fillPitched(Runtime& runtime, const PitchedRange& to, int value, cudaExtent extent);

} // namespace heddle::cudart
