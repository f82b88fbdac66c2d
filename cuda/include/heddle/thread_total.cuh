// SPDX-License-Identifier: Apache-2.0
//
// What all threads of a launch join at one address, kept by each thread for itself until the end: a
// counter, the energy of all particles, the left edge of all points.
//
//   heddle::thread_total<int> hits;                      // in a register
//   ...
//   hits.join(1);                                        // in the place of atomicAdd(count, 1)
//   ...
//   hits.end(count);                                     // one atomic a block
//
//   heddle::thread_total<int, heddle::minimum> left;     // atomicMin(&box->left, x)
//
// Floating-point sums come in another order, which atomics do not define.
#pragma once

#include "aggregate.cuh"
#include "operators.cuh"
#include "warp_reduce.cuh"

#include <limits>
#include <type_traits>

namespace heddle {

/// a & b, a | b and a ^ b, for a thread_total.
using bit_and = detail::bit_and;
using bit_or = detail::bit_or;
using bit_xor = detail::bit_xor;
/// For what atomicSub takes away.
struct minus : plus {};

namespace detail {

/// What changes nothing, and how a block's total goes to memory.
template <class T, class Op> struct change;
template <class T> struct change<T, plus> {
  static __device__ T nothing() { return T(); }
  static __device__ void apply(T* to, T all) { atomicAdd(to, all); }
};
template <class T> struct change<T, minus> : change<T, plus> {
  static __device__ void apply(T* to, T all) { atomicSub(to, all); }
};
template <class T> struct change<T, minimum> {
  static constexpr T most = std::numeric_limits<T>::max(); // device code may not call it
  static __device__ T nothing() { return most; }
  static __device__ void apply(T* to, T all) { atomicMin(to, all); }
};
template <class T> struct change<T, maximum> {
  static constexpr T least = std::numeric_limits<T>::lowest();
  static __device__ T nothing() { return least; }
  static __device__ void apply(T* to, T all) { atomicMax(to, all); }
};
template <class T> struct change<T, bit_and> {
  static __device__ T nothing() { return static_cast<T>(~T()); }
  static __device__ void apply(T* to, T all) { atomicAnd(to, all); }
};
template <class T> struct change<T, bit_or> {
  static __device__ T nothing() { return T(); }
  static __device__ void apply(T* to, T all) { atomicOr(to, all); }
};
template <class T> struct change<T, bit_xor> {
  static __device__ T nothing() { return T(); }
  static __device__ void apply(T* to, T all) { atomicXor(to, all); }
};

/// The first `lanes` lanes of a warp, which are all that call it; lane 0 has the result.
template <class T, class Op> __device__ T reduce_first_lanes(T value, int lanes, Op op) {
  const unsigned mask = lanes < warp_lanes ? (1u << lanes) - 1 : all_lanes;
  if constexpr (has_instruction<T, Op>) {
    return reduce_by_instruction<T, Op>(mask, value);
  } else {
    const int lane = lane_id();
#pragma unroll
    for (int offset = warp_lanes / 2; offset > 0; offset /= 2) {
      const T other = shuffle_from(mask, value, lane + offset < lanes ? lane + offset : lane);
      if (lane + offset < lanes)
        value = op(value, other);
    }
    return value;
  }
}

} // namespace detail

template <class T, class Op = plus> class thread_total {
public:
  static_assert(std::is_arithmetic_v<T>, "heddle: a thread_total is a number");

  __device__ __forceinline__ void join(T value) { value_ = Op()(value_, value); }

  /// Needs: all threads of the block call it, and none has ended. The first thread of the block
  /// changes memory, if there is anything to change.
  __device__ void end(T* to) const {
    __shared__ T ofWarps[detail::warp_lanes];
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    const int own = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int warp = own / detail::warp_lanes, rest = threads - warp * detail::warp_lanes;
    T all = detail::reduce_first_lanes(value_, rest < detail::warp_lanes ? rest : 32, Op());
    if (threads > detail::warp_lanes) {
      __syncthreads(); // another total of this type may still be read
      if (own % detail::warp_lanes == 0)
        ofWarps[warp] = all;
      __syncthreads();
      const int warps = (threads + detail::warp_lanes - 1) / detail::warp_lanes;
      if (own < warps)
        all = detail::reduce_first_lanes(T(ofWarps[own]), warps, Op());
    }
    if (own == 0 && all != change::nothing())
      change::apply(to, all);
  }

private:
  using change = detail::change<T, Op>;

  T value_ = change::nothing();
};

} // namespace heddle
