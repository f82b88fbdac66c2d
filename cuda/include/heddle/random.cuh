// SPDX-License-Identifier: Apache-2.0
//
// curand_init for XORWOW, by all lanes of a warp together.
//
// To start at sequence s a thread multiplies its state, 160 bits, by a matrix for each digit of s
// to the base 4: each thread alone, and for each of its bits that is set. Threads of a warp mostly
// have sequences one after the other, so nearly all of that is the same work. Here a product is
// made once for the warp: a lane takes five of the 160 rows, and the lanes' parts are joined. 32
// sequences in a row are 31 products behind the first of them:
//
//   16 further               1 product        lanes 16..31
//   4, 8 and 12 further      3 for each 16    lanes 4..7, 8..11, 12..15, 20..23, ...
//   1, 2 and 3 further       3 for each 4     lanes 1, 2, 3, 5, ...
//
// The states are curand_init's, bit for bit: powers of one matrix may be applied in any order. The
// matrices are cuRAND's own, which its header has for curand_init.
#pragma once

#include "warp.cuh"

#include <curand_kernel.h>

namespace heddle {
namespace detail {

struct xorwow_bits {
  unsigned v[5];
};

/// 160 rows of 5 words, of which a lane keeps those of one bit of each word.
struct xorwow_matrix {
  explicit __device__ xorwow_matrix(int digit) : words(precalc_xorwow_matrix[digit]) {
#pragma unroll
    for (int word = 0; word < 5; ++word)
#pragma unroll
      for (int k = 0; k < 5; ++k)
        own[word][k] = row(word, lane_id())[k];
  }
  __device__ const unsigned* row(int word, int bit) const {
    return words + 5 * (warp_lanes * word + bit);
  }

  const unsigned* words;
  unsigned own[5][5];
};

/// The first lanes of a warp, or all of it.
class xorwow_lanes {
public:
  explicit __device__ xorwow_lanes(unsigned mask) : mask_(mask) {
    count_ = __popc(mask);
    lane_ = lane_id();
  }

  __device__ bool all(bool here) const { return __all_sync(mask_, here); }
  /// The largest of the numbers below 32.
  __device__ int largest(unsigned long long number) const {
    unsigned least = 0;
    for (unsigned more = warp_lanes / 2; more > 0; more /= 2)
      if (__any_sync(mask_, number < warp_lanes && number >= least + more))
        least += more;
    return static_cast<int>(least);
  }
  __device__ unsigned which(bool here) const { return __ballot_sync(mask_, here); }
  __device__ unsigned long long of_lane(unsigned long long word, int lane) const {
    return __shfl_sync(mask_, word, lane);
  }
  __device__ xorwow_bits of_lane(xorwow_bits bits, int lane) const {
#pragma unroll
    for (int k = 0; k < 5; ++k)
      bits.v[k] = __shfl_sync(mask_, bits.v[k], lane);
    return bits;
  }

  /// Of lane i below `count`: a generator's at `first` + i. All lanes have the same arguments.
  __device__ xorwow_bits row(unsigned long long seed, unsigned long long first, int count) const {
    curandStateXORWOW start;
    ::curand_init(seed, 0, 0, &start);
    xorwow_bits bits;
#pragma unroll
    for (int k = 0; k < 5; ++k)
      bits.v[k] = start.v[k];
    for (int digit = 0; first != 0; ++digit, first >>= 2)
      if ((first & 3) != 0) {
        const xorwow_matrix matrix(digit);
        for (unsigned turn = 0; turn < (first & 3); ++turn)
          bits = product(matrix, bits);
      }
    bits = spread(bits, count, 2, 16);
    bits = spread(bits, count, 1, 4);
    return spread(bits, count, 0, 1);
  }

private:
  /// All lanes have the same bits, before and behind.
  __device__ xorwow_bits product(const xorwow_matrix& matrix, const xorwow_bits& bits) const {
    xorwow_bits sum = {};
#pragma unroll
    for (int word = 0; word < 5; ++word)
      add_row(sum, matrix.own[word], bits.v[word] >> lane_);
    if (count_ < warp_lanes)
#pragma unroll
      for (int word = 0; word < 5; ++word)
        for (int bit = lane_ + count_; bit < warp_lanes; bit += count_)
          add_row(sum, matrix.row(word, bit), bits.v[word] >> bit);
#pragma unroll
    for (int k = 0; k < 5; ++k)
      sum.v[k] = xor_of_lanes(sum.v[k]);
    return sum;
  }

