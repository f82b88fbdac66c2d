// SPDX-License-Identifier: Apache-2.0
//
// Refilling: lanes whose item is done take the next one, while the others are still in the loop of
// theirs. It is for an item a thread whose work is a loop that ends sooner or later: a walk until
// it leaves, an iteration until it converges.
//
//   turns of 4 items for each of 4 lanes:  5 1 1 2 | 1 5 1 2 | 1 1 5 2 | 2 2 2 2
//   an item a thread, 4 warps              5 + 5 + 5 + 2 = 17 turns, 33 of 68 slots used
//   refilled, one warp                     9 turns
//
// An item is taken apart: `setup` begins it, `turn` is one turn of its loop, `finish` is what
// stands behind the loop. Steps: 1. a ballot says which lanes are dry; 2. are there `Dry` of them
// or no others, they finish what they had, and take the warp's next items, a number each; 3. all
// others do one turn. A lane that waits costs a slot a turn, and a refill the time of `setup` and
// `finish` for the whole warp, so that `Dry` lanes do it together.
//
// Each warp takes `Tiles` * 32 items, and the launch stays as it is (tiles.cuh). There is no shared
// memory and no barrier. What an item carries from part to part are the lane's own variables, which
// the parts capture by reference.
#pragma once

#include "tiles.cuh"
#include "warp.cuh"
#include "ways.cuh"

#include <cuda_runtime.h>

#include <cassert>
#include <cstdint>
#include <type_traits>

