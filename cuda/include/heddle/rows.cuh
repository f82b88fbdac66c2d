// SPDX-License-Identifier: Apache-2.0
//
// Loops over rows: consecutive items, of which each thread has its own, more or fewer than others.
// Lanes of a warp share the rows, so that none waits for the longest.
//
//   float sum = 0;
//   heddle::share_rows<8>(start[r], start[r + 1], heddle::sum(sum), [&](int k, float& sum) {
//     sum += value[k] * x[column[k]];
//   });
//
//   lanes of a group of 4, rows of     5 2 0 1 items      A, B, C, D: the rows; a turn is a column
//   each its own    A A A A A          shared    A A B D  5 turns become 4; with rows of 20 2 0 1
//                   B B                          A . B .  items, 20 become 7
//                   . . . . .                    A . . .
//                   D                            A . . .
//
// Steps: 1. each lane counts its items; 2. each group takes the rows of its own lanes one after the
// other, those without items left out; 3. what the body needs of the row's owner is fetched by
// shuffles; 4. the group's lanes take every G-th item, each with accumulators of its own; 5. these
// are joined, and the owner gets the result.
//
// What stands between the bounds and the body says what happens to each of the body's parameters,
// in their order: row_parts.cuh.
#pragma once

#include "row_parts.cuh"

