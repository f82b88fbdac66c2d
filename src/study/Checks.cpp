// SPDX-License-Identifier: Apache-2.0
//
//   1. Pick the rows: the filter, the range of x, the fields that are there.
//   2. For ratio and share, pair them by x and divide.
//   3. Reduce them to one number, and hold it against the bounds.
#include "study/Checks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace heddle::study {
namespace {

using Found = Expected<double>;

/// A measured point. `key` is x as it was printed, for pairing; `x` is 0 where it is a text.
struct Point {
  Value key;
  double x = 0;
  double y = 0;
};

auto noRows(std::string_view why) {
  return fail(ErrorKind::BadInput, "no rows: {}", why);
}

bool needsNumberX(CheckKind kind) {
  return kind == CheckKind::Linear || kind == CheckKind::Place || kind == CheckKind::Rising ||
         kind == CheckKind::Falling;
}

/// The point of a row, or nothing when it lacks a field or lies outside the range.
std::optional<Point> pointOf(const Row& row, const Check& check) {
  Point point;
  const auto y = check.y.empty() ? std::optional(0.0) : numberOf(row, check.y);
  if (!y)
    return std::nullopt;
  point.y = *y;
  if (check.x.empty())
    return point;
  if (!row.contains(check.x))
    return std::nullopt;
  const auto x = numberOf(row, check.x);
  if (!x && (needsNumberX(check.kind) || check.xRange))
    return std::nullopt;
  point.key = row[check.x];
  point.x = x.value_or(0);
  const bool outside =
      check.xRange && (point.x < check.xRange->first || point.x > check.xRange->second);
  return outside ? std::nullopt : std::optional(std::move(point));
}

std::string fieldsText(const Check& check) {
  std::string text = check.y.empty() ? "" : fmt::format("'{}'", check.y);
  if (!check.x.empty())
    text += fmt::format("{}'{}'", text.empty() ? "" : " and ", check.x);
  return text + (check.xRange ? " in the range" : "");
}

/// Step 1. Points in ascending order of x, rows of the same x as they were printed.
Expected<std::vector<Point>> select(const std::vector<Row>& rows, const Check& check,
                                    const Filter& extra) {
  std::size_t matching = 0;
  std::vector<Point> points;
  for (const Row& row : rows) {
    if (!matches(row, check.where) || !matches(row, extra))
      continue;
    ++matching;
    if (auto point = pointOf(row, check))
      points.push_back(*std::move(point));
  }
  if (matching == 0) {
    Filter both = check.where;
    both.update(extra);
    return noRows(fmt::format("none matches {}", both.dump()));
  }
  if (points.empty())
    return noRows(fmt::format("{} match, none has {}", matching, fieldsText(check)));
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return points[a].x != points[b].x ? points[a].x < points[b].x : a < b;
  });
  std::vector<Point> sorted;
  for (const std::size_t index : order)
    sorted.push_back(std::move(points[index]));
  return sorted;
}

Expected<void> refuseTwice(const std::vector<Point>& points, const Check& check,
                           std::string_view side) {
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = i + 1; j < points.size(); ++j)
      if (sameValue(points[i].key, points[j].key)) {
        const std::string at =
            check.x.empty() ? "" : fmt::format(" with {} = {}", check.x, points[i].key.dump());
        return fail(ErrorKind::BadInput, "several rows{}{}: narrow the filter", side, at);
      }
  return {};
}

/// Step 2. y of `of` over y of `to`, as points over x; x of only one side is left out.
Expected<std::vector<Point>> ratios(const std::vector<Row>& rows, const Check& check) {
  HEDDLE_TRY(const std::vector<Point> of, select(rows, check, check.of));
  HEDDLE_TRY(const std::vector<Point> to, select(rows, check, check.to));
  HEDDLE_CHECK(refuseTwice(of, check, " of 'of'"));
  HEDDLE_CHECK(refuseTwice(to, check, " of 'to'"));
  std::vector<Point> pairs;
  for (const Point& above : of) {
    const auto below = std::ranges::find_if(
        to, [&](const Point& point) { return sameValue(point.key, above.key); });
    if (below == to.end())
      continue;
    if (below->y == 0)
      return fail(ErrorKind::BadInput, "'{}' of 'to' is 0 at {}", check.y, below->key.dump());
    pairs.push_back({above.key, above.x, above.y / below->y});
  }
  if (pairs.empty())
    return noRows(fmt::format("no {} is on both sides", check.x));
  return pairs;
}

Expected<void> require(const std::vector<Point>& points, std::size_t least) {
  if (points.size() < least)
    return fail(ErrorKind::BadInput, "too few rows: {}, expected at least {}", points.size(),
                least);
  return {};
}

double mean(const std::vector<Point>& points, double Point::* value) {
  double sum = 0;
  for (const Point& point : points)
    sum += point.*value;
  return sum / double(points.size());
}

