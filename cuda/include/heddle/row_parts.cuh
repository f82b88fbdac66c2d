// SPDX-License-Identifier: Apache-2.0
//
// What the body of a shared row (rows.cuh) gets besides its item: values of the row's owner, and
// accumulators that lanes fill each for itself and that are joined for the owner.
//
//   plain loop                            part                       in another order
//   reads limit                           own(limit)                 -
//   sum += x;  ++count;  n -= x;          sum(sum), sum(count)       floats round otherwise
//   product *= x;                         product(product)           floats round otherwise
//   bits |= x;  bits &= x;  bits ^= x;    bits_or, bits_and, bits_xor(bits)    same bits
//   low = fminf(low, x);                  min_of(low), max_of        same bits
//   if (x < low) { low = x; at = k; }     smallest(low, at), largest same bits: the first wins
//   if (x <= low) { low = x; at = k; }    smallest_last(low, at)     same bits: the last wins
//   if (c) found = true;                  set(found)                 same bits
//   if (c) { at = k; break; }             first(at)                  same bits
//   if (v[k] > v[at]) at = k;             largest_at(at, v), smallest_at       same bits
//   if (c) x = v[k];                      last(x)                    same bits; the body gets auto&
//   x
//
// Each takes one or more variables; those of smallest() and its like go together. All of them must
// outlive the call. Accumulators may lie in memory, as in sum(total[r]): only the row's owner reads
// and writes them, and only where the row has items.
#pragma once

#include "warp.cuh"

#include <cuda_runtime.h>

#include <cmath>
#include <cstring>
#include <type_traits>

