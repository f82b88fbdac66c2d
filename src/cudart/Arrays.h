// SPDX-License-Identifier: Apache-2.0
//
// Arrays: memory for textures. Here their texels lie in rows, as in pitched memory.
#pragma once

#include "cudart/CudaTypes.h"

#include <cstddef>

namespace heddle::cudart {

struct Array {
  cudaChannelFormatDesc format = {};
  cudaExtent extent = {}; ///< texels as the program gave them, so 0 for what it does not have
  unsigned flags = 0;
  std::byte* data = nullptr;
  std::size_t pitch = 0; ///< bytes of a row

  std::size_t rows() const { return extent.height > 0 ? extent.height : 1; }
  std::size_t planes() const { return extent.depth > 0 ? extent.depth : 1; }
};

/// 0 for formats that no texture has.
std::size_t texelBytes(const cudaChannelFormatDesc& format);

} // namespace heddle::cudart
