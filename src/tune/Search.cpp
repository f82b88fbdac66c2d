// SPDX-License-Identifier: Apache-2.0
#include "tune/Search.h"

#include <algorithm>
#include <map>

namespace heddle::tune {
namespace {

constexpr int mostRounds = 3;
constexpr double close = 1.10; ///< of the best: worth another look beside other values

class Searcher {
public:
  Searcher(Space space, const SearchHooks& hooks) : space_(std::move(space)), hooks_(hooks) {
    result_.points = space_.size();
  }

  Expected<SearchResult> run(bool exhaustive) {
    HEDDLE_CHECK(visit(space_.own()));
    if (result_.own().verdict != Verdict::Timed)
      return fail(ErrorKind::BadInput, "the program as it is: {}", result_.own().reason);
    HEDDLE_CHECK(exhaustive ? visitAll() : descend());
    for (std::size_t before = result_.attempts.size(); before != result_.best;) {
      before = result_.best;
      HEDDLE_CHECK(takeBack());
      HEDDLE_CHECK(choose());
    }
    return std::move(result_);
  }

private:
  const Attempt& best() const { return result_.winner(); }

  /// Times a point, unless it is known or ruled out.
  Expected<void> visit(const Point& point, bool mayPrune = true) {
    if (known_.contains(point) || result_.stopped)
      return {};
    if (!result_.attempts.empty() && hooks_.isOver()) {
      result_.stopped = true;
      return {};
    }
    Attempt attempt{.point = point, .configuration = space_.configurationOf(point)};
    if (const auto same = sameConfiguration(attempt.configuration)) {
      known_[point] = *same;
      return {};
    }
    std::optional<Ruling> ruling;
    if (!result_.attempts.empty() && mayPrune)
      ruling = hooks_.prune(space_, point, best());
    if (ruling) {
      attempt.verdict = Verdict::Pruned;
      attempt.by = ruling->by;
      attempt.reason = ruling->reason;
    } else {
      HEDDLE_TRY(attempt.outcome, hooks_.measure(attempt.configuration));
      attempt.verdict = attempt.outcome.trouble.empty() ? Verdict::Timed : Verdict::Failed;
      attempt.reason = attempt.outcome.trouble;
      if (attempt.verdict == Verdict::Timed)
        space_.learnBlock(point, attempt.outcome.block);
    }
    known_[point] = result_.attempts.size();
    result_.attempts.push_back(std::move(attempt));
    if (!isFaster(result_.attempts.back()))
      return {};
    HEDDLE_TRY(const bool holds, prove(result_.attempts.back()));
    if (holds)
      result_.best = result_.attempts.size() - 1;
    return {};
  }

  Expected<bool> prove(Attempt& attempt) {
    if (attempt.proven || attempt.configuration == Configuration())
      return true;
    HEDDLE_TRY(attempt.reason, hooks_.prove(attempt.configuration));
    attempt.proven = attempt.reason.empty();
    if (!attempt.proven)
      attempt.verdict = Verdict::Failed;
    return attempt.proven;
  }

  /// Different points may come to the same: bounds for more threads than a block's multiple.
  std::optional<std::size_t> sameConfiguration(const Configuration& wanted) const {
    for (std::size_t i = 0; i < result_.attempts.size(); ++i)
      if (result_.attempts[i].configuration == wanted)
        return i;
    return std::nullopt;
  }
  bool isFaster(const Attempt& attempt) const {
    return attempt.verdict == Verdict::Timed && attempt.outcome.seconds < best().outcome.seconds;
  }

  /// A wish for more threads than fit comes to no bounds at all, and is no point of its own.
  bool isPossible(const Point& point) const {
    return space_.residentOf(point) == 0 || space_.configurationOf(point).bounds > 0;
  }

  Expected<void> visitAll() {
    for (const Point& point : space_.all())
      if (isPossible(point))
        HEDDLE_CHECK(visit(point, false));
    return {};
  }

  /// Steps 2 and 3.
  Expected<void> descend() {
    for (int round = 0; round < mostRounds; ++round) {
      const Point before = best().point;
      for (std::size_t i = 0; i < space_.parameters.size(); ++i)
        HEDDLE_CHECK(tryValues(i, round));
      if (best().point == before)
        break;
    }
    return {};
  }

  Expected<void> tryValues(std::size_t parameter, int round) {
    const Point base = best().point;
    std::map<std::size_t, double>& seen = times_[parameter];
    double fastest = 0;
    for (const auto& [value, seconds] : seen)
      fastest = fastest == 0 ? seconds : std::min(fastest, seconds);
    for (std::size_t value = 0; value < space_.parameters[parameter].values.size(); ++value) {
      Point point = base;
      point[parameter] = value;
      if (!isPossible(point))
        continue;
      const auto was = seen.find(value);
      if (round > 0 && was != seen.end() && was->second > fastest * close)
        continue;
      HEDDLE_CHECK(visit(point));
      const auto known = known_.find(point);
      if (known == known_.end()) // no time was left
        continue;
      const Attempt& attempt = result_.attempts[known->second];
      if (round == 0 && attempt.verdict == Verdict::Timed)
        seen[value] = attempt.outcome.seconds;
    }
    return {};
  }

  /// Step 4: each change of the best alone.
  Expected<void> takeBack() {
    const Point changed = best().point;
    for (std::size_t i = 0; i < changed.size(); ++i) {
      Point point = changed;
      point[i] = 0;
      if (isPossible(point))
        HEDDLE_CHECK(visit(point, false));
    }
    return {};
  }

  /// Step 5: fewer changes first, and of as many the faster one.
  Expected<void> choose() {
    double fastest = best().outcome.seconds;
    for (const Attempt& attempt : result_.attempts)
      if (attempt.verdict == Verdict::Timed && attempt.proven)
        fastest = std::min(fastest, attempt.outcome.seconds);
    const auto rank = [](const Attempt& attempt) {
      const auto isChanged = [](std::size_t value) { return value > 0; };
      return std::pair(std::ranges::count_if(attempt.point, isChanged), attempt.outcome.seconds);
    };
    for (std::size_t i = 0; i < result_.attempts.size(); ++i) {
      Attempt& attempt = result_.attempts[i];
      if (attempt.verdict != Verdict::Timed || attempt.outcome.seconds > fastest * equalTimes ||
          rank(attempt) >= rank(best()))
        continue;
      HEDDLE_TRY(const bool holds, prove(attempt));
      if (holds)
        result_.best = i;
    }
    return {};
  }

  Space space_;
  const SearchHooks& hooks_;
  SearchResult result_;
  std::map<Point, std::size_t> known_;                         ///< among the attempts
  std::map<std::size_t, std::map<std::size_t, double>> times_; ///< of the first round, by parameter
};

} // namespace

std::size_t SearchResult::count(Verdict verdict) const {
  return std::size_t(std::ranges::count(attempts, verdict, &Attempt::verdict));
}

Expected<SearchResult> search(Space space, const SearchHooks& hooks, bool exhaustive) {
  return Searcher(std::move(space), hooks).run(exhaustive);
}

} // namespace heddle::tune
