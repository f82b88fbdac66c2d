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

namespace heddle {

/// Whether this block takes the work of others, too, or none: of each `Tiles` blocks of a launch
/// one works.
template <int Tiles> __device__ __forceinline__ bool has_tiles() {
  return detail::number_of_block() < (detail::number_of_blocks(gridDim) + Tiles - 1) / Tiles;
}

template <int Tiles, class Body>
__device__ __forceinline__ void for_tiles(dim3 blocks, Body&& body);

/// Does what `Tiles` neighbouring blocks would do, one after the other. `body(blockIdx)` is a
/// thread's part of a block, and may be written so, to hide CUDA's own:
///
///   if (!heddle::has_tiles<8>())
///     return;
///   heddle::for_tiles<8>([&](uint3 blockIdx) {
///     const int i = blockIdx.x * blockDim.x + threadIdx.x;
///     ...
///
/// Needs: all blocks of the launch call it, but for those without tiles. The body asks for its
/// block nowhere else, and does not wait for other threads.
template <int Tiles, class Body> __device__ __forceinline__ void for_tiles(Body&& body) {
  for_tiles<Tiles>(gridDim, body);
}

/// The same in a launch of fewer blocks, of which each has tiles: there were `blocks`.
template <int Tiles, class Body>
__device__ __forceinline__ void for_tiles(dim3 blocks, Body&& body) {
  uint3 block = detail::block_of_number(detail::number_of_block() * Tiles, blocks);
  for (int tile = 0; tile < Tiles && block.z < blocks.z; ++tile) {
    body(block);
    block = detail::block_behind(block, 1, blocks);
  }
}

} // namespace heddle
