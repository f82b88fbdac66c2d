// SPDX-License-Identifier: Apache-2.0
#include "model/BestWord.h"

#include "model/FixedSchedule.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heddle::model {
namespace {

constexpr double tieTolerance = 1e-12;
constexpr double mostWords = 2e7;

double stepsBy(Measure measure, const std::vector<Segment>& segments, double p) {
  return measure == Measure::Exact ? exactSteps(segments, p) : approximateSteps(segments, p);
}

/// Visits every tuple of `count` segments whose first is not smaller than any other. Rotations of a
/// word are the same schedule, and each has such a rotation.
template <class Visit> void forEachTuple(int count, int longestRun, Visit visit) {
  std::vector<Segment> tuple(std::size_t(count), Segment{1, 1});
  const auto increment = [&](Segment& segment) {
    if (++segment.y > longestRun) {
      segment.y = 1;
      ++segment.x;
    }
    return segment.x <= longestRun;
  };
  for (;;) {
    visit(tuple);
    // The last segments run up to the first one; then the first one moves on.
    std::size_t place = tuple.size() - 1;
    while (place > 0 && tuple[place] == tuple.front())
      tuple[place--] = Segment{1, 1};
    if (!increment(tuple[place]))
      return;
  }
}

Expected<void> validate(const WordSearch& search) {
  if (!(search.p > 0) || !(search.p < 1))
    return fail(ErrorKind::BadInput,
                "probability {}: expected above 0 and below 1, since a loop with one path needs no "
                "schedule",
                search.p);
  if (search.segments < 1 || search.segments > 6)
    return fail(ErrorKind::BadInput, "{} segments: expected 1 to 6", search.segments);
  if (search.longestRun < 1 || search.longestRun > 100)
    return fail(ErrorKind::BadInput, "runs of up to {}: expected 1 to 100", search.longestRun);
  if (std::pow(double(search.longestRun) * search.longestRun, search.segments) > mostWords)
    return fail(ErrorKind::BadInput,
                "{} segments with runs of up to {} are more than {} words; lower one of the two",
                search.segments, search.longestRun, mostWords);
  return {};
}

} // namespace

Expected<BestWord> findBestWord(const WordSearch& search, Measure measure) {
  HEDDLE_CHECK(validate(search));
  double best = std::numeric_limits<double>::infinity();
  std::vector<Segment> winner;
  for (int count = 1; count <= search.segments; ++count)
    forEachTuple(count, search.longestRun, [&](const std::vector<Segment>& tuple) {
      const double steps = stepsBy(measure, tuple, search.p);
      if (steps < best * (1 - tieTolerance)) {
        best = steps;
        winner = tuple;
      }
    });
  return BestWord{Word::fromSegments(winner), approximateSteps(winner, search.p),
                  exactSteps(winner, search.p)};
}

const std::vector<PublishedWord>& publishedWords() {
  static const std::vector<PublishedWord> rows = {
      {0.05, 1.28, 0.78, "ABBBBBB"},     {0.06, 1.31, 0.76, "ABBBBB"},
      {0.08, 1.35, 0.74, "ABBBB"},       {0.12, 1.41, 0.71, "ABBB"},
      {0.18, 1.47, 0.68, "ABBBABBBABB"}, {0.19, 1.48, 0.68, "ABBBABBABB"},
      {0.2, 1.48, 0.68, "ABB"},          {0.3, 1.53, 0.65, "ABBABBAB"},
      {0.4, 1.52, 0.66, "AB"},           {0.5, 1.50, 0.67, "AB"},
  };
  return rows;
}

} // namespace heddle::model
