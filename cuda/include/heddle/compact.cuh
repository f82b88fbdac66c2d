// SPDX-License-Identifier: Apache-2.0
//
// Compaction: a block looks for work in many items, packs the numbers of those that have some into
// a list in shared memory, and then works on the list with all of its lanes.
//
//   items     . . W . . . . W . W . . . . . .        . no work, W work
//   list      2 7 9
//   work      W W W                                  three lanes of one warp instead of three warps
//
// Steps: 1. every thread asks for its item in each of a few tiles; 2. a warp's ballots say how many
// items it adds, one atomic addition reserves their places, and each lane writes its own; 3. after
// a barrier the block goes through the list, a thread an item.
//
// A block works on the items of `Tiles` neighbouring ones, so that a launch needs fewer of them
// (tiles.cuh). What an item needs is read again through its number, so that no state travels.
#pragma once

#include "tiles.cuh"
#include "warp.cuh"

#include <cuda_runtime.h>

#include <cassert>
#include <cstdint>

namespace heddle {
namespace detail {

/// The numbers of the items that have work: tile * Threads + thread.
template <int Threads, int Tiles> struct compact_memory {
  unsigned short items[Threads * Tiles];
  /// Of this round and the next.
  unsigned sizes[2];
};

template <int Threads, int Tiles> class compact_list {
public:
  using memory = compact_memory<Threads, Tiles>;

  __device__ __forceinline__ compact_list(memory& shared, unsigned thread)
      : shared_(shared), thread_(thread) {
    static_assert(Threads >= 32 && Threads <= 1024 && Threads % 32 == 0,
                  "a block is a whole number of warps, at most 1024 threads");
    static_assert(Tiles >= 1 && (Tiles & (Tiles - 1)) == 0, "tiles are a power of two");
    static_assert(Threads * Tiles <= 65536, "a list has at most 65536 items");
    static_assert(sizeof(memory) <= 48 * 1024,
                  "the list must fit into 48 KiB of shared memory: use fewer tiles");
    if (thread < 2)
      shared.sizes[thread] = 0;
    __syncthreads();
  }

  /// Steps 1 and 2: `test(tile)` says whether this thread's item of a tile has work. All threads of
  /// the block call it, and before the next time meet at a barrier.
  template <class Test> __device__ __forceinline__ void fill(Test&& test) {
    for (int tile = 0; tile < Tiles; tile += batch) {
      bool has_work[batch];
#pragma unroll
      for (int i = 0; i < batch; ++i) // no vote in between, so that their loads overlap
        has_work[i] = test(tile + i);
      add(tile, has_work);
    }
    __syncthreads();
    size_ = shared_.sizes[round_ & 1];
    ++round_;
    if (thread_ == 0)
      shared_.sizes[round_ & 1] = 0;
  }

  /// Step 3: `work(item)` for each item of the list.
  template <class Work> __device__ __forceinline__ void run(Work&& work) const {
    for (unsigned place = thread_; place < size_; place += Threads)
      work(static_cast<unsigned>(shared_.items[place]));
  }

private:
  static constexpr int batch = Tiles < 4 ? Tiles : 4;

  /// Lane 3 of a warp whose lanes 1, 3 and 6 have work writes to the second of its three places.
  __device__ __forceinline__ void add(int tile, const bool (&has_work)[batch]) {
    const unsigned lane = thread_ % warp_lanes, lower = (1u << lane) - 1;
    unsigned votes[batch], count = 0;
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      votes[i] = __ballot_sync(all_lanes, has_work[i]);
      count += static_cast<unsigned>(__popc(votes[i]));
    }
    if (count == 0)
      return;
    unsigned place = 0;
    if (lane == 0)
      place = atomicAdd(&shared_.sizes[round_ & 1], count);
    place = __shfl_sync(all_lanes, place, 0);
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      if (has_work[i])
        shared_.items[place + static_cast<unsigned>(__popc(votes[i] & lower))] =
            static_cast<unsigned short>(static_cast<unsigned>(tile + i) * Threads + thread_);
      place += static_cast<unsigned>(__popc(votes[i]));
    }
  }

  memory& shared_;
  unsigned thread_;
  unsigned round_ = 0;
  unsigned size_ = 0;
};

/// Items 0 to end - 1, in strides of the first `blocks` blocks.
template <int Threads, int Tiles, class HasWork, class Work>
__device__ __forceinline__ void compact_strides(std::int64_t end, std::int64_t blocks,
                                                HasWork&& has_work, Work&& work) {
  using list_type = compact_list<Threads, Tiles>;
  assert(blockDim.x == Threads && blockDim.y == 1 && blockDim.z == 1);
  if (blockIdx.x >= blocks)
    return;
  __shared__ typename list_type::memory shared;
  const std::int64_t stride = blocks * Threads;
  list_type list(shared, threadIdx.x);
  for (std::int64_t first = std::int64_t{blockIdx.x} * Threads; first < end;
       first += Tiles * stride) {
    list.fill([&](unsigned tile) {
      const std::int64_t i = first + tile * stride + threadIdx.x;
      return i < end && has_work(i);
    });
    list.run([&](unsigned item) { work(first + item / Threads * stride + item % Threads); });
    __syncthreads(); // the list is written again
  }
}

} // namespace detail

