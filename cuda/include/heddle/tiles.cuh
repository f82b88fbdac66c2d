// SPDX-License-Identifier: Apache-2.0
//
// Tiles: of a launch's blocks, those that work take the items of several neighbouring ones each,
// and the others end at once, so that the launch stays as it is.
//
// The first ones work: a GPU deals blocks to its multiprocessors in turns, so that of every fourth
// block some multiprocessors would get none.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace heddle::detail {

/// The place of this block in the order x, y, z.
__device__ __forceinline__ std::uint64_t number_of_block() {
  return blockIdx.x + gridDim.x * (blockIdx.y + std::uint64_t{gridDim.y} * blockIdx.z);
}

__device__ __forceinline__ std::uint64_t number_of_blocks() {
  return gridDim.x * (std::uint64_t{gridDim.y} * gridDim.z);
}

/// The block at a place of that order; its z is beyond the grid where there is none.
__device__ __forceinline__ uint3 block_of_number(std::uint64_t number) {
  const std::uint64_t row = number / gridDim.x;
  return {static_cast<unsigned>(number % gridDim.x), static_cast<unsigned>(row % gridDim.y),
          static_cast<unsigned>(row / gridDim.y)};
}

/// The block that is `distance` places behind another one.
__device__ __forceinline__ uint3 block_behind(uint3 block, unsigned distance) {
  block.x += distance;
  block.y += block.x / gridDim.x;
  block.x %= gridDim.x;
  block.z += block.y / gridDim.y;
  block.y %= gridDim.y;
  return block;
}

/// How many blocks it takes for items 0 to n - 1 where each has at least `items`; at most all.
__device__ __forceinline__ std::int64_t blocks_needed(std::int64_t n, unsigned items) {
  const std::int64_t needed = n / items + (n % items != 0);
  return needed < gridDim.x ? needed : gridDim.x;
}

} // namespace heddle::detail