  /// Where the lowest bit is set.
  static __device__ void add_row(xorwow_bits& sum, const unsigned row[5], unsigned bits) {
#pragma unroll
    for (int k = 0; k < 5; ++k)
      sum.v[k] ^= row[k] & (0u - (bits & 1u));
  }

  __device__ unsigned xor_of_lanes(unsigned word) const {
#if __CUDA_ARCH__ >= 800
    return __reduce_xor_sync(mask_, word);
#else
    for (int distance = 1; distance < warp_lanes; distance *= 2) {
      const unsigned other = __shfl_xor_sync(mask_, word, distance);
      word ^= (lane_ ^ distance) < count_ ? other : 0;
    }
    return __shfl_sync(mask_, word, 0);
#endif
  }

  /// Of each lane: those of the first lane of its group of 4 * `lanes`, gone as many times
  /// 4^`digit` sequences further as there are groups of `lanes` before its own.
  __device__ xorwow_bits spread(xorwow_bits bits, int count, int digit, int lanes) const {
    if (count <= lanes)
      return bits;
    const xorwow_matrix matrix(digit);
    for (int first = 0; first < count; first += 4 * lanes) {
      xorwow_bits further = of_lane(bits, first);
      for (int at = first + lanes; at < first + 4 * lanes && at < count; at += lanes) {
        further = product(matrix, further);
        if (lane_ >= at && lane_ < at + lanes)
          bits = further;
      }
    }
    return bits;
  }

  unsigned mask_;
  int count_, lane_;
};

/// How far a lane's sequence is from another one; 32 where no lane that is here is that far from
/// the first.
__device__ inline unsigned long long place_in_row(unsigned here, unsigned long long sequence,
                                                  unsigned long long first) {
  const unsigned long long place = sequence - first;
  return place < warp_lanes && (here >> place & 1u) != 0 ? place : warp_lanes;
}

/// Whether the lanes that are here are the first of the warp, have one seed, and sequences below
/// 2^32 in few rows, each beginning with the sequence of one lane.
__device__ inline bool share_start(const xorwow_lanes& lanes, unsigned here,
                                   unsigned long long seed, unsigned long long sequence) {
  constexpr int most_rows = 4;
  if ((here & (here + 1)) != 0)
    return false;
  const bool fits = seed == lanes.of_lane(seed, 0) && sequence >> 32 == 0;
  int rows = 0;
  for (unsigned waiting = here; waiting != 0 && rows <= most_rows; ++rows) {
    const unsigned long long first = lanes.of_lane(sequence, __ffs(waiting) - 1);
    waiting &= ~lanes.which(place_in_row(here, sequence, first) < warp_lanes);
  }
  return lanes.all(fits) && rows <= most_rows;
}

} // namespace detail

/// What ::curand_init does. Any lanes may call it: where they are not the first of their warp, have
/// different seeds or sequences far apart, each does it alone.
__device__ inline void curand_init(unsigned long long seed, unsigned long long sequence,
                                   unsigned long long offset, curandStateXORWOW* state) {
  using namespace detail;
  const unsigned here = __activemask();
  const xorwow_lanes lanes(here);
  const bool together = share_start(lanes, here, seed, sequence);
  ::curand_init(seed, together ? 0 : sequence, together ? 0 : offset, state);
  if (!together)
    return;
  for (unsigned waiting = here; waiting != 0;) {
    const unsigned long long begin = lanes.of_lane(sequence, __ffs(waiting) - 1);
    const unsigned long long place = place_in_row(here, sequence, begin);
    const xorwow_bits found = lanes.of_lane(lanes.row(seed, begin, lanes.largest(place) + 1),
                                            static_cast<int>(place % warp_lanes));
    if (place < warp_lanes) {
#pragma unroll
      for (int k = 0; k < 5; ++k)
        state->v[k] = found.v[k];
    }
    waiting &= ~lanes.which(place < warp_lanes);
  }
  ::skipahead(offset, state);
}

} // namespace heddle
