// SPDX-License-Identifier: Apache-2.0
//
// Iteration scheduling: a loop whose body takes one of several ways runs one way a turn, for all
// lanes of the warp that want it; the others wait for theirs.
//
//   while (c1) {                      want = c1 ? (B1; c2) : done
//     B1;                             while (some lane is not done) {
//     c2 ? A : B;           ==>         chosen = policy(what the lanes want)
//     B2;                               if (want == chosen) {
//   }                                     A or B;  B2;  want = the next c1, B1, c2
//                                       }
//                                     }
//
// Written with the library:
//
//   heddle::scheduled_loop<heddle::aging, 2>(
//       [&] { if (i == n) return heddle::done;  B1;  return c2 ? 0 : 1; },
//       [&] { A; }, [&] { B; }, [&] { B2; });
//
// Each lane's own statements keep their order, so its results are the same bits. A turn costs 10 to
// 30 instructions more, of `word` about 8: it pays where the paths are long against that.
#pragma once

#include "ways.cuh"

namespace heddle {
namespace detail {

/// The greatest of the values of the first lanes, of which there are as many as ways.
template <int Ways> __device__ __forceinline__ unsigned greatest(unsigned lanes, unsigned value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_max_sync(lanes, value);
#else
  unsigned best = 0;
  unsigned rest = lanes;
  for (int way = 0; way < Ways && rest != 0; ++way, rest &= rest - 1) {
    const unsigned other = __shfl_sync(lanes, value, __ffs(static_cast<int>(rest)) - 1);
    best = other > best ? other : best;
  }
  return best;
#endif
}

/// Whether a word has every way and nothing else.
template <int Ways, int... Word> __host__ __device__ constexpr bool names_all_ways() {
  unsigned seen = 0;
  const int letters[] = {Word...};
  for (const int way : letters)
    seen |= way >= 0 && way < Ways ? 1u << way : 1u << Ways;
  return seen == (1u << Ways) - 1;
}

/// A number that the compiler knows nothing of.
__device__ __forceinline__ int opaque(int number) {
  asm volatile("" : "+r"(number));
  return number;
}

/// Scores of the ways, spread over the lanes: the r-th lane keeps the score of way r % Ways, so
/// that all ways are counted by the same few instructions. The low bits of a score name its way.
template <int Ways> class scoreboard {
public:
  __device__ explicit scoreboard(unsigned lanes) : lanes_(lanes) {
    way_ = __popc(lanes & ((1u << lane_id()) - 1)) % Ways;
    for (int bit = 0; bit < bits; ++bit)
      flip_[bit] = (static_cast<unsigned>(way_) >> bit & 1) - 1;
    clear();
  }

  /// The lanes that want this lane's way.
  __device__ unsigned wanting(int want) const {
    unsigned mine = __ballot_sync(lanes_, want != done);
    for (int bit = 0; bit < bits; ++bit)
      mine &= __ballot_sync(lanes_, has_bit<bits>(want, bit)) ^ flip_[bit];
    return mine;
  }

  __device__ int way() const { return way_; }
  __device__ void clear() { score_ = static_cast<unsigned>(scale - 1 - way_); }

  /// `Weight` must be a multiple of `scale`.
  __device__ void add(int lanes, unsigned weight) {
    score_ += static_cast<unsigned>(lanes) * weight;
  }

  /// The way of the highest score, the lower one of equals; done when no lane wants any. A way that
  /// no lane keeps, in a group of fewer lanes than ways, runs when no other is wanted.
  __device__ int best(int want) const {
    const unsigned found = greatest<Ways>(lanes_, score_);
    if (found >= scale)
      return static_cast<int>(scale - 1 - found % scale);
    const unsigned live = __ballot_sync(lanes_, want != done);
    return live == 0 ? done : __shfl_sync(lanes_, want, __ffs(static_cast<int>(live)) - 1);
  }

  static constexpr int bits = way_bits(Ways);
  static constexpr unsigned scale = 1u << bits;

private:
  unsigned lanes_;
  int way_;
  unsigned flip_[bits];
  unsigned score_;
};

} // namespace detail

/// The ways in turn; one that no lane wants gives way to the next.
struct alternating {
  template <int Ways> struct rule {
    unsigned lanes;
    int turn = 0;

    __device__ explicit rule(unsigned all) : lanes(all) {}
    __device__ int pick(int want) {
      for (int tried = 0; tried < Ways; ++tried) {
        const int way = turn;
        turn = turn + 1 == Ways ? 0 : turn + 1;
        if (__any_sync(lanes, want == way))
          return way;
      }
      return done;
    }
    __device__ void ran() {}
  };
};

/// A word of ways, over and over: fixed<0, 1, 1, 1> is ABBB of Novak's table B.1. A letter that no
/// lane wants is skipped. `heddle schedule` finds the best word. Every way must be in the word.
template <int... Word> struct fixed {
  template <int Ways> struct rule {
    static constexpr int letters = sizeof...(Word);
    static constexpr int bits = detail::way_bits(Ways);
    using packed = std::conditional_t<letters * bits <= 32, unsigned, unsigned long long>;
    static_assert(letters * bits <= 64, "a fixed word has at most 64 letters of 2 ways, 32 of 3 or "
                                        "4, 21 of 5 to 8");

    static_assert(detail::names_all_ways<Ways, Word...>(),
                  "a fixed word names every way of the loop and no other");

    static __host__ __device__ constexpr packed pack() {
      const int word[] = {Word...};
      packed all = 0;
      for (int at = 0; at < letters; ++at)
        all |= static_cast<packed>(word[at]) << bits * at;
      return all;
    }

    unsigned lanes;
    int at = 0;

    __device__ explicit rule(unsigned all) : lanes(all) {}
    __device__ int pick(int want) {
      for (int tried = 0; tried < letters; ++tried) {
        const int way = static_cast<int>(pack() >> bits * at) & ((1 << bits) - 1);
        at = at + 1 == letters ? 0 : at + 1;
        if (__any_sync(lanes, want == way))
          return way;
      }
      return done;
    }
    __device__ void ran() {}
  };
};

/// A word of ways written out, over and over: word<0, 1, 1> is the code
///
///   if (want == 0) take the turn;   if (want == 1) take the turn;   if (want == 1) take the turn;
///
/// No lane votes and none waits for a choice, so its turn is the cheapest: the best rule measured
/// for two paths of 50 to 300 instructions. Each letter is a copy of its path. `heddle schedule`
/// finds the best word. Every way must be in the word.
template <int... Word> struct word {
  template <int Ways, class Next, class Parts>
  static __device__ __forceinline__ void run(Next& next, const Parts& parts) {
    static_assert(detail::names_all_ways<Ways, Word...>(),
                  "a word names every way of the loop and no other");
    int want = detail::opaque(next());
    while (want != done)
      ((want = letter<Ways, Word>(want, next, parts)), ...);
  }

private:
  /// A compiler that could follow `want` from letter to letter would copy the paths for all its
  /// values, and lanes would never meet again: 15 times slower on an H200.
  template <int Ways, int Way, class Next, class Parts>
  static __device__ __forceinline__ int letter(int want, Next& next, const Parts& parts) {
    if (want == Way)
      want = detail::take_turn<Ways>(Way, next, parts);
    return detail::opaque(want);
  }
};

/// The way that most lanes want. Starves rare ways: below a share of 2.5 % it is slower than the
/// loop as it was.
struct frequency {
  template <int Ways> struct rule {
    detail::scoreboard<Ways> board;

    __device__ explicit rule(unsigned lanes) : board(lanes) {}
    __device__ int pick(int want) {
      board.clear();
      board.add(__popc(board.wanting(want)), board.scale);
      return board.best(want);
    }
    __device__ void ran() {}
  };
};

/// The way that most of the least advanced lanes want; of equals the one that most lanes want.
struct laggard {
  template <int Ways> struct rule {
    detail::scoreboard<Ways> board;
    unsigned lanes;
    int turns = 0; ///< of this lane
    int least = 0; ///< of the lanes that are not done: it never falls, so it is only counted up

    __device__ explicit rule(unsigned all) : board(all), lanes(all) {}
    __device__ int pick(int want) {
      if (!__any_sync(lanes, want != done))
        return done;
      unsigned behind = __ballot_sync(lanes, want != done && turns == least);
      while (behind == 0) {
        ++least;
        behind = __ballot_sync(lanes, want != done && turns == least);
      }
      const unsigned wanting = board.wanting(want);
      board.clear();
      board.add(__popc(wanting & behind) * 2 * detail::warp_lanes + __popc(wanting), board.scale);
      return board.best(want);
    }
    __device__ void ran() { ++turns; }
  };
};

namespace detail {

/// Every turn a way ages by the weight of the lanes that want it; the oldest runs and is young
/// again.
template <int Ways> class ages {
public:
  __device__ explicit ages(unsigned lanes) : board_(lanes) {}
  __device__ int way() const { return board_.way(); }
  __device__ int pick(int want, unsigned weight) {
    board_.add(__popc(board_.wanting(want)), weight);
    const int chosen = board_.best(want);
    if (board_.way() == chosen)
      board_.clear();
    return chosen;
  }

private:
  scoreboard<Ways> board_;
};

template <class Policy> struct is_word : std::false_type {};
template <int... Word> struct is_word<word<Word...>> : std::true_type {};

} // namespace detail

/// Every turn a way ages by the lanes that want it; the oldest runs and is young again. The best
/// rule for ways of equal cost, whatever their shares.
struct aging {
  template <int Ways> struct rule {
    detail::ages<Ways> ages;

    __device__ explicit rule(unsigned lanes) : ages(lanes) {}
    __device__ int pick(int want) { return ages.pick(want, detail::scoreboard<Ways>::scale); }
    __device__ void ran() {}
  };
};

/// Aging by cost: every turn a way ages by the lanes that want it over what it costs; the oldest
/// runs and is young again. The best rule for ways of unequal cost. Costs are whole numbers in any
/// unit: cost_aging<1, 1, 5, 10>.
template <int... Costs> struct cost_aging {
  template <int Ways> struct rule {
    static_assert(sizeof...(Costs) == Ways, "cost_aging needs one cost for each way");
    static_assert(((Costs > 0) && ...), "a cost is a whole number above 0");

    static __host__ __device__ constexpr unsigned common_multiple() {
      const unsigned costs[] = {Costs...};
      unsigned multiple = 1;
      for (const unsigned cost : costs) {
        unsigned grown = multiple;
        while (grown % cost != 0)
          grown += multiple;
        multiple = grown;
      }
      return multiple;
    }
    static_assert(common_multiple() <= 1u << 16, "round the costs: their common multiple is above "
                                                 "65536");

    detail::ages<Ways> ages;
    unsigned weight;

    __device__ explicit rule(unsigned lanes) : ages(lanes), weight(0) {
      const unsigned costs[] = {Costs...};
      for (int way = 0; way < Ways; ++way)
        weight = ages.way() == way
                     ? detail::scoreboard<Ways>::scale * (common_multiple() / costs[way])
                     : weight;
    }
    __device__ int pick(int want) { return ages.pick(want, weight); }
    __device__ void ran() {}
  };
};

/// Runs a loop of `Ways` ways under a policy.
///
/// `next()` begins a turn of this lane: it returns the way it takes, 0 to Ways - 1, or `done`. The
/// `Ways` paths follow, then at most one part that runs after each path (ways.cuh).
///
/// Needs: no barrier, no `*_sync` operation and no other talk between lanes in the parts. Works in
/// partial warps, after other lanes have returned and behind a branch that divides the warp: lanes
/// that do not arrive together make groups of their own.
///
/// Guarantees: every lane runs its own turns in order, so its results are the same bits as those of
/// the plain loop. The lanes leave together, when the last is done.
template <class Policy, int Ways, class Next, class... Parts>
__device__ __forceinline__ void scheduled_loop(Next&& next, Parts&&... parts) {
  static_assert(2 <= Ways && Ways <= detail::max_ways, "a scheduled loop has 2 to 8 ways");
  detail::check_parts<Ways, sizeof...(Parts)>();
  const detail::loop_parts<std::remove_reference_t<Parts>...> all(parts...);
  if constexpr (detail::is_word<Policy>::value) {
    Policy::template run<Ways>(next, all);
  } else {
    typename Policy::template rule<Ways> rule(__activemask());
    int want = next();
    for (;;) {
      const int chosen = rule.pick(want);
      if (chosen == done)
        return;
      if (want == chosen) {
        want = detail::take_turn<Ways>(chosen, next, all);
        rule.ran();
      }
    }
  }
}

} // namespace heddle
