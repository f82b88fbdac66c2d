// SPDX-License-Identifier: Apache-2.0
//
// Tiles: a block takes the items of several neighbouring ones. The launch then needs fewer blocks,
// and the kernel is told how many there were. Where the launch stays as it is, the blocks that are
// left over end at once.
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

__device__ __forceinline__ std::uint64_t number_of_blocks(dim3 grid) {
  return grid.x * (std::uint64_t{grid.y} * grid.z);
}

/// The block of a grid at a place of that order; its z is beyond where there is none.
__device__ __forceinline__ uint3 block_of_number(std::uint64_t number, dim3 grid) {
  const std::uint64_t row = number / grid.x;
  return {static_cast<unsigned>(number % grid.x), static_cast<unsigned>(row % grid.y),
          static_cast<unsigned>(row / grid.y)};
}

/// The block that is `distance` places behind another one.
__device__ __forceinline__ uint3 block_behind(uint3 block, unsigned distance, dim3 grid) {
  block.x += distance;
  block.y += block.x / grid.x;
  block.x %= grid.x;
  block.z += block.y / grid.y;
  block.y %= grid.y;
  return block;
}

/// How many blocks it takes for items 0 to n - 1 where each has at least `items`; at most all.
__device__ __forceinline__ std::int64_t blocks_needed(std::int64_t n, unsigned items) {
  const std::int64_t needed = n / items + (n % items != 0);
  return needed < gridDim.x ? needed : gridDim.x;
}

} // namespace heddle::detail