namespace heddle {
namespace detail {

/// A lane among those that came to the loop with it.
struct row_lanes {
  unsigned all;     ///< that came
  unsigned members; ///< of its group
  int lane;
  unsigned rank;  ///< in the group
  unsigned width; ///< lanes of the group
  int size;       ///< if all had come
  bool is_whole;  ///< none is missing in any group
  bool is_team;   ///< all of a group get the results
};

__device__ __forceinline__ int row_lane() {
  int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  __builtin_assume(lane >= 0 && lane < warp_lanes);
  return lane;
}

/// Where the whole warp came, all but the lane's number is known to the compiler.
template <int Group> __device__ __forceinline__ row_lanes whole_warp() {
  const int lane = row_lane(), first = lane & ~(Group - 1);
  return {all_lanes, (all_lanes >> (warp_lanes - Group)) << first,
          lane,      static_cast<unsigned>(lane & (Group - 1)),
          Group,     Group,
          true,      false};
}

/// A group that waits for none of the others.
template <int Group> __device__ __forceinline__ row_lanes whole_team() {
  row_lanes at = whole_warp<Group>();
  at.all = at.members;
  at.is_team = true;
  return at;
}

template <int Group> __device__ __forceinline__ row_lanes part_of_warp(unsigned all) {
  const int lane = row_lane();
  const unsigned group = (all_lanes >> (warp_lanes - Group)) << (lane & ~(Group - 1));
  const unsigned members = all & group;
  return {all,
          members,
          lane,
          static_cast<unsigned>(__popc(members & ((1u << lane) - 1))),
          static_cast<unsigned>(__popc(members)),
          Group,
          false,
          false};
}

template <class T> __device__ __forceinline__ T shuffle(unsigned lanes, const T& value, int from) {
  static_assert(std::is_trivially_copyable_v<T>,
                "heddle: a value that travels between lanes is trivially copyable");
  unsigned words[(sizeof(T) + 3) / 4] = {};
  memcpy(words, (const void*)&value, sizeof(T)); // it may be a __restrict__ pointer
  for (unsigned& word : words)
    word = __shfl_sync(lanes, word, from);
  T result(value);
  memcpy((void*)&result, words, sizeof(T));
  return result;
}

template <class T> __device__ __forceinline__ bool same_bits(const T& a, const T& b) {
  unsigned one[(sizeof(T) + 3) / 4] = {}, other[(sizeof(T) + 3) / 4] = {};
  memcpy(one, (const void*)&a, sizeof(T));
  memcpy(other, (const void*)&b, sizeof(T));
  bool same = true;
  for (unsigned i = 0; i < sizeof(one) / sizeof(*one); ++i)
    same = same && one[i] == other[i];
  return same;
}

/// From the lane whose number differs in these bits.
template <class T>
__device__ __forceinline__ T shuffle_xor(unsigned lanes, const T& value, int bits) {
  unsigned words[(sizeof(T) + 3) / 4] = {};
  memcpy(words, (const void*)&value, sizeof(T));
  for (unsigned& word : words)
    word = __shfl_xor_sync(lanes, word, bits);
  T result(value);
  memcpy((void*)&result, words, sizeof(T));
  return result;
}

/// The values of a group's lanes, joined in all of them. Where lanes are missing each takes over
/// from the next one that is there, then from the one behind as many as it has by then.
template <class T, class Op>
__device__ __forceinline__ T joined(const row_lanes& at, T value, const Op& op) {
  if (at.is_whole) {
    for (int distance = at.size / 2; distance > 0; distance /= 2)
      value = op(value, shuffle_xor(at.all, value, distance));
    return value;
  }
  const unsigned behind = at.members & ~((2u << at.lane) - 1);
  int next = __ffs(static_cast<int>(behind)) - 1; // -1: none
  for (int distance = 1; distance < at.size; distance *= 2) {
    const int from = next >= 0 ? next : at.lane;
    const T other = shuffle(at.all, value, from);
    const int after = __shfl_sync(at.all, next, from);
    if (next >= 0)
      value = op(value, other);
    next = after;
  }
  return shuffle(at.all, value, __ffs(static_cast<int>(at.members)) - 1);
}

/// Parts have: begin, before the row's items; give, which calls `next` with what the body gets;
/// note, behind each item; end, which gives the owner its results. `left`: the lane whose item
/// ended the row, or -1. Where the owner runs the row alone there is only lend, which gives the
/// body the owner's own variables.
struct no_parts {
  __device__ void begin(const row_lanes& /*at*/, int /*owner*/, bool /*is_owner*/) {}
  template <class Next> __device__ __forceinline__ auto give(Next&& next) { return next(); }
  template <class Next> __device__ __forceinline__ auto lend(Next&& next) { return next(); }
  __device__ void note(unsigned /*item*/) {}
  __device__ void end(const row_lanes& /*at*/, int /*owner*/, bool /*is_owner*/, int /*left*/) {}
};

template <class First, class Second> struct row_pair {
  First one;
  Second two;

  __device__ __forceinline__ void begin(const row_lanes& at, int owner, bool is_owner) {
    one.begin(at, owner, is_owner);
    two.begin(at, owner, is_owner);
  }
  template <class Next> __device__ __forceinline__ auto give(Next&& next) {
    return one.give([&](auto&... mine) {
      return two.give([&](auto&... others) { return next(mine..., others...); });
    });
  }
  template <class Next> __device__ __forceinline__ auto lend(Next&& next) {
    return one.lend([&](auto&... mine) {
      return two.lend([&](auto&... others) { return next(mine..., others...); });
    });
  }
  __device__ __forceinline__ void note(unsigned item) {
    one.note(item);
    two.note(item);
  }
  __device__ __forceinline__ void end(const row_lanes& at, int owner, bool is_owner, int left) {
    one.end(at, owner, is_owner, left);
    two.end(at, owner, is_owner, left);
  }
};

/// Of one variable. Its accumulator begins with the owner's value.
template <class T> struct row_value {
  T& value;
  T local;

  __device__ __forceinline__ explicit row_value(T& of) : value(of), local() {}
  __device__ __forceinline__ void begin(const row_lanes& at, int owner, bool is_owner) {
    if (is_owner)
      local = value;
    if (!at.is_team) // else all have it
      local = shuffle(at.all, local, owner);
  }
  template <class Next> __device__ __forceinline__ auto give(Next&& next) { return next(local); }
  template <class Next> __device__ __forceinline__ auto lend(Next&& next) { return next(value); }
  __device__ void note(unsigned /*item*/) {}
};

template <class T> struct own_part {
  const T& value;
  T local;

  __device__ __forceinline__ explicit own_part(const T& of) : value(of), local(of) {}
  __device__ __forceinline__ void begin(const row_lanes& at, int owner, bool /*is_owner*/) {
    local = shuffle(at.all, value, owner);
  }
  template <class Next> __device__ __forceinline__ auto give(Next&& next) {
    return next(static_cast<const T&>(local));
  }
  template <class Next> __device__ __forceinline__ auto lend(Next&& next) { return next(value); }
  __device__ void note(unsigned /*item*/) {}
  __device__ void end(const row_lanes& /*at*/, int /*owner*/, bool /*is_owner*/, int /*left*/) {}
};

/// joined(), by one instruction where there is one.
template <class Op, class T> __device__ __forceinline__ T folded(const row_lanes& at, T value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (std::is_integral_v<T> && sizeof(T) <= sizeof(int) && Op::has_instruction)
    if (at.is_whole && at.size == warp_lanes)
      return static_cast<T>(
          Op::of_warp(static_cast<std::conditional_t<std::is_signed_v<T>, int, unsigned>>(value)));
#endif
  return joined(at, value, Op{});
}

/// The accumulator begins with what changes nothing, and the owner joins the others' with what it
/// has. A value that stays is not stored: another thread may be the one that changes it.
template <class Op, class T> struct folded_part : row_value<T> {
  using row_value<T>::row_value;
  __device__ __forceinline__ void begin(const row_lanes& /*at*/, int /*owner*/, bool /*is_owner*/) {
    this->local = Op::template identity<T>();
  }
  __device__ __forceinline__ void end(const row_lanes& at, int /*owner*/, bool is_owner,
                                      int /*left*/) {
    T all = folded<Op>(at, this->local);
    if (std::is_floating_point_v<T> && at.is_team) // a lane may have fused its product with the sum
      all = shuffle(at.all, all, at.lane - static_cast<int>(at.rank));
    if (!is_owner)
      return;
    const T before = this->value, now = Op{}(before, all);
    if (!same_bits(before, now))
      this->value = now;
  }
};

/// All that is ever assigned is one constant.
template <class T> struct set_part : row_value<T> {
  T before;

  __device__ __forceinline__ explicit set_part(T& of) : row_value<T>(of), before() {}
  __device__ __forceinline__ void begin(const row_lanes& at, int owner, bool is_owner) {
    row_value<T>::begin(at, owner, is_owner);
    before = this->local;
  }
  __device__ __forceinline__ void end(const row_lanes& at, int /*owner*/, bool is_owner,
                                      int /*left*/) {
    const unsigned who = __ballot_sync(at.all, !same_bits(this->local, before)) & at.members;
    const int from = who != 0 ? __ffs(static_cast<int>(who)) - 1 : at.lane;
    const T found = shuffle(at.all, this->local, from);
    if (is_owner && who != 0)
      this->value = found;
  }
};

/// What the item left that ended the row.
template <class T> struct first_part : row_value<T> {
  using row_value<T>::row_value;
  __device__ __forceinline__ void end(const row_lanes& at, int /*owner*/, bool is_owner, int left) {
    const T found = shuffle(at.all, this->local, left >= 0 ? left : at.lane);
    if (is_owner && left >= 0)
      this->value = found;
  }
};

/// What goes along with the smallest or largest value.
template <class T> struct carried_part : row_value<T> {
  using row_value<T>::row_value;
  __device__ __forceinline__ bool same_as(const carried_part& other) const {
    return same_bits(this->local, other.local);
  }
  /// `from`: whose item it is of; -1: nobody's.
  __device__ __forceinline__ void take(const row_lanes& at, bool is_owner, int from) {
    const T found = shuffle(at.all, this->local, from >= 0 ? from : at.lane);
    if (is_owner && from >= 0)
      this->value = found;
  }
};
template <class First, class Second> struct carried_pair : row_pair<First, Second> {
  __device__ __forceinline__ bool same_as(const carried_pair& other) const {
    return this->one.same_as(other.one) && this->two.same_as(other.two);
  }
  __device__ __forceinline__ void take(const row_lanes& at, bool is_owner, int from) {
    this->one.take(at, is_owner, from);
    this->two.take(at, is_owner, from);
  }
};
struct carried_none : no_parts {
  __device__ bool same_as(const carried_none& /*other*/) const { return true; }
  __device__ void take(const row_lanes& /*at*/, bool /*is_owner*/, int /*from*/) {}
};

/// A value and the number of its item in the row; `nobody`: it is the owner's from before.
template <class T> struct picked_value {
  T value;
  unsigned item;
};
constexpr unsigned nobody = ~0u;

/// The smaller one wins; of equal ones the first, or the last.
template <bool Largest, bool Last> struct better {
  template <class T>
  __device__ __forceinline__ picked_value<T> operator()(const picked_value<T>& a,
                                                        const picked_value<T>& b) const {
    if (a.item == nobody || b.item == nobody)
      return a.item == nobody ? b : a;
    if (a.value < b.value || b.value < a.value)
      return (a.value < b.value) != Largest ? a : b;
    return (a.item < b.item) != Last ? a : b;
  }
};

/// The item of the last change is known by what changed: of equal values the last one wins only
/// where what is carried differs from item to item.
template <bool Largest, bool Last, class T, class Carried> struct picked_part {
  carried_pair<carried_part<T>, Carried> values;
  carried_pair<carried_part<T>, Carried> noted;
  unsigned item = nobody;

  __device__ __forceinline__ picked_part(T& value, const Carried& carried)
      : values{{carried_part<T>(value), carried}}, noted(values) {}

  __device__ __forceinline__ void begin(const row_lanes& at, int owner, bool is_owner) {
    values.begin(at, owner, is_owner);
    keep();
    item = nobody;
  }
  template <class Next> __device__ __forceinline__ auto give(Next&& next) {
    return values.give(next);
  }
  template <class Next> __device__ __forceinline__ auto lend(Next&& next) {
    return values.lend(next);
  }
  __device__ __forceinline__ void note(unsigned now) {
    const bool same = Last ? values.same_as(noted) : values.one.same_as(noted.one);
    if (same)
      return;
    keep();
    item = now;
  }
  __device__ __forceinline__ void end(const row_lanes& at, int /*owner*/, bool is_owner,
                                      int /*left*/) {
    const picked_value<T> mine{values.one.local, item};
    const unsigned best = joined(at, mine, better<Largest, Last>{}).item;
    const unsigned who = __ballot_sync(at.all, best != nobody && item == best) & at.members;
    values.take(at, is_owner, __ffs(static_cast<int>(who)) - 1);
  }
  __device__ __forceinline__ void keep() {
    values.give(
        [&](const auto&... mine) { noted.give([&](auto&... kept) { ((kept = mine), ...); }); });
  }
};

/// The item of the smallest or largest value, which `key` finds. Each change of it is another item.
template <bool Largest, class T, class Key> struct picked_item_part : row_value<T> {
  Key key;
  T noted;
  unsigned item = nobody;

  __device__ __forceinline__ picked_item_part(T& of, const Key& by)
      : row_value<T>(of), key(by), noted(of) {}

  __device__ __forceinline__ void begin(const row_lanes& at, int owner, bool is_owner) {
    row_value<T>::begin(at, owner, is_owner);
    noted = this->local;
    item = nobody;
  }
  __device__ __forceinline__ void note(unsigned now) {
    item = this->local != noted ? now : item;
    noted = this->local;
  }
  __device__ __forceinline__ void end(const row_lanes& at, int /*owner*/, bool is_owner,
                                      int /*left*/) {
    using found = std::remove_cv_t<std::remove_reference_t<decltype(key(noted))>>;
    picked_value<found> mine{found{}, item};
    if (item != nobody)
      mine.value = key(this->local);
    const unsigned best = joined(at, mine, better<Largest, false>{}).item;
    const unsigned who = __ballot_sync(at.all, best != nobody && item == best) & at.members;
    const int from = who != 0 ? __ffs(static_cast<int>(who)) - 1 : at.lane;
    const T chosen = shuffle(at.all, this->local, from);
    if (is_owner && who != 0)
      this->value = chosen;
  }
};

/// What the body sets, and whether it has.
template <class T> struct last_value {
  T value;
  bool is_set;

  template <class U> __device__ __forceinline__ last_value& operator=(const U& now) {
    value = now;
    is_set = true;
    return *this;
  }
};

/// The last item that sets it wins.
template <class T> struct last_part {
  T& value;
  last_value<T> local;
  unsigned behind = 0; ///< the last item that has set it

  __device__ __forceinline__ explicit last_part(T& of) : value(of), local{T(), false} {}

  __device__ __forceinline__ void begin(const row_lanes& /*at*/, int /*owner*/, bool /*is_owner*/) {
    local.is_set = false;
    behind = 0;
  }
  template <class Next> __device__ __forceinline__ auto give(Next&& next) { return next(local); }
  template <class Next> __device__ __forceinline__ auto lend(Next&& next) { return next(value); }
  __device__ __forceinline__ void note(unsigned now) {
    behind = local.is_set ? now + 1 : behind;
    local.is_set = false;
  }
  __device__ __forceinline__ void end(const row_lanes& at, int /*owner*/, bool is_owner,
                                      int /*left*/) {
    const unsigned last = joined(at, behind, [](unsigned a, unsigned b) { return a < b ? b : a; });
    const unsigned who = __ballot_sync(at.all, last != 0 && behind == last) & at.members;
    const int from = who != 0 ? __ffs(static_cast<int>(who)) - 1 : at.lane;
    const T found = shuffle(at.all, local.value, from);
    if (is_owner && who != 0)
      value = found;
  }
};

/// Integers wrap, signed ones too.
template <class T, class Op> __device__ __forceinline__ T wrapped(T a, T b, const Op& op) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    using word = std::make_unsigned_t<decltype(a + b)>;
    return static_cast<T>(op(static_cast<word>(a), static_cast<word>(b)));
  } else {
    return static_cast<T>(op(a, b));
  }
}

