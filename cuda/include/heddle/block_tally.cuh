// SPDX-License-Identifier: Apache-2.0
//
// Sums that all threads of a launch add to, kept apart for each block: a histogram, scores.
//
//   __shared__ heddle::block_tally<unsigned, 256> own;
//   own.begin();                       // all threads of the block
//   ...
//   own.add(counts, kind, 1u);         // in the place of atomicAdd(&counts[kind], 1u)
//   ...
//   own.end(counts);                   // all that are left of them
//
// The first `Words` sums are added up in shared memory and then once to memory; what lies behind
// them is added there at once. So any index is right, and the number is a question of speed. With
// several `Copies` of each sum, lanes that add to the same one wait less for each other: for few
// sums that many want.
// Floating-point sums come in another order, which atomics do not define.
#pragma once

#include "warp_reduce.cuh"

#include <type_traits>

namespace heddle {

template <class T, int Words, int Copies = 1> class block_tally {
public:
  static_assert(Words > 0 && Copies > 0, "heddle: a block_tally has at least one word");

  /// Needs: all threads of the block call it.
  __device__ void begin() {
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    for (int k = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
         k < Words * Copies; k += threads)
      words_[k] = T();
    next_ = 0;
    __syncthreads();
  }

  template <class Index> __device__ void add(T* all, Index index, T value) {
    // A negative index is a large one, so that one comparison does for both ends.
    using bits = std::conditional_t<(sizeof(Index) > 4), unsigned long long, unsigned>;
    if (static_cast<bits>(index) < static_cast<unsigned>(Words))
      atomicAdd(&words_[static_cast<unsigned>(index) * Copies + detail::lane_id() % Copies], value);
    else
      atomicAdd(&all[index], value);
  }

  /// Needs: all threads of the block call it that have not ended. They take words until none is
  /// left, so that it does not matter who they are.
  __device__ void end(T* all) {
    __syncthreads();
    for (int k = atomicAdd(&next_, 1); k < Words; k = atomicAdd(&next_, 1))
      if (const T sum = sumOf(k); sum != T())
        atomicAdd(&all[k], sum);
  }

private:
  /// Threads that ask for neighbouring words begin with different copies, in different banks.
  __device__ T sumOf(int word) const {
    T sum = words_[word * Copies + word % Copies];
    for (int i = 1; i < Copies; ++i)
      sum += words_[word * Copies + (word + i) % Copies];
    return sum;
  }

  T words_[Words * Copies]; ///< the copies of a sum are neighbours
  int next_;
};

} // namespace heddle
