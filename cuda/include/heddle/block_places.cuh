// SPDX-License-Identifier: Apache-2.0
//
// Places from counters, `list[atomicAdd(count, 1)] = x`, taken for a whole block at once.
//
//   heddle::block_places<1>(
//       [&](auto& places) {                            // a thread's part of the kernel
//         ...
//         if (x > limit) {
//           if (places.asks(count, 0))                 // in front of what needs the place
//             return;
//           list[places.next(count, 0)] = x;           // in the place of atomicAdd(&count[0], 1)
//         }
//       },
//       count);
//
// Threads call the function twice. The first time they leave it where they ask, and the block
// counts them; then one atomic for each counter takes places for all, and those that have asked
// come again and get theirs. Who has not asked is done after the first time. Places come in the
// order of the threads, as far as they ask in that order.
#pragma once

#include "aggregate.cuh"
#include "tiles.cuh"

#include <type_traits>

namespace heddle {
namespace detail {

/// What a thread has asked for.
struct asked_place {
  bool any = false;
  int word = -1; ///< of the block's counts; none: the counter is not one of these
  unsigned rank = 0;
};

/// `Words` counts for each of some counters: of places that each warp asks for, so that who comes
/// first is no matter of time, and of all in front of this tile.
template <class T, int Words, int Counters> struct place_counts {
  static constexpr int all = Words * Counters;
  unsigned ofWarps[all * warp_lanes];
  T begin[all];
  T* counters[Counters];

  template <class Index> __device__ __forceinline__ int word(const T* counter, Index index) const {
    using bits = std::conditional_t<(sizeof(Index) > 4), unsigned long long, unsigned>;
    if (static_cast<bits>(index) < static_cast<unsigned>(Words))
      for (int i = 0; i < Counters; ++i)
        if (counter == counters[i])
          return i * Words + static_cast<int>(index);
    return -1;
  }
  __device__ __forceinline__ unsigned& ofWarp(int word) {
    return ofWarps[word * warps() + thread() / warp_lanes];
  }
  /// Of a tile: counts become those of the warps in front, and of the tiles in front.
  __device__ __forceinline__ void add_up() {
    for (int k = thread(); k < all; k += threads()) {
      unsigned sum = static_cast<unsigned>(begin[k]);
      for (int warp = 0; warp < warps(); ++warp) {
        const unsigned own = ofWarps[k * warps() + warp];
        ofWarps[k * warps() + warp] = sum;
        sum += own;
      }
      begin[k] = static_cast<T>(sum);
    }
  }
  __device__ __forceinline__ void clear() {
    for (int k = thread(); k < all * warps(); k += threads())
      ofWarps[k] = 0;
  }

  static __device__ __forceinline__ int threads() { return blockDim.x * blockDim.y * blockDim.z; }
  static __device__ __forceinline__ int warps() {
    return (threads() + warp_lanes - 1) / warp_lanes;
  }
  static __device__ __forceinline__ int thread() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
};

template <class Counts> class asking_for_places {
public:
  __device__ asking_for_places(Counts& counts, asked_place& own) : counts_(counts), own_(own) {}

  template <class T, class Index> __device__ __forceinline__ bool asks(T* counter, Index index) {
    own_.any = true;
    own_.word = counts_.word(counter, index);
    if (own_.word >= 0)
      own_.rank = aggregate_next(&counts_.ofWarp(own_.word));
    return true;
  }
  template <class T, class Index> __device__ __forceinline__ T next(T*, Index) { return T(); }

private:
  Counts& counts_;
  asked_place& own_;
};

template <class Counts> class giving_places {
public:
  __device__ giving_places(const Counts& counts, const asked_place& own)
      : counts_(counts), own_(own) {}

  template <class T, class Index> __device__ __forceinline__ bool asks(T*, Index) { return false; }
  /// Who comes a second time was not counted for that.
  template <class T, class Index> __device__ __forceinline__ T next(T* counter, Index index) {
    const int word = own_.word;
    own_.word = -1;
    if (word < 0)
      return aggregate_next(&counter[index]);
    using bits = std::make_unsigned_t<T>; // wraps, as the counter does
    return T(bits(counts_.begin[word]) + bits(own_.rank));
  }

private:
  const Counts& counts_;
  asked_place own_;
};

/// `body(block, places)` is called for this block's tiles.
template <int Tiles, int Words, class Body, class T, class... Others>
__device__ __forceinline__ void places_of_tiles(dim3 grid, Body&& body, T* counter,
                                                Others*... others) {
  constexpr int number = 1 + sizeof...(Others);
  using counts_type = place_counts<T, Words, number>;
  __shared__ counts_type counts;
  const int own = counts_type::thread();
  for (int k = own; k < counts_type::all; k += counts_type::threads())
    counts.begin[k] = T();
  if (own == 0) {
    T* const given[] = {counter, others...};
    for (int i = 0; i < number; ++i)
      counts.counters[i] = given[i];
  }
  asked_place asked[Tiles];
  uint3 blocks[Tiles];
  blocks[0] = block_of_number(number_of_block() * Tiles, grid);
#pragma unroll
  for (int tile = 0; tile < Tiles; ++tile) {
    if (tile > 0)
      blocks[tile] = block_behind(blocks[tile - 1], 1, grid);
    counts.clear();
    __syncthreads();
    asking_for_places<counts_type> places(counts, asked[tile]);
    if (blocks[tile].z < grid.z)
      body(blocks[tile], places);
    __syncthreads();
    counts.add_up();
    __syncthreads();
    if (asked[tile].word >= 0)
      asked[tile].rank += counts.ofWarp(asked[tile].word);
    __syncthreads();
  }
  for (int k = own; k < counts_type::all; k += counts_type::threads())
    if (const T count = counts.begin[k]; count != T())
      counts.begin[k] = atomicAdd(&counts.counters[k / Words][k % Words], count);
  __syncthreads();
#pragma unroll
  for (int tile = 0; tile < Tiles; ++tile)
    if (asked[tile].any) {
      giving_places<counts_type> places(counts, asked[tile]);
      body(blocks[tile], places);
    }
}

} // namespace detail

/// Needs: all threads of the block call it, and none has ended. The body changes nothing before it
/// asks, comes to the same place when it is called again, does not wait for other threads, and adds
/// to the counters by nothing but `next`, behind `asks` of the same counter and index.
/// `Words`: of each counter those that are taken for the block; others are taken for a warp.
template <int Words, class Body, class T, class... Others>
__device__ __forceinline__ void block_places(Body&& body, T* counter, Others*... others) {
  detail::places_of_tiles<1, Words>(
      gridDim, [&](uint3, auto& places) { body(places); }, counter, others...);
}

/// The same for `Tiles` neighbouring blocks at once: `body(blockIdx, places)`.
/// Needs: blocks without tiles have ended (`has_tiles`).
template <int Tiles, int Words, class Body, class T, class... Others>
__device__ __forceinline__ void block_places_of_tiles(Body&& body, T* counter, Others*... others) {
  detail::places_of_tiles<Tiles, Words>(gridDim, body, counter, others...);
}

/// The same in a launch of fewer blocks, of which each has tiles: there were `blocks`.
template <int Tiles, int Words, class Body, class T, class... Others>
__device__ __forceinline__ void block_places_of_tiles(dim3 blocks, Body&& body, T* counter,
                                                      Others*... others) {
  detail::places_of_tiles<Tiles, Words>(blocks, body, counter, others...);
}

} // namespace heddle