/// Works on items that a guard lets pass: item i = blockIdx.x * blockDim.x + threadIdx.x.
/// `has_work(i)` is the guard; `work(i)` runs for the items of which it is true.
///
/// Needs: blocks of exactly `Threads` threads in one row, all of which call it; `Tiles`, a power of
/// two; nothing of the kernel behind the call. Both functions must depend on nothing but i and what
/// is the same for all blocks: they must not use `threadIdx` or `blockIdx.x`. No barrier, no
/// `*_sync` operation and no other talk between threads in them. Shared memory: 2 bytes an item.
///
/// Guarantees: `has_work` is called once for each item of `blocks` blocks, and then `work` once for
/// each that has some, after the guards of all items of its tiles. Which thread calls is not told.
/// Block b takes the items of the blocks from b * Tiles on; where there are none, it ends at once.
/// A launch needs (blocks + Tiles - 1) / Tiles blocks, and with more takes longer.
template <int Threads, int Tiles, class HasWork, class Work>
__device__ __forceinline__ void compact_tiles(unsigned blocks, HasWork&& has_work, Work&& work) {
  using list_type = detail::compact_list<Threads, Tiles>;
  assert(blockDim.x == Threads && blockDim.y == 1 && blockDim.z == 1);
  const std::uint64_t block = std::uint64_t{blockIdx.x} * Tiles;
  if (block >= blocks)
    return;
  __shared__ typename list_type::memory shared;
  const unsigned tiles = blocks - static_cast<unsigned>(block);
  const std::uint64_t first = block * Threads;
  list_type list(shared, threadIdx.x);
  list.fill([&](unsigned tile) {
    return tile < tiles && has_work(first + (tile * Threads + threadIdx.x));
  });
  list.run([&](unsigned item) { work(first + item); });
}

/// The same in a launch of as many blocks as there were.
template <int Threads, int Tiles, class HasWork, class Work>
__device__ __forceinline__ void compact_tiles(HasWork&& has_work, Work&& work) {
  compact_tiles<Threads, Tiles>(gridDim.x, has_work, work);
}

/// The same for an item of any shape: that of block `blockIdx` and thread `threadIdx`, which both
/// functions are given. They may be called so, and then hide CUDA's own:
///
///   [&](uint3 blockIdx, uint3 threadIdx) { const int x = blockIdx.x * 16 + threadIdx.x; ... }
///
/// Needs blocks of exactly `X` x `Y` x `Z` threads, and the rest as above.
/// Guarantees the same; tiles are `Tiles` blocks one after the other in the order x, y, z.
template <int X, int Y, int Z, int Tiles, class HasWork, class Work>
__device__ __forceinline__ void compact_tiles_at(dim3 blocks, HasWork&& has_work, Work&& work) {
  using list_type = detail::compact_list<X * Y * Z, Tiles>;
  assert(blockDim.x == X && blockDim.y == Y && blockDim.z == Z);
  const std::uint64_t number = detail::number_of_block();
  if (number >= (detail::number_of_blocks(blocks) + Tiles - 1) / Tiles)
    return;
  __shared__ typename list_type::memory shared;
  __shared__ uint3 taken[Tiles];
  const unsigned own = threadIdx.x + X * (threadIdx.y + Y * threadIdx.z);
  for (unsigned tile = own; tile < Tiles; tile += X * Y * Z)
    taken[tile] = detail::block_of_number(number * Tiles + tile, blocks);
  list_type list(shared, own); // with a barrier
  list.fill([&](unsigned tile) {
    const uint3 block = taken[tile];
    return block.z < blocks.z && has_work(block, uint3{threadIdx.x, threadIdx.y, threadIdx.z});
  });
  list.run([&](unsigned item) {
    const unsigned thread = item % (X * Y * Z);
    work(taken[item / (X * Y * Z)], uint3{thread % X, thread / X % Y, thread / (X * Y)});
  });
}

template <int X, int Y, int Z, int Tiles, class HasWork, class Work>
__device__ __forceinline__ void compact_tiles_at(HasWork&& has_work, Work&& work) {
  compact_tiles_at<X, Y, Z, Tiles>(gridDim, has_work, work);
}

/// The same for a loop over items in strides of the grid:
///
///   for (i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
///
/// A block takes `Tiles` turns of its threads at once.
///
/// Needs: blocks of exactly `Threads` threads in one row, all of which call it with the same `n`.
/// Both functions must depend on nothing but i and what is the same for the whole block, and must
/// not talk, as above.
/// Guarantees: `has_work` is called once for each of the block's items below n, and then `work` for
/// those that have some. All threads return.
template <int Threads, int Tiles, class Number, class HasWork, class Work>
__device__ __forceinline__ void compact_range(Number n, HasWork&& has_work, Work&& work) {
  detail::compact_strides<Threads, Tiles>(static_cast<std::int64_t>(n), gridDim.x, has_work, work);
}

/// The same loop, where any block may take any item: as many blocks work as there are `Tiles` items
/// for each of their threads, or all. It is for launches whose threads have hardly a turn each.
///
/// Needs: both functions depend on nothing but i and what is the same for all blocks, and nobody of
/// the block reads what another item leaves in memory. The rest is as above.
template <int Threads, int Tiles, class Number, class HasWork, class Work>
__device__ __forceinline__ void compact_items(Number n, HasWork&& has_work, Work&& work) {
  const auto end = static_cast<std::int64_t>(n);
  detail::compact_strides<Threads, Tiles>(end, detail::blocks_needed(end, Threads * Tiles),
                                          has_work, work);
}

} // namespace heddle
