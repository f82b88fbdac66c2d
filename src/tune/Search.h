// SPDX-License-Identifier: Apache-2.0
//
// The search for a kernel's best configuration.
//
//   1. The kernel as it is, which the others are held against.
//   2. Parameter by parameter, in the order of their kinds: every value with the best of all others
//      so far. What a model rules out is not timed.
//   3. Once more, with values that were close to the best the first time, until nothing changes.
//   4. The best without each of its changes, to see which ones gain nothing.
//   5. Of those as fast as the fastest, the one that changes least; of several, the fastest.
//
// Whatever becomes the best is proven first: its results are those of the kernel as it is.
//
// An exhaustive search times every point of the space instead of steps 2 and 3; nothing is ruled
// out.
#pragma once

#include "tune/Space.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace heddle::tune {

/// What a run of a configuration has shown.
struct Outcome {
  double seconds = 0; ///< of the kernel, all launches
  double low = 0, high = 0;
  int registers = 0;
  int spills = 0; ///< bytes
  double occupancy = 0;
  double efficiency = 1;
  profile::Extent block = {1, 1, 1};
  std::string trouble{}; ///< why it does not count: other results, no build; empty: it does
};

enum class Verdict {
  Timed,
  Pruned, ///< a model or the search ruled it out
  Failed, ///< it does not build or run, or its results differ
};

struct Attempt {
  Point point;
  bool proven = false; ///< its results are those of the kernel as it is
  Configuration configuration;
  Verdict verdict = Verdict::Timed;
  std::string by;     ///< "occupancy", "payoff", "search"; empty where it was timed
  std::string reason; ///< why it was pruned, or what went wrong
  Outcome outcome;
};

/// Why a model rules a point out.
struct Ruling {
  std::string by, reason;
};

struct SearchHooks {
  /// Runs a configuration. An error ends the search.
  std::function<Expected<Outcome>(const Configuration&)> measure;
  /// Whether its results are those of the kernel as it is: asked of what would be the best. Empty:
  /// they are, else what differs.
  std::function<Expected<std::string>(const Configuration&)> prove;
  /// `best` is the best so far. Nothing: it may be worth a run.
  std::function<std::optional<Ruling>(const Space&, const Point&, const Attempt& best)> prune;
  std::function<bool()> isOver = [] { return false; }; ///< no time is left
};

struct SearchResult {
  std::vector<Attempt> attempts; ///< in order; the first is the kernel as it is
  std::size_t best = 0;          ///< among them
  std::size_t points = 0;        ///< of the whole space
  bool stopped = false;          ///< before it was done

  const Attempt& own() const { return attempts.front(); }
  const Attempt& winner() const { return attempts[best]; }
  double gain() const { return own().outcome.seconds / winner().outcome.seconds; }
  std::size_t count(Verdict verdict) const;
};

/// Times that differ by less are equal.
inline constexpr double equalTimes = 1.01;

Expected<SearchResult> search(Space space, const SearchHooks& hooks, bool exhaustive);

} // namespace heddle::tune