namespace heddle {
namespace detail {

/// How many items a row has; the comparison is the loop's own, `begin < end`.
template <int Step, class Index, class End>
__device__ __forceinline__ auto row_length(Index begin, End end) {
  if constexpr (std::is_pointer_v<Index>) {
    const auto items = begin < end ? static_cast<unsigned long long>(end - begin) : 0ull;
    return (items + (Step - 1)) / Step;
  } else {
    using common = decltype(begin + end);
    using length = std::make_unsigned_t<common>;
    const bool any = static_cast<common>(begin) < static_cast<common>(end);
    const length items = any ? static_cast<length>(end) - static_cast<length>(begin) : 0;
    return items / Step + (items % Step != 0 ? 1 : 0);
  }
}

/// Item number `i` of a row.
template <int Step, class Index, class Length>
__device__ __forceinline__ Index item_at(Index begin, Length i) {
  if constexpr (std::is_pointer_v<Index>)
    return begin + i * Step;
  else
    return static_cast<Index>(static_cast<Length>(begin) + i * Step);
}

/// One row of each group: steps 3 to 5. All lanes of `at.all` call it; `length` is 0 for a group
/// that has none.
template <int Step, class Index, class Length, class Parts, class Body>
__device__ __forceinline__ void run_rows(const row_lanes& at, int owner, Index begin, Length length,
                                         Parts& parts, Body& body) {
  parts.begin(at, owner);
  const auto call = [&](Length i) {
    return parts.give([&](auto&... values) { return body(item_at<Step>(begin, i), values...); });
  };
  int left = -1; // the lane whose item ended the loop
  if constexpr (std::is_same_v<decltype(call(length)), bool>) {
    for (Length from = 0; __any_sync(at.all, from < length && left < 0); from += at.width) {
      const bool leaves = left < 0 && from + at.rank < length && call(from + at.rank);
      const unsigned leaving = __ballot_sync(at.all, leaves) & at.members;
      left = leaving != 0 ? __ffs(static_cast<int>(leaving)) - 1 : left;
    }
  } else {
    // Counted in turns, which compilers unroll as they do the plain loop: loads of four turns then
    // wait together.
    const Length last = length - 1 - at.rank;
    const bool whole = at.width == static_cast<unsigned>(at.size);
    const Length turns = length <= at.rank ? 0 : (whole ? last / at.size : last / at.width) + 1;
    Length i = at.rank;
    for (Length turn = 0; turn < turns; ++turn, i += at.width) {
      call(i);
      parts.note(static_cast<unsigned>(turn));
    }
  }
  parts.end(at, owner, length != 0 && at.lane == owner, left);
}

/// Calls `run` with the parts as one, and with the body, which comes last.
template <class Run, class Parts, class Body>
__device__ __forceinline__ void with_parts(Run& run, Parts parts, Body& body) {
  run(parts, body);
}
template <class Run, class Parts, class Part, class Next, class... Rest>
__device__ __forceinline__ void with_parts(Run& run, Parts parts, Part& part, Next& next,
                                           Rest&... rest) {
  with_parts(run, row_pair<Parts, Part>{parts, part}, next, rest...);
}

} // namespace detail

/// Runs the body for the items `begin`, `begin + Step`, ... below `end` of every lane that calls
/// it; `Group` lanes share a row.
///
/// Parts: any number of own(), sum() and the others of row_parts.cuh, then the body. The body gets
/// the item and a parameter for each variable that the parts name: a reference to an accumulator
/// that is this lane's alone, or a constant one to a value of the row's owner. A body that returns
/// bool ends the row with the first item that returns true; its accumulators must be in first().
///
/// Needs: a body that is the same for all lanes but for own() and the item. It must not use
/// `threadIdx`, meet a barrier, shuffle or vote, nor use what another item of the row has computed
/// or stored. Values that travel are trivially copyable. Rows of fewer than 2^32 - 32 items, or 64
/// bits for the index.
///
/// Guarantees: lanes that do not call it are not waited for; those that do may be any of the warp.
/// Each item runs once. Items behind the one that ended the row may have run, up to Group - 1 of
/// them; what they computed is dropped. Integers, minima, maxima and whatever else does not depend
/// on an order have the bits of the plain loop; sums and products of floating-point numbers are
/// rounded in another order. What lanes stored before, all see inside; what they store inside, all
/// see behind.
template <int Group, int Step = 1, class Index, class End, class... Parts>
__device__ __forceinline__ void share_rows(Index begin, End end, Parts... parts) {
  static_assert(Group == 2 || Group == 4 || Group == 8 || Group == 16 || Group == 32,
                "heddle: share_rows takes groups of 2, 4, 8, 16 or 32 lanes");
  static_assert(Step > 0, "heddle: the step of a row is positive");
  const detail::row_lanes at = detail::lanes_here<Group>();
  const auto length = detail::row_length<Step>(begin, end);
  __syncwarp(at.all);
  unsigned waiting = __ballot_sync(at.all, length != 0) & at.members; // owners of rows
  const auto run = [&](auto& all, auto& body) {
    while (__any_sync(at.all, waiting != 0)) {
      const int owner = waiting != 0 ? __ffs(static_cast<int>(waiting)) - 1 : at.lane;
      const auto first = detail::shuffle(at.all, begin, owner);
      const auto fetched = detail::shuffle(at.all, length, owner);
      detail::run_rows<Step>(at, owner, first, waiting != 0 ? fetched : 0, all, body);
      waiting &= waiting - 1;
    }
  };
  detail::with_parts(run, detail::no_parts{}, parts...);
  __syncwarp(at.all);
}

/// The same for one row, that of the warp's lane 0: all lanes that call it with that one help. Only
/// lane 0's variables get results. Without lane 0 nothing is run.
template <int Step = 1, class Index, class End, class... Parts>
__device__ __forceinline__ void spread(Index begin, End end, Parts... parts) {
  static_assert(Step > 0, "heddle: the step of a row is positive");
  const detail::row_lanes at = detail::lanes_here<detail::warp_lanes>();
  const bool any = (at.all & 1u) != 0;
  const int owner = any ? 0 : at.lane;
  __syncwarp(at.all);
  const auto first = detail::shuffle(at.all, begin, owner);
  const auto length = detail::shuffle(at.all, detail::row_length<Step>(begin, end), owner);
  const auto run = [&](auto& all, auto& body) {
    detail::run_rows<Step>(at, owner, first, any ? length : 0, all, body);
  };
  detail::with_parts(run, detail::no_parts{}, parts...);
  __syncwarp(at.all);
}

} // namespace heddle
