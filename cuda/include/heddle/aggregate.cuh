// SPDX-License-Identifier: Apache-2.0
//
// Atomics of a warp on few words: one for all lanes that change the same word.
//
//   lane      0  1  2  3  4  5  6  7
//   word      a  b  a  a  b  c  a  a     an atomic each for a (5 lanes), b and c, not eight
//
// The lanes that are here together find those of their word, combine their values in a tree, and
// the first of them changes memory. Needs nothing of the others: any lanes may call it, in any
// branch. Behind it each lane sees its change, as with an atomic of its own. Only aggregate_next
// tells the old value, as if the lanes had come one after the other. Sums of floating-point numbers
// come in another order, which atomics do not define.
#pragma once

#include "operators.cuh"
#include "warp_reduce.cuh"

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heddle {
namespace detail {

template <class T> struct as_written { using type = T; };
template <class T> using as_written_t = typename as_written<T>::type;

struct bit_and {
  template <class T> __device__ T operator()(T a, T b) const { return a & b; }
};
struct bit_or {
  template <class T> __device__ T operator()(T a, T b) const { return a | b; }
};
struct bit_xor {
  template <class T> __device__ T operator()(T a, T b) const { return a ^ b; }
};

/// What another lane of the mask has.
template <class T> __device__ T shuffle_from(unsigned mask, T value, int lane) {
  constexpr int words = (sizeof(T) + 3) / 4;
  std::uint32_t bits[words] = {};
  memcpy(bits, &value, sizeof(T));
#pragma unroll
  for (int i = 0; i < words; ++i)
    bits[i] = __shfl_sync(mask, bits[i], lane);
  memcpy(&value, bits, sizeof(T));
  return value;
}

/// Lanes combine the values of `peers`, each a part of `mask`; the first of the peers has the
/// result. In each round the lanes of even rank take what the next lane has, and that one is done:
///
///   rank 0 1 2 3 4      0 takes 1, 2 takes 3      0 takes 2      0 takes 4
template <class T, class Op>
__device__ T combine_peers(unsigned mask, unsigned peers, T value, Op op) {
  const int lane = lane_id();
  const unsigned below = (1u << lane) - 1;
  unsigned rank = __popc(peers & below);
  unsigned above = peers & ~below & ~(1u << lane);
  while (__any_sync(mask, above != 0)) {
    const int next = above != 0 ? __ffs(above) - 1 : lane;
    const T other = shuffle_from(mask, value, next);
    if (above != 0)
      value = op(value, other);
    above &= __ballot_sync(mask, rank % 2 == 0);
    rank /= 2;
  }
  return value;
}

template <class T, class Op>
__device__ T reduce_peers(unsigned mask, unsigned peers, T value, Op op) {
  if constexpr (has_instruction<T, Op>)
    return reduce_by_instruction<T, Op>(peers, value);
  else
    return combine_peers(mask, peers, value, op);
}

template <class T, class Op, class Change>
__device__ void aggregate(T* address, T value, Op op, Change change) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
  change(address, value);
#else
  const unsigned mask = __activemask();
  const unsigned peers = __match_any_sync(mask, reinterpret_cast<unsigned long long>(address));
  const T all = reduce_peers(mask, peers, value, op);
  if (lane_id() == __ffs(peers) - 1)
    change(address, all);
  __syncwarp(mask);
#endif
}

} // namespace detail

/// atomicAdd(address, value) for each lane that is here.
template <class T> __device__ void aggregate_add(T* address, detail::as_written_t<T> value) {
  detail::aggregate(address, value, plus(), [](T* to, T all) { atomicAdd(to, all); });
}

/// atomicSub(address, value) for each lane that is here.
template <class T> __device__ void aggregate_sub(T* address, detail::as_written_t<T> value) {
  detail::aggregate(address, value, plus(), [](T* to, T all) { atomicSub(to, all); });
}

/// atomicAdd(counter, 1) for each lane that is here, in the order of the lanes: a place for each.
template <class T> __device__ T aggregate_next(T* counter) {
  static_assert(std::is_integral_v<T>, "heddle: places are whole numbers");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
  return atomicAdd(counter, T(1));
#else
  const unsigned mask = __activemask();
  const unsigned peers = __match_any_sync(mask, reinterpret_cast<unsigned long long>(counter));
  const int first = __ffs(peers) - 1, lane = detail::lane_id();
  T begin = 0;
  if (lane == first)
    begin = atomicAdd(counter, T(__popc(peers)));
  begin = detail::shuffle_from(mask, begin, first);
  using bits = std::make_unsigned_t<T>; // wraps, as the counter does
  return T(bits(begin) + bits(__popc(peers & ((1u << lane) - 1))));
#endif
}

/// atomicMin(address, value) for each lane that is here.
template <class T> __device__ void aggregate_min(T* address, detail::as_written_t<T> value) {
  detail::aggregate(address, value, minimum(), [](T* to, T all) { atomicMin(to, all); });
}

/// atomicMax(address, value) for each lane that is here.
template <class T> __device__ void aggregate_max(T* address, detail::as_written_t<T> value) {
  detail::aggregate(address, value, maximum(), [](T* to, T all) { atomicMax(to, all); });
}

/// atomicAnd(address, value) for each lane that is here.
template <class T> __device__ void aggregate_and(T* address, detail::as_written_t<T> value) {
  detail::aggregate(address, value, detail::bit_and(), [](T* to, T all) { atomicAnd(to, all); });
}

/// atomicOr(address, value) for each lane that is here.
template <class T> __device__ void aggregate_or(T* address, detail::as_written_t<T> value) {
  detail::aggregate(address, value, detail::bit_or(), [](T* to, T all) { atomicOr(to, all); });
}

/// atomicXor(address, value) for each lane that is here.
template <class T> __device__ void aggregate_xor(T* address, detail::as_written_t<T> value) {
  detail::aggregate(address, value, detail::bit_xor(), [](T* to, T all) { atomicXor(to, all); });
}

} // namespace heddle
