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

#include "loop_ends.cuh"
#include "row_parts.cuh"

namespace heddle {
namespace detail {

/// How many items a row has; the comparison is the loop's own, `begin < end`, or `begin > end`
/// where it counts down.
template <int Step, class Index, class End>
__device__ __forceinline__ auto row_length(Index begin, End end) {
  if constexpr (Step < 0) {
    return row_length<-Step>(end, begin);
  } else if constexpr (std::is_pointer_v<Index>) {
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
    return begin + static_cast<long long>(i) * Step;
  else
    return static_cast<Index>(static_cast<Length>(begin) + i * static_cast<Length>(Step));
}

/// One row of each group: steps 3 to 5. All lanes of `at.all` call it; `length` is 0 for a group
/// that has none.
template <int Step, class Index, class Length, class Parts, class Body>
__device__ __forceinline__ void run_rows(const row_lanes& at, int owner, Index begin, Length length,
                                         Parts& parts, Body& body) {
  const bool is_owner = length != 0 && at.lane == owner;
  parts.begin(at, owner, is_owner);
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
    const Length turns = length <= at.rank ? 0 : last / at.width + 1;
    Length i = at.rank;
    for (Length turn = 0; turn < turns; ++turn, i += at.width) {
      call(i);
      parts.note(static_cast<unsigned>(i));
    }
  }
  parts.end(at, owner, is_owner, left);
}

/// The row of one lane, which runs it alone.
template <int Step, class Index, class Length, class Parts, class Body>
__device__ __forceinline__ void run_alone(Index begin, Length length, Parts& parts, Body& body) {
  const auto call = [&](Length i) {
    return parts.lend([&](auto&... values) { return body(item_at<Step>(begin, i), values...); });
  };
  for (Length i = 0; i < length; ++i)
    if constexpr (std::is_same_v<decltype(call(i)), bool>) {
      if (call(i))
        return;
    } else {
      call(i);
    }
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

/// The rows of all lanes, each group one after the other: steps 2 to 5.
template <int Step, class Index, class Length, class... Parts>
__device__ __forceinline__ void take_turns(const row_lanes& at, Index begin, Length length,
                                           Parts&... parts) {
  unsigned waiting = __ballot_sync(at.all, length != 0) & at.members; // owners of rows
  const auto run = [&](auto& all, auto& body) {
    while (__any_sync(at.all, waiting != 0)) {
      const int owner = waiting != 0 ? __ffs(static_cast<int>(waiting)) - 1 : at.lane;
      const auto first = shuffle(at.all, begin, owner);
      const auto fetched = shuffle(at.all, length, owner);
      run_rows<Step>(at, owner, first, waiting != 0 ? fetched : 0, all, body);
      waiting &= waiting - 1;
    }
  };
  with_parts(run, no_parts{}, parts...);
}

/// A bound of which lane 0's value counts.
template <class T> struct first_lanes {
  T value;
};
template <class T> __device__ __forceinline__ T of_lane(const T& bound) {
  return bound;
}
template <class T> __device__ __forceinline__ T of_lane(const first_lanes<T>& bound) {
  return bound.value;
}
template <class T> __device__ __forceinline__ T of_warp(const T& bound) {
  return bound;
}
template <class T> __device__ __forceinline__ T of_warp(const first_lanes<T>& bound) {
  return shuffle(all_lanes, bound.value, 0);
}

/// The sum of a whole warp's values up to this lane's.
template <class T> __device__ __forceinline__ T sum_up_to(int lane, T value) {
  for (int distance = 1; distance < warp_lanes; distance *= 2) {
    const T below = shuffle(all_lanes, value, lane >= distance ? lane - distance : lane);
    value = lane >= distance ? fold_sum{}(below, value) : value;
  }
  return value;
}

/// Prefix sums of the row of lane 0, which alone reads `before`, the sum in front of the first
/// item, and writes `result`, and only where there are items.
template <bool Inclusive, int Step, class Index, class Length, class T, class Parts, class Value,
          class Store>
__device__ __forceinline__ void scan_row(const row_lanes& at, Index begin, Length length,
                                         const T& before, T* result, Parts& parts,
                                         const Value& value, const Store& store) {
  const bool is_owner = length != 0 && at.lane == 0;
  parts.begin(at, 0, is_owner);
  T sum = is_owner ? before : T{};
  sum = shuffle(all_lanes, sum, 0);
  for (Length from = 0; from < length; from += warp_lanes) {
    const bool has = from + at.rank < length;
    const Index item = item_at<Step>(begin, from + at.rank);
    T mine{};
    if (has)
      mine = static_cast<T>(parts.give([&](auto&... values) { return value(item, values...); }));
    const T here = fold_sum{}(sum, sum_up_to(at.lane, mine));
    const T before_it = wrapped(here, mine, [](auto a, auto b) { return a - b; });
    if (has)
      parts.give([&](auto&... values) { store(item, values..., Inclusive ? here : before_it); });
    sum = shuffle(all_lanes, here, warp_lanes - 1);
  }
  if (is_owner && result != nullptr)
    *result = sum;
}

/// The same by lane 0 alone.
template <bool Inclusive, int Step, class Index, class Length, class T, class Parts, class Value,
          class Store>
__device__ __forceinline__ void scan_alone(Index begin, Length length, const T& before, T* result,
                                           Parts& parts, const Value& value, const Store& store) {
  if (length == 0)
    return;
  T sum = before;
  for (Length i = 0; i < length; ++i) {
    const Index item = item_at<Step>(begin, i);
    const T mine =
        static_cast<T>(parts.lend([&](auto&... values) { return value(item, values...); }));
    const T next = fold_sum{}(sum, mine);
    parts.lend([&](auto&... values) { store(item, values..., Inclusive ? next : sum); });
    sum = next;
  }
  if (result != nullptr)
    *result = sum;
}

template <bool Inclusive, int Step, class Index, class End, class T, class Parts, class Value,
          class Store>
__device__ __forceinline__ void scan_with(Index begin, End end, const T& before, T* result,
                                          Parts parts, const Value& value, const Store& store) {
  static_assert(std::is_integral_v<T>, "heddle: a scan adds integers");
  static_assert(Step != 0, "heddle: the step of a row is not 0");
  const unsigned here = __activemask();
  __syncwarp(here);
  if (here == all_lanes) {
    const auto first = of_warp(begin);
    scan_row<Inclusive, Step>(whole_warp<warp_lanes>(), first,
                              row_length<Step>(first, of_warp(end)), before, result, parts, value,
                              store);
  } else if (row_lane() == 0) {
    const auto first = of_lane(begin);
    scan_alone<Inclusive, Step>(first, row_length<Step>(first, of_lane(end)), before, result, parts,
                                value, store);
  }
  __syncwarp(here);
}
template <bool Inclusive, int Step, class Index, class End, class T, class Value, class Store>
__device__ __forceinline__ void scan_with(Index begin, End end, const T& before, T* result,
                                          const Value& value, const Store& store) {
  scan_with<Inclusive, Step>(begin, end, before, result, no_parts{}, value, store);
}

} // namespace detail

/// Runs the body for the items `begin`, `begin + Step`, ... below `end` of every lane that calls
/// it; `Group` lanes share a row. With a negative step the items are those above `end`.
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
  static_assert(Step != 0, "heddle: the step of a row is not 0");
  const unsigned here = __activemask();
  const auto length = detail::row_length<Step>(begin, end);
  __syncwarp(here);
  if (here == detail::all_lanes)
    detail::take_turns<Step>(detail::whole_warp<Group>(), begin, length, parts...);
  else
    detail::take_turns<Step>(detail::part_of_warp<Group>(here), begin, length, parts...);
  __syncwarp(here);
}

/// The same for a row that all lanes of a team have: `Team` neighbouring lanes of a warp, which do
/// the same but for what happens in here, and which all get the results. Teams do not wait for each
/// other. A launch of that many times as many threads has a team for each row:
///
///   const int r = blockIdx.x * (blockDim.x / 8) + threadIdx.x / 8;
///   ...
///   heddle::team_rows<8>(start[r], start[r + 1], heddle::sum(sum), [&](int k, float& sum) { ...
///   }); if (threadIdx.x % 8 == 0)
///     y[r] = sum;
///
/// Needs: blocks of a multiple of `Team` threads along x; all lanes of a team come with the same
/// bounds and with variables of the same values, none of them in memory. There is nothing to own().
template <int Team, int Step = 1, class Index, class End, class... Parts>
__device__ __forceinline__ void team_rows(Index begin, End end, Parts... parts) {
  static_assert(Team == 2 || Team == 4 || Team == 8 || Team == 16 || Team == 32,
                "heddle: team_rows takes teams of 2, 4, 8, 16 or 32 lanes");
  static_assert(Step != 0, "heddle: the step of a row is not 0");
  const detail::row_lanes at = detail::whole_team<Team>();
  const auto length = detail::row_length<Step>(begin, end);
  const auto run = [&](auto& all, auto& body) { // each lane is an owner
    detail::run_rows<Step>(at, at.lane, begin, length, all, body);
  };
  __syncwarp(at.all);
  detail::with_parts(run, detail::no_parts{}, parts...);
  __syncwarp(at.all);
}

/// A bound of spread() that other lanes have not, or not for sure: what lane 0 has counts.
template <class T> __device__ __forceinline__ detail::first_lanes<T> of_first_lane(const T& value) {
  return {value};
}

/// The same for one row, that of the warp's lane 0: all lanes that call it with that one help, with
/// the same bounds as it has. Only lane 0's variables get results. Where lanes are missing, lane 0
/// runs the row alone; where it is missing, nobody does.
template <int Step = 1, class Index, class End, class... Parts>
__device__ __forceinline__ void spread(Index begin, End end, Parts... parts) {
  static_assert(Step != 0, "heddle: the step of a row is not 0");
  const unsigned here = __activemask();
  const auto run = [&](auto& all, auto& body) {
    if (here == detail::all_lanes) {
      const auto first = detail::of_warp(begin);
      const auto length = detail::row_length<Step>(first, detail::of_warp(end));
      detail::run_rows<Step>(detail::whole_warp<detail::warp_lanes>(), 0, first, length, all, body);
    } else if (detail::row_lane() == 0) {
      const auto first = detail::of_lane(begin);
      detail::run_alone<Step>(first, detail::row_length<Step>(first, detail::of_lane(end)), all,
                              body);
    }
  };
  __syncwarp(here);
  detail::with_parts(run, detail::no_parts{}, parts...);
  __syncwarp(here);
}

/// Prefix sums of integers for the row of the warp's lane 0: `total` grows by `value(item)` from
/// item to item, and `store(item, sum)` gets what it is then; with _before, what it was before.
///
///   for (int k = 0; k < n; ++k) {        heddle::spread_scan(0, n, total,
///     total += length[k];                    [&](int k) { return length[k]; },
///     end[k] = total;             ==>        [&](int k, int total) { end[k] = total; });
///   }
///
/// Needs and guarantees what spread() does. Between both come values of lane 0, if any, as in
/// spread_scan(0, n, total, heddle::own(x), ...), which both get behind the item.
template <int Step = 1, class Index, class End, class T, class... Rest>
__device__ __forceinline__ void spread_scan(Index begin, End end, T& total, const Rest&... rest) {
  detail::scan_with<true, Step>(begin, end, total, &total, rest...);
}
template <int Step = 1, class Index, class End, class T, class... Rest>
__device__ __forceinline__ void spread_scan_before(Index begin, End end, T& total,
                                                   const Rest&... rest) {
  detail::scan_with<false, Step>(begin, end, total, &total, rest...);
}

/// The same from what stands in front of the first item, which stays as it is:
///
///   for (int k = 1; k < n; ++k)          heddle::spread_scan_from(1, n, a[0],
///     a[k] += a[k - 1];           ==>        [&](int k) { return a[k]; },
///                                            [&](int k, int sum) { a[k] = sum; });
template <int Step = 1, class Index, class End, class T, class... Rest>
__device__ __forceinline__ void spread_scan_from(Index begin, End end, const T& before,
                                                 const Rest&... rest) {
  detail::scan_with<true, Step>(begin, end, before, static_cast<T*>(nullptr), rest...);
}

} // namespace heddle