/// The largest number of an integer type, and the smallest.
template <class T>
constexpr T most = static_cast<T>(std::is_signed_v<T> ? ~(1ull << (8 * sizeof(T) - 1)) : ~0ull);
template <class T> constexpr T least = static_cast<T>(~most<T>);

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define HEDDLE_BY_INSTRUCTION(operation, Word)                                                     \
  static constexpr bool has_instruction = true;                                                    \
  template <class T> static __device__ __forceinline__ T of_warp(T value) {                        \
    return static_cast<T>(operation(all_lanes, static_cast<Word>(value)));                         \
  }
#else
#define HEDDLE_BY_INSTRUCTION(operation, Word)
#endif

struct fold_sum {
  HEDDLE_BY_INSTRUCTION(__reduce_add_sync, unsigned)
  template <class T> static __device__ constexpr T identity() {
    return static_cast<T>(-0.0); // which 0 plus 0 is not
  }
  template <class T> __device__ __forceinline__ T operator()(T a, T b) const {
    return wrapped(a, b, [](auto x, auto y) { return x + y; });
  }
};
struct fold_product {
  static constexpr bool has_instruction = false;
  template <class T> static __device__ constexpr T identity() { return static_cast<T>(1); }
  template <class T> __device__ __forceinline__ T operator()(T a, T b) const {
    return wrapped(a, b, [](auto x, auto y) { return x * y; });
  }
};
struct fold_xor {
  HEDDLE_BY_INSTRUCTION(__reduce_xor_sync, unsigned)
  template <class T> static __device__ constexpr T identity() { return static_cast<T>(0); }
  template <class T> __device__ __forceinline__ T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};
