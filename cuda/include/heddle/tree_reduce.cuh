// SPDX-License-Identifier: Apache-2.0
//
// Reductions of an array in shared memory that join the same pairs as the textbook's loops, so that
// sums of floating-point numbers are those of the loops bit for bit. block_reduce is faster, but
// joins the warps' results one after the other.
//
//   reduce_neighbours     ((a0 + a1) + (a2 + a3)) + ((a4 + a5) + (a6 + a7))
//   reduce_halves         ((a0 + a4) + (a2 + a6)) + ((a1 + a5) + (a3 + a7))
#pragma once

#include "warp_reduce.cuh"

#include <cassert>

namespace heddle {
namespace detail {

/// The block must be as large as its reduction was compiled for.
template <int Threads> __device__ void require_block() {
  static_assert(Threads >= 32 && Threads <= 1024 && (Threads & (Threads - 1)) == 0,
                "heddle: blocks of 32 to 1024 threads, a power of two");
  assert(blockDim.x == Threads && "heddle: the reduction is compiled for another block size");
}

/// Joins words[0], words[Step], ... words[(Count - 1) * Step], halves first.
template <int Count, int Step, class T, class Op> __device__ T join_halves(const T* words, Op op) {
  T values[Count];
#pragma unroll
  for (int i = 0; i < Count; ++i)
    values[i] = words[i * Step];
#pragma unroll
  for (int half = Count / 2; half > 0; half /= 2)
#pragma unroll
    for (int i = 0; i < half; ++i)
      values[i] = op(values[i], values[i + half]);
  return values[0];
}

constexpr int most_values = 8; ///< of a thread: more would cost registers that the kernel may need

} // namespace detail

/// Reduces `words`, one for each thread of the block, neighbours first, into words[0].
/// Needs: a one-dimensional block of `Threads` threads, all of which call it; the words of a warp
/// are written by its own lanes, or a barrier is passed since. Thread 0 sees the result, others
/// behind a barrier. The other words are overwritten or not. Asserts that the block has this size.
template <int Threads, class T, class Op = plus>
__device__ void reduce_neighbours(T* words, Op op = Op()) {
  detail::require_block<Threads>();
  constexpr int warps = Threads / detail::warp_lanes;
  const int thread = static_cast<int>(threadIdx.x);
  T value = warp_reduce(words[thread], op);
  if (thread % detail::warp_lanes == 0)
    words[thread] = value;
  if (warps == 1)
    return;
  __syncthreads();
  if (thread >= detail::warp_lanes)
    return;
  value = words[thread < warps ? thread * detail::warp_lanes : 0];
#pragma unroll
  for (int offset = 1; offset < warps; offset *= 2)
    value = op(value, detail::shuffle_down(value, offset));
  if (thread == 0)
    words[0] = value;
}

/// Reduces `words`, one for each thread of the block, halves first, into words[0].
/// Needs: a one-dimensional block of `Threads` threads, all of which call it behind a barrier that
/// follows the writing of the words. Thread 0 sees the result, others behind a barrier. The other
/// words are overwritten or not. Asserts that the block has this size.
template <int Threads, class T, class Op = plus>
__device__ void reduce_halves(T* words, Op op = Op()) {
  detail::require_block<Threads>();
  constexpr int left = Threads < detail::most_values * detail::warp_lanes
                           ? Threads
                           : detail::most_values * detail::warp_lanes;
  const int thread = static_cast<int>(threadIdx.x);
#pragma unroll
  for (int stride = Threads / 2; stride >= left; stride /= 2) {
    if (thread < stride)
      words[thread] = op(words[thread], words[thread + stride]);
    __syncthreads();
  }
  if (thread >= detail::warp_lanes)
    return;
  T value = detail::join_halves<left / detail::warp_lanes, detail::warp_lanes>(words + thread, op);
#pragma unroll
  for (int offset = detail::warp_lanes / 2; offset > 0; offset /= 2)
    value = op(value, detail::shuffle_down(value, offset));
  if (thread == 0)
    words[0] = value;
}

} // namespace heddle