Found lineFit(const std::vector<Point>& points) {
  HEDDLE_CHECK(require(points, 3)); // a line goes through any two
  const double meanX = mean(points, &Point::x), meanY = mean(points, &Point::y);
  double xx = 0, xy = 0, yy = 0;
  for (const Point& point : points) {
    xx += (point.x - meanX) * (point.x - meanX);
    xy += (point.x - meanX) * (point.y - meanY);
    yy += (point.y - meanY) * (point.y - meanY);
  }
  if (xx == 0 || yy == 0)
    return fail(ErrorKind::BadInput, "{} is the same in all rows", xx == 0 ? "x" : "y");
  return xy * xy / (xx * yy);
}

Found spread(const std::vector<Point>& points) {
  HEDDLE_CHECK(require(points, 2));
  const auto [low, high] = std::ranges::minmax(points, {}, &Point::y);
  const double middle = mean(points, &Point::y);
  if (low.y == high.y)
    return 0.0;
  if (middle == 0)
    return fail(ErrorKind::BadInput, "the mean is 0");
  return (high.y - low.y) / std::abs(middle);
}

Found taken(const std::vector<Point>& points, Take take) {
  switch (take) {
  case Take::Mean:
    return mean(points, &Point::y);
  case Take::Min:
    return std::ranges::min(points, {}, &Point::y).y;
  case Take::Max:
    return std::ranges::max(points, {}, &Point::y).y;
  case Take::First:
    return points.front().y;
  case Take::Last:
    return points.back().y;
  case Take::Sum:
    return mean(points, &Point::y) * double(points.size());
  case Take::Count:
    break;
  }
  return double(points.size());
}

Found place(const std::vector<Point>& points, Take take) {
  HEDDLE_CHECK(require(points, 2));
  return take == Take::Max ? std::ranges::max(points, {}, &Point::y).x
                           : std::ranges::min(points, {}, &Point::y).x;
}

/// The largest step against the direction (1 up, -1 down), relative to the larger neighbour.
Found wrongStep(const std::vector<Point>& points, const Check& check, double direction) {
  HEDDLE_CHECK(require(points, 2));
  HEDDLE_CHECK(refuseTwice(points, check, ""));
  double worst = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double step = direction * (points[i - 1].y - points[i].y);
    const double scale = std::max(std::abs(points[i - 1].y), std::abs(points[i].y));
    if (step > 0)
      worst = std::max(worst, step / scale);
  }
  return worst;
}

Found shareOf(const std::vector<Point>& pairs, const Check& check) {
  const auto counted = std::ranges::count_if(pairs, [&](const Point& pair) {
    return check.below ? pair.y < *check.below : pair.y > *check.above;
  });
  return double(counted) / double(pairs.size());
}

/// Step 3.
Found reduce(const std::vector<Point>& points, const Check& check) {
  switch (check.kind) {
  case CheckKind::Linear:
    return lineFit(points);
  case CheckKind::Flat:
    return spread(points);
  case CheckKind::Value:
  case CheckKind::Ratio:
    return taken(points, check.take);
  case CheckKind::Place:
    return place(points, check.take);
  case CheckKind::Share:
    return shareOf(points, check);
  case CheckKind::Rising:
    return wrongStep(points, check, 1);
  case CheckKind::Falling:
    break;
  }
  return wrongStep(points, check, -1);
}

} // namespace

CheckResult evaluate(const Check& check, const std::vector<Row>& rows) {
  const bool paired = check.kind == CheckKind::Ratio || check.kind == CheckKind::Share;
  const auto points = paired ? ratios(rows, check) : select(rows, check, Filter::object());
  CheckResult result;
  if (!points) {
    result.reason = points.error().message;
    return result;
  }
  result.rows = points->size();
  const Found found = reduce(*points, check);
  if (!found || !std::isfinite(*found)) {
    result.reason = found ? "it is no finite number" : found.error().message;
    return result;
  }
  result.found = *found;
  result.holds =
      (!check.atLeast || *found >= *check.atLeast) && (!check.atMost || *found <= *check.atMost);
  return result;
}

const std::vector<std::string>& kindNames() {
  static const std::vector<std::string> names = {"linear", "flat",  "value",  "place",
                                                 "ratio",  "share", "rising", "falling"};
  return names;
}

std::string_view kindName(CheckKind kind) {
  return kindNames()[std::size_t(kind)];
}

std::string boundText(const Check& check) {
  if (check.atLeast && check.atMost)
    return *check.atLeast == *check.atMost ? fmt::format("{}", *check.atLeast)
                                           : fmt::format("{} to {}", *check.atLeast, *check.atMost);
  return check.atLeast ? fmt::format("at least {}", *check.atLeast)
                       : fmt::format("at most {}", check.atMost.value_or(0));
}

} // namespace heddle::study