namespace heddle {
namespace detail {

/// What a part says of the loop; a bool says whether it goes on.
__device__ __forceinline__ flow flow_of(flow end) {
  return end;
}
__device__ __forceinline__ flow flow_of(bool goes_on) {
  return goes_on ? flow::proceed : flow::leave;
}

/// A warp's items are `item_of(0)` to `item_of(count - 1)`; all its lanes call it.
template <int Dry, int Turns, class Count, class ItemOf, class Setup, class Turn, class Finish>
__device__ __forceinline__ void refill_warp(Count count, ItemOf&& item_of, Setup&& setup,
                                            Turn&& turn, Finish&& finish) {
  static_assert(Dry >= 1 && Dry <= 32, "of a warp's 32 lanes, 1 to 32 are refilled at once");
  static_assert(Turns >= 1, "between two votes there is a turn");
  static_assert(std::is_unsigned_v<Count>, "items are counted without a sign");
  const unsigned lower = (1u << lane_id()) - 1;
  decltype(item_of(count)) item{};
  Count next = 0;
  flow state = flow::skip; // proceed: in its loop; leave: to be finished; skip: without an item
  for (;;) {
    const unsigned dry = __ballot_sync(all_lanes, state != flow::proceed);
    const bool is_empty = next >= count;
    if (__popc(dry) < (is_empty ? static_cast<int>(warp_lanes) : Dry)) {
#pragma unroll
      for (int i = 0; i < Turns; ++i)
        if (state == flow::proceed)
          state = flow_of(turn(item));
      continue;
    }
    if (state != flow::proceed) {
      if (state == flow::leave)
        finish(item);
      state = flow::skip;
      const Count own = next + static_cast<Count>(__popc(dry & lower));
      if (own < count) {
        item = item_of(own);
        state = setup(item);
      }
    }
    if (is_empty)
      return;
    next += static_cast<Count>(__popc(dry));
  }
}

struct item_place {
  uint3 block, thread;
};

} // namespace detail

/// An object of zero bytes, to be set by `setup`, for types that cannot be made without values.
template <class T> __device__ __forceinline__ T blank() {
  static_assert(std::is_trivially_copyable_v<T>, "it is made and set byte by byte");
  alignas(T) unsigned char bytes[sizeof(T)] = {};
  return *reinterpret_cast<const T*>(bytes);
}

/// Does a kernel's items: item i = blockIdx.x * blockDim.x + threadIdx.x.
/// `setup(i)` begins one, and says what comes next: flow::proceed, a turn; flow::leave, `finish`;
/// flow::skip, nothing at all. `turn(i)` does one turn, and says the same; it may also return a
/// bool, whether there is another turn. `finish(i)` ends it.
///
///   int n, k;
///   heddle::refill_tiles<256, 4, 8>(
///       [&](int i) { n = in[i]; k = 0; return n != 1 ? flow::proceed : flow::leave; },
///       [&](int i) { n = n % 2 ? 3 * n + 1 : n / 2; ++k; return n != 1; },
///       [&](int i) { steps[i] = k; });
///
/// Needs: blocks of exactly `Threads` threads in one row, all of which call it; `Tiles`, how many
/// items a lane has on average; `Dry`, how many lanes are refilled at once, 8 or 16; `Turns`, how
/// many turns there are between two votes, 1 or a few; nothing of the kernel behind the call. The
/// parts must depend on nothing but i, on variables that `setup` sets, and on what is the same for
/// all blocks: they must not use `threadIdx` or `blockIdx.x`. No barrier, no `*_sync` operation and
/// no other talk between threads in them.
///
/// Guarantees: the parts are called for each item of `blocks` blocks, in the order above, by one
/// lane each, which does no other item in between. Which one is not told. Block b takes the items
/// of the blocks from b * Tiles on; where there are none, it ends at once. A launch needs (blocks +
/// Tiles - 1) / Tiles blocks, and with more takes longer.
template <int Threads, int Tiles, int Dry, int Turns = 1, class Setup, class Turn, class Finish>
__device__ __forceinline__ void refill_tiles(unsigned blocks, Setup&& setup, Turn&& turn,
                                             Finish&& finish) {
  static_assert(Threads % detail::warp_lanes == 0, "a block is a whole number of warps");
  assert(blockDim.x == Threads && blockDim.y == 1 && blockDim.z == 1);
  const std::uint64_t block = std::uint64_t{blockIdx.x} * Tiles;
  if (block >= blocks)
    return;
  const std::uint64_t left = blocks - block;
  const unsigned tiles = left < Tiles ? static_cast<unsigned>(left) : Tiles;
  const std::uint64_t first =
      block * Threads + threadIdx.x / detail::warp_lanes * detail::warp_lanes;
  detail::refill_warp<Dry, Turns>(
      tiles * detail::warp_lanes,
      [&](unsigned own) {
        return first + (own / detail::warp_lanes * Threads + own % detail::warp_lanes);
      },
      setup, turn, finish);
}

/// The same in a launch of as many blocks as there were.
template <int Threads, int Tiles, int Dry, int Turns = 1, class Setup, class Turn, class Finish>
__device__ __forceinline__ void refill_tiles(Setup&& setup, Turn&& turn, Finish&& finish) {
  refill_tiles<Threads, Tiles, Dry, Turns>(gridDim.x, setup, turn, finish);
}

/// The same for an item of any shape: that of block `blockIdx` and thread `threadIdx`, which all
/// parts are given. They may be called so, and then hide CUDA's own:
///
///   [&](uint3 blockIdx, uint3 threadIdx) { x = blockIdx.x * 16 + threadIdx.x; ... }
///
/// Needs blocks of exactly `X` x `Y` x `Z` threads, and the rest as above.
/// Guarantees the same; tiles are `Tiles` blocks one after the other in the order x, y, z.
template <int X, int Y, int Z, int Tiles, int Dry, int Turns = 1, class Setup, class Turn,
          class Finish>
__device__ __forceinline__ void refill_tiles_at(dim3 grid, Setup&& setup, Turn&& turn,
                                                Finish&& finish) {
  using detail::item_place;
  static_assert(X * Y * Z % detail::warp_lanes == 0, "a block is a whole number of warps");
  assert(blockDim.x == X && blockDim.y == Y && blockDim.z == Z);
  const std::uint64_t number = detail::number_of_block(), blocks = detail::number_of_blocks(grid);
  if (number >= (blocks + Tiles - 1) / Tiles)
    return;
  const std::uint64_t left = blocks - number * Tiles;
  const unsigned tiles = left < Tiles ? static_cast<unsigned>(left) : Tiles;
  const uint3 first = detail::block_of_number(number * Tiles, grid);
  const unsigned thread = threadIdx.x + X * (threadIdx.y + Y * threadIdx.z);
  const unsigned warp = thread / detail::warp_lanes * detail::warp_lanes;
  detail::refill_warp<Dry, Turns>(
      tiles * detail::warp_lanes,
      [&](unsigned own) {
        const unsigned of_block = warp + own % detail::warp_lanes;
        return item_place{detail::block_behind(first, own / detail::warp_lanes, grid),
                          {of_block % X, of_block / X % Y, of_block / (X * Y)}};
      },
      [&](const item_place& at) { return setup(at.block, at.thread); },
      [&](const item_place& at) { return turn(at.block, at.thread); },
      [&](const item_place& at) { finish(at.block, at.thread); });
}

template <int X, int Y, int Z, int Tiles, int Dry, int Turns = 1, class Setup, class Turn,
          class Finish>
__device__ __forceinline__ void refill_tiles_at(Setup&& setup, Turn&& turn, Finish&& finish) {
  refill_tiles_at<X, Y, Z, Tiles, Dry, Turns>(gridDim, setup, turn, finish);
}

/// The same for a loop over items in strides of the grid:
///
///   for (i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
///
/// Needs: blocks of exactly `Threads` threads in one row, all of which call it with the same `n`.
/// The parts are as above.
/// Guarantees: the parts are called for each item below n by one lane of some block. As many blocks
/// work as there are `Tiles` items for each of their threads, or all. All threads return.
template <int Threads, int Tiles, int Dry, int Turns = 1, class Number, class Setup, class Turn,
          class Finish>
__device__ __forceinline__ void refill_items(Number n, Setup&& setup, Turn&& turn,
                                             Finish&& finish) {
  static_assert(Threads % detail::warp_lanes == 0, "a block is a whole number of warps");
  assert(blockDim.x == Threads && blockDim.y == 1 && blockDim.z == 1);
  const auto end = static_cast<std::int64_t>(n);
  const std::int64_t workers = detail::blocks_needed(end, Threads * Tiles);
  if (blockIdx.x >= workers)
    return;
  const std::int64_t stride = workers * Threads, first = std::int64_t{blockIdx.x} * Threads;
  const auto tiles = static_cast<std::uint64_t>((end - first + stride - 1) / stride);
  const unsigned warp = threadIdx.x / detail::warp_lanes * detail::warp_lanes;
  detail::refill_warp<Dry, Turns>(
      tiles * detail::warp_lanes,
      [&](std::uint64_t own) {
        return first + static_cast<std::int64_t>(own / detail::warp_lanes) * stride + warp +
               static_cast<std::int64_t>(own % detail::warp_lanes);
      },
      [&](std::int64_t i) { return i < end ? setup(i) : flow::skip; }, turn, finish);
}

} // namespace heddle
