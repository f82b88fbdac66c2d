// SPDX-License-Identifier: Apache-2.0
//
// Gholami's ladder of five reductions ("Multi-core programming, assignment 6"), each with the fault
// of the one before removed, as teaching code. All printed loops end a step early and the printed
// last warp races; here the loops run to the end, and lanes wait for one another.
//
//   rung  step of 8 threads, d = 1        fault left
//   1     0<1   2<3   4<5   6<7           every warp splits: lanes 0, 2, 4... add, the others wait
//   2     0<1   2<3   4<5   6<7           by threads 0..3; their words lie 2d apart: bank conflicts
//   3     0<4   1<5   2<6   3<7  (d = 4)  half the threads never add anything
//   4     the same, first addition while loading    a barrier in every step, even within a warp
//   5     the same, the last warp unrolled, without barriers
//
// device_reduce is what comes above: no shared memory within a warp, wide loads, one launch.
#pragma once

#include <type_traits>

namespace heddle {
namespace ladder {

constexpr int rungs = 5;
constexpr int warp_lanes = 32;

/// Elements that a block of rung `Rung` adds.
template <int Rung, int Threads> constexpr unsigned span = (Rung >= 4 ? 2 : 1) * Threads;

/// Looks at each step of a rung: what adds, which word, when a block waits. This one does not look
/// and costs nothing.
struct blind {
  __device__ void step(bool /*adds*/, unsigned /*word*/) {}
  __device__ void barrier() {}
};

/// Rung 1. The remainder must be divided for: nvcc does so, but clang sees that 2 * d is a power of
/// two. The factor is two, but only at run time, so that all of them divide.
template <class T, class Watch> __device__ void add_divergent(T* words, Watch watch) {
  const unsigned thread = threadIdx.x;
  const unsigned two = blockDim.y + 1;
  for (unsigned d = 1; d < blockDim.x; d *= two) {
    watch.step(thread % (2 * d) == 0, thread);
    if (thread % (2 * d) == 0)
      if (thread + d < blockDim.x)
        words[thread] += words[thread + d];
    __syncthreads();
    watch.barrier();
  }
}

/// Rung 2: the threads that add are the first ones.
template <class T, class Watch> __device__ void add_by_index(T* words, Watch watch) {
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    const unsigned index = 2 * d * threadIdx.x;
    watch.step(index < blockDim.x, index);
    if (index < blockDim.x)
      if (index + d < blockDim.x)
        words[index] += words[index + d];
    __syncthreads();
    watch.barrier();
  }
}

/// Rungs 3 and 4, and 5 down to `last`: neighbouring threads add neighbouring words.
template <class T, class Watch>
__device__ void add_sequential(T* words, unsigned last, Watch watch) {
  const unsigned thread = threadIdx.x;
  for (unsigned d = blockDim.x / 2; d >= last; d >>= 1) {
    watch.step(thread < d, thread);
    if (thread < d)
      if (thread + d < blockDim.x)
        words[thread] += words[thread + d];
    __syncthreads();
    watch.barrier();
  }
}

template <int D, class T, class Watch> __device__ void add_in_warp(T* words, Watch watch) {
  watch.step(true, threadIdx.x);
  const T other = words[threadIdx.x + D];
  __syncwarp(); // before another lane overwrites what this one reads
  words[threadIdx.x] += other;
  __syncwarp();
}

/// Rung 5: the last 64 words. All lanes add; only lane 0's sum is used.
template <class T, class Watch> __device__ void add_unrolled(T* words, Watch watch) {
  if (threadIdx.x >= warp_lanes)
    return;
  add_in_warp<32>(words, watch);
  add_in_warp<16>(words, watch);
  add_in_warp<8>(words, watch);
  add_in_warp<4>(words, watch);
  add_in_warp<2>(words, watch);
  add_in_warp<1>(words, watch);
}

/// Adds `count` elements of `in` to one sum for each block, sums[blockIdx.x].
/// Needs: one-dimensional blocks of `Threads` threads, one for every span<Rung, Threads> elements.
template <int Rung, int Threads, class T, class Watch>
__global__ void add_blocks(const T* in, T* sums, unsigned count, Watch watch) {
  static_assert(Rung >= 1 && Rung <= rungs, "heddle: the ladder has rungs 1 to 5");
  static_assert(Threads >= 64 && Threads <= 1024 && (Threads & (Threads - 1)) == 0,
                "heddle: the ladder takes blocks of 64 to 1024 threads, a power of two");
  static_assert(std::is_arithmetic_v<T>, "heddle: the ladder adds numbers");
  __shared__ T words[Threads];
  const unsigned thread = threadIdx.x;
  const unsigned i = blockIdx.x * span<Rung, Threads> + thread;
  T mine = i < count ? in[i] : T(0);
  if (Rung >= 4 && i + blockDim.x < count)
    mine += in[i + blockDim.x];
  words[thread] = mine;
  __syncthreads();
  watch.barrier();
  if (Rung == 1)
    add_divergent(words, watch);
  else if (Rung == 2)
    add_by_index(words, watch);
  else
    add_sequential(words, Rung == 5 ? 64 : 1, watch);
  if (Rung == 5)
    add_unrolled(words, watch);
  if (thread == 0)
    sums[blockIdx.x] = words[0];
}

/// Adds `count` elements of `in`, at most 2^31, by launches until one sum is left: in sums[0][0] or
/// sums[1][0], of which `*where` becomes the address.
/// Needs: both `sums` with room for one element of each block of the first launch. A launch reads
/// one and writes the other.
template <int Rung, int Threads = 1024, class T>
cudaError_t add(const T* in, unsigned count, T* const (&sums)[2], T** where,
                cudaStream_t stream = nullptr) {
  for (int level = 0;; ++level) {
    const unsigned blocks = count == 0 ? 1 : (count - 1) / span<Rung, Threads> + 1;
    *where = sums[level % 2];
    add_blocks<Rung, Threads><<<blocks, Threads, 0, stream>>>(in, *where, count, blind());
    if (blocks == 1)
      return cudaPeekAtLastError();
    in = *where;
    count = blocks;
  }
}

} // namespace ladder
} // namespace heddle