struct fold_or {
  HEDDLE_BY_INSTRUCTION(__reduce_or_sync, unsigned)
  template <class T> static __device__ constexpr T identity() { return static_cast<T>(0); }
  template <class T> __device__ __forceinline__ T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct fold_and {
  HEDDLE_BY_INSTRUCTION(__reduce_and_sync, unsigned)
  template <class T> static __device__ constexpr T identity() { return static_cast<T>(~0ull); }
  template <class T> __device__ __forceinline__ T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
/// Of floating-point numbers a number rather than a NaN, as fminf and its like.
struct fold_min {
  HEDDLE_BY_INSTRUCTION(__reduce_min_sync, T)
  template <class T> static __device__ constexpr T identity() {
    if constexpr (std::is_floating_point_v<T>)
      return static_cast<T>(__builtin_nanf(""));
    else
      return most<T>;
  }
  template <class T> __device__ __forceinline__ T operator()(T a, T b) const {
    if constexpr (std::is_same_v<T, float>)
      return fminf(a, b);
    else if constexpr (std::is_same_v<T, double>)
      return fmin(a, b);
    else
      return b < a ? b : a;
  }
};
struct fold_max {
  HEDDLE_BY_INSTRUCTION(__reduce_max_sync, T)
  template <class T> static __device__ constexpr T identity() {
    if constexpr (std::is_floating_point_v<T>)
      return static_cast<T>(__builtin_nanf(""));
    else
      return least<T>;
  }
  template <class T> __device__ __forceinline__ T operator()(T a, T b) const {
    if constexpr (std::is_same_v<T, float>)
      return fmaxf(a, b);
    else if constexpr (std::is_same_v<T, double>)
      return fmax(a, b);
    else
      return a < b ? b : a;
  }
};

#undef HEDDLE_BY_INSTRUCTION

template <class T> using sum_part = folded_part<fold_sum, T>;
template <class T> using product_part = folded_part<fold_product, T>;
template <class T> using xor_part = folded_part<fold_xor, T>;
template <class T> using or_part = folded_part<fold_or, T>;
template <class T> using and_part = folded_part<fold_and, T>;
template <class T> using min_part = folded_part<fold_min, T>;
template <class T> using max_part = folded_part<fold_max, T>;

/// Parts of several variables, each by itself.
template <template <class> class Part, class T, class... Rest>
__device__ __forceinline__ auto each(T& value, Rest&... rest) {
  if constexpr (sizeof...(Rest) == 0)
    return Part<T>(value);
  else
    return row_pair<Part<T>, decltype(each<Part>(rest...))>{Part<T>(value), each<Part>(rest...)};
}
template <class T, class... Rest>
__device__ __forceinline__ auto each_own(const T& value, const Rest&... rest) {
  if constexpr (sizeof...(Rest) == 0)
    return own_part<T>(value);
  else
    return row_pair<own_part<T>, decltype(each_own(rest...))>{own_part<T>(value),
                                                              each_own(rest...)};
}

__device__ __forceinline__ carried_none carried() {
  return {};
}
template <class T, class... Rest> __device__ __forceinline__ auto carried(T& value, Rest&... rest) {
  return carried_pair<carried_part<T>, decltype(carried(rest...))>{
      {carried_part<T>(value), carried(rest...)}};
}
template <bool Largest, bool Last, class T, class... Rest>
__device__ __forceinline__ auto picked(T& value, Rest&... rest) {
  return picked_part<Largest, Last, T, decltype(carried(rest...))>(value, carried(rest...));
}

} // namespace detail

/// Values of the row's owner, which the body gets as constants.
template <class... Ts> __device__ __forceinline__ auto own(const Ts&... values) {
  return detail::each_own(values...);
}

/// What the body adds to and subtracts from; what it multiplies.
template <class... Ts> __device__ __forceinline__ auto sum(Ts&... values) {
  return detail::each<detail::sum_part>(values...);
}
template <class... Ts> __device__ __forceinline__ auto product(Ts&... values) {
  return detail::each<detail::product_part>(values...);
}

/// What the body joins by |, & or ^; of bool also by || and &&.
template <class... Ts> __device__ __forceinline__ auto bits_or(Ts&... values) {
  return detail::each<detail::or_part>(values...);
}
template <class... Ts> __device__ __forceinline__ auto bits_and(Ts&... values) {
  return detail::each<detail::and_part>(values...);
}
template <class... Ts> __device__ __forceinline__ auto bits_xor(Ts&... values) {
  return detail::each<detail::xor_part>(values...);
}

/// What the body joins by min, fminf and the like.
template <class... Ts> __device__ __forceinline__ auto min_of(Ts&... values) {
  return detail::each<detail::min_part>(values...);
}
template <class... Ts> __device__ __forceinline__ auto max_of(Ts&... values) {
  return detail::each<detail::max_part>(values...);
}

/// What the body replaces where it finds a smaller or larger value, and what it sets with it.
template <class T, class... Rest>
__device__ __forceinline__ auto smallest(T& value, Rest&... carried) {
  return detail::picked<false, false>(value, carried...);
}
template <class T, class... Rest>
__device__ __forceinline__ auto largest(T& value, Rest&... carried) {
  return detail::picked<true, false>(value, carried...);
}

/// The same where a value that is as small or as large replaces it, too: of equal ones the last
/// item's stays. Needs a carried variable that differs from item to item, such as its number.
template <class T, class... Rest>
__device__ __forceinline__ auto smallest_last(T& value, Rest&... carried) {
  return detail::picked<false, true>(value, carried...);
}
template <class T, class... Rest>
__device__ __forceinline__ auto largest_last(T& value, Rest&... carried) {
  return detail::picked<true, true>(value, carried...);
}

/// What the body sets to a constant, each variable to one only.
template <class... Ts> __device__ __forceinline__ auto set(Ts&... values) {
  return detail::each<detail::set_part>(values...);
}

/// The item whose value is the smallest or largest: the body changes it where the value of its
/// item, `value(item)`, is less or more than that of the one it has. The first of equal ones stays.
template <class T, class Value>
__device__ __forceinline__ auto smallest_at(T& item, const Value& value) {
  return detail::picked_item_part<false, T, Value>(item, value);
}
template <class T, class Value>
__device__ __forceinline__ auto largest_at(T& item, const Value& value) {
  return detail::picked_item_part<true, T, Value>(item, value);
}

/// What the body sets and does not read: what the last item has set that did stays. The body takes
/// it as `auto&`.
template <class... Ts> __device__ __forceinline__ auto last(Ts&... values) {
  return detail::each<detail::last_part>(values...);
}

/// What the body sets before it ends the row by `return true`.
template <class... Ts> __device__ __forceinline__ auto first(Ts&... values) {
  return detail::each<detail::first_part>(values...);
}

} // namespace heddle
