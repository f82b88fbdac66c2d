// SPDX-License-Identifier: Apache-2.0
//
// A loop whose body takes one of several ways, cut into the parts that scheduled_loop and
// regrouped_loop put together again:
//
//   while (c1) {                    next    c1 ? (B1; the way of this turn) : done
//     B1;                           paths   P0, P1, ..., one a way
//     switch (c2) { P0; P1; ... }   after   B2, where there is one
//     B2;
//   }
//
// A path says by what it returns how its turn ends: nothing or flow::proceed runs `after`,
// flow::skip is `continue`, flow::leave is `break`.
#pragma once

#include "warp.cuh"

#include <cuda_runtime.h>

#include <type_traits>

namespace heddle {

/// What `next` returns for a thread whose loop is over.
constexpr int done = -1;

/// How a path ends its turn.
enum class flow {
  proceed, ///< on to `after`, then to `next`
  skip,    ///< `continue`: to `next` at once
  leave    ///< `break`: the loop of this thread is over
};

namespace detail {

constexpr int max_ways = 8;

/// Bits that tell the ways apart.
__host__ __device__ constexpr int way_bits(int ways) {
  return ways <= 2 ? 1 : ways <= 4 ? 2 : 3;
}

/// One of the `Bits` bits of a way; the highest by a comparison, which is shorter.
template <int Bits> __device__ __forceinline__ bool has_bit(int way, int bit) {
  return bit + 1 == Bits ? way >= 1 << bit : (way & 1 << bit) != 0;
}

/// Calls a path or `after`; one that returns nothing proceeds.
template <class Path, class... Args>
__device__ __forceinline__ flow call(Path& path, Args&... args) {
  if constexpr (std::is_void_v<decltype(path(args...))>) {
    path(args...);
    return flow::proceed;
  } else {
    static_assert(std::is_same_v<decltype(path(args...)), flow>,
                  "a path returns nothing or a heddle::flow");
    return path(args...);
  }
}

/// References to the parts of a loop: its paths, then `after`, where there is one.
template <class... Parts> struct loop_parts {};
template <class First, class... Rest> struct loop_parts<First, Rest...> {
  First& first;
  loop_parts<Rest...> rest;
  __device__ __forceinline__ loop_parts(First& first_part, Rest&... others)
      : first(first_part), rest(others...) {}
};

/// Runs path number `way` of those from `First` to before `Last`. Halving them needs no jump table,
/// which takes longer than the few branches it replaces.
template <int First, int Last, class Part, class... Parts, class... Args>
__device__ __forceinline__ flow run_path(int way, const loop_parts<Part, Parts...>& parts,
                                         Args&... args) {
  if constexpr (First > 0) {
    return run_path<First - 1, Last - 1>(way - 1, parts.rest, args...);
  } else if constexpr (Last == 1) {
    return call(parts.first, args...);
  } else {
    if (way < Last / 2)
      return run_path<0, Last / 2>(way, parts, args...);
    return run_path<Last / 2, Last>(way, parts, args...);
  }
}

/// Runs what stands behind `Paths` paths.
template <int Paths, class... Parts, class... Args>
__device__ __forceinline__ flow run_after(const loop_parts<Parts...>& parts, Args&... args) {
  if constexpr (sizeof...(Parts) == 0)
    return flow::proceed;
  else if constexpr (Paths > 0)
    return run_after<Paths - 1>(parts.rest, args...);
  else
    return call(parts.first, args...);
}

/// One thread's turn: its path, `after`, and the way of its next turn.
template <int Ways, class Next, class... Parts, class... Args>
__device__ __forceinline__ int take_turn(int way, Next& next, const loop_parts<Parts...>& parts,
                                         Args&... args) {
  flow ended = run_path<0, Ways>(way, parts, args...);
  if (ended == flow::proceed)
    ended = run_after<Ways>(parts, args...);
  return ended == flow::leave ? done : next(args...);
}

/// What both loops ask of their parts.
template <int Ways, int Parts> __host__ __device__ constexpr void check_parts() {
  static_assert(Parts == Ways || Parts == Ways + 1,
                "give one path for each way, and at most one part to run after them");
}

} // namespace detail
} // namespace heddle
