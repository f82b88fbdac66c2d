// SPDX-License-Identifier: Apache-2.0
//
// The reduction of one value of each thread of a block: every warp by itself, then the first thread
// over the warps' results.
#pragma once

#include "warp_reduce.cuh"

namespace heddle {

/// Shared memory of one block_reduce. After a call it may be used again when the block has passed a
/// barrier.
template <class T, int Threads> struct block_reduce_storage {
  static_assert(Threads % 32 == 0, "heddle: block_reduce takes blocks of whole warps");
  static_assert(Threads >= 32 && Threads <= 1024,
                "heddle: block_reduce takes blocks of 32 to 1024 threads");
  static_assert(detail::is_plain<T>,
                "heddle: block_reduce takes types that are trivial to copy and to construct");
  alignas(16) alignas(T) T results[Threads / 32]; // read by vectors
};

namespace detail {

/// The second half of a block_reduce: `result` is what this thread's warp made of its `valid`
/// threads. One thread adds up to 31 values sooner than a warp shuffles them.
template <class T, int Threads, class Op>
__device__ T join_warps(T result, block_reduce_storage<T, Threads>& storage, Op op, int valid) {
  constexpr int warps = Threads / warp_lanes;
  if constexpr (warps > 1) {
    if (threadIdx.x % warp_lanes == 0)
      storage.results[threadIdx.x / warp_lanes] = result;
    __syncthreads();
    if (threadIdx.x == 0) {
#pragma unroll
      for (int i = 1; i < warps; ++i) {
        const T other = storage.results[i]; // always: so that no load waits for another
        if (i * warp_lanes < valid)
          result = op(result, other);
      }
    }
  }
  return result;
}

} // namespace detail

/// Reduces the values of all threads of the block.
/// Needs: a one-dimensional block of `Threads` threads, all of which call it; op is associative (it
/// need not be commutative: the order of threads is kept). Thread 0 holds the result; what other
/// threads get is not specified.
template <class T, int Threads, class Op = plus>
__device__ T block_reduce(T value, block_reduce_storage<T, Threads>& storage, Op op = Op()) {
  return detail::join_warps(warp_reduce(value, op), storage, op, Threads);
}

/// The same for the first `valid` threads; the values of the others are not used.
/// Needs: all threads call it with the same `valid`, 0 to Threads. Thread 0 holds the result if
/// valid > 0.
template <class T, int Threads, class Op>
__device__ T block_reduce(T value, block_reduce_storage<T, Threads>& storage, Op op, int valid) {
  const int before = static_cast<int>(threadIdx.x) & ~(detail::warp_lanes - 1);
  return detail::join_warps(warp_reduce(value, op, valid - before), storage, op, valid);
}

} // namespace heddle
