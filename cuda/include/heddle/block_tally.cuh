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
// them is added there at once. So any index is right, and the number is a question of speed.
// Floating-point sums come in another order, which atomics do not define.
#pragma once

#include <type_traits>

namespace heddle {

template <class T, int Words> class block_tally {
public:
  static_assert(Words > 0, "heddle: a block_tally has at least one word");

  /// Needs: all threads of the block call it.
  __device__ void begin() {
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    for (int k = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); k < Words;
         k += threads)
      words_[k] = T();
    next_ = 0;
    __syncthreads();
  }

  template <class Index> __device__ void add(T* all, Index index, T value) {
    // A negative index is a large one, so that one comparison does for both ends.
    using bits = std::conditional_t<(sizeof(Index) > 4), unsigned long long, unsigned>;
    if (static_cast<bits>(index) < static_cast<unsigned>(Words))
      atomicAdd(&words_[index], value);
    else
      atomicAdd(&all[index], value);
  }

  /// Needs: all threads of the block call it that have not ended. They take words until none is
  /// left, so that it does not matter who they are.
  __device__ void end(T* all) {
    __syncthreads();
    for (int k = atomicAdd(&next_, 1); k < Words; k = atomicAdd(&next_, 1))
      if (const T sum = words_[k]; sum != T())
        atomicAdd(&all[k], sum);
  }

private:
  T words_[Words];
  int next_;
};

} // namespace heddle
