// SPDX-License-Identifier: Apache-2.0
//
// The reduction of one value of each lane of a warp, without shared memory.
//
// Offsets grow, so that a lane always joins two neighbouring runs of lanes and order is kept:
//
//   lane          0      1      2      3
//   offset 1      a·b    b·c    c·d    d
//   offset 2      a·b·c·d ...
#pragma once

#include "operators.cuh"
#include "warp.cuh"

#include <cstdint>
#include <cstring>

namespace heddle {
namespace detail {

/// The value of the lane `offset` above; of lanes beyond the warp the caller's own.
template <class T> __device__ T shuffle_down(T value, int offset) {
  constexpr int words = (sizeof(T) + 3) / 4;
  std::uint32_t bits[words] = {};
  memcpy(bits, &value, sizeof(T));
#pragma unroll
  for (int i = 0; i < words; ++i)
    bits[i] = __shfl_down_sync(all_lanes, bits[i], offset);
  memcpy(&value, bits, sizeof(T));
  return value;
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
constexpr bool reduces_words = true;
#else
constexpr bool reduces_words = false;
#endif

/// Integers of a word or less have an instruction of their own from compute capability 8.0 on.
template <class T, class Op>
constexpr bool has_instruction = reduces_words && is_builtin<Op> && std::is_integral_v<T> &&
                                 !std::is_same_v<T, bool> && sizeof(T) <= 4;

template <class T, class Op> __device__ T reduce_by_instruction(unsigned mask, T value) {
  using word = std::conditional_t<std::is_signed_v<T>, int, unsigned>;
  if constexpr (std::is_same_v<Op, plus>)
    return static_cast<T>(__reduce_add_sync(mask, static_cast<word>(value)));
  else if constexpr (std::is_same_v<Op, minimum>)
    return static_cast<T>(__reduce_min_sync(mask, static_cast<word>(value)));
  else
    return static_cast<T>(__reduce_max_sync(mask, static_cast<word>(value)));
}

} // namespace detail

/// Reduces the values of all lanes of the warp.
/// Needs: all 32 lanes call it; op is associative (it need not be commutative: the order of lanes
/// is kept). Lane 0 holds the result; what other lanes get is not specified.
template <class T, class Op = plus> __device__ T warp_reduce(T value, Op op = Op()) {
  static_assert(detail::is_plain<T>,
                "heddle: warp_reduce takes types that are trivial to copy and to construct");
  if constexpr (detail::has_instruction<T, Op>) {
    return detail::reduce_by_instruction<T, Op>(detail::all_lanes, value);
  } else {
#pragma unroll
    for (int offset = 1; offset < detail::warp_lanes; offset *= 2)
      value = op(value, detail::shuffle_down(value, offset));
    return value;
  }
}

/// The same for the first `valid` lanes; the values of the others are not used.
/// Needs: all 32 lanes call it with the same `valid`; rows of threads are whole warps (blockDim.x
/// is a multiple of 32, or the block has one row). Lane 0 holds the result if valid > 0.
template <class T, class Op> __device__ T warp_reduce(T value, Op op, int valid) {
  static_assert(detail::is_plain<T>,
                "heddle: warp_reduce takes types that are trivial to copy and to construct");
  const int lane = static_cast<int>(threadIdx.x) % detail::warp_lanes;
  if constexpr (detail::has_instruction<T, Op>) {
    const unsigned mask = __ballot_sync(detail::all_lanes, lane < valid);
    return lane < valid ? detail::reduce_by_instruction<T, Op>(mask, value) : value;
  } else {
#pragma unroll
    for (int offset = 1; offset < detail::warp_lanes; offset *= 2) {
      const T other = detail::shuffle_down(value, offset);
      if (lane + offset < valid)
        value = op(value, other);
    }
    return value;
  }
}

} // namespace heddle
