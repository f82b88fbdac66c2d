// SPDX-License-Identifier: Apache-2.0
#include "report/StudyFigures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace heddle::report {
namespace {

using study::Figure;
using study::Row;

constexpr double air = 0.05; ///< above the highest point, as a share of the axis

/// What a row says it belongs to: the line's name.
std::string lineName(const Row& row, const Figure& figure) {
  const auto field = row.find(figure.by);
  if (field == row.end())
    return figure.y;
  return field->is_string()      ? field->get<std::string>()
         : figure.by == "series" ? field->dump()
                                 : figure.by + " " + field->dump();
}

void addPoint(Series& series, const Figure& figure, double x, double y) {
  const bool drawable = (!figure.logX || x > 0) && (!figure.logY || y > 0);
  if (!drawable || !std::isfinite(x) || !std::isfinite(y))
    return;
  series.x.push_back(x);
  series.y.push_back(y);
}

/// Lines go from left to right, whatever the order of the runs was.
void sortByX(Series& series) {
  std::vector<std::size_t> order(series.x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return series.x[a] != series.x[b] ? series.x[a] < series.x[b] : a < b;
  });
  Series sorted = series;
  for (std::size_t i = 0; i < order.size(); ++i) {
    sorted.x[i] = series.x[order[i]];
    sorted.y[i] = series.y[order[i]];
  }
  series = std::move(sorted);
}

std::vector<Series> measuredLines(const Figure& figure, const std::vector<Row>& rows) {
  std::vector<Series> lines;
  for (const Row& row : rows) {
    const auto x = study::numberOf(row, figure.x), y = study::numberOf(row, figure.y);
    if (!x || !y || !study::matches(row, figure.where))
      continue;
    const std::string name = lineName(row, figure);
    auto line = std::ranges::find(lines, name, &Series::name);
    if (line == lines.end())
      line = lines.insert(lines.end(), {.name = name, .dots = true});
    addPoint(*line, figure, *x, *y * figure.scale);
  }
  std::erase_if(lines, [](const Series& line) { return line.x.empty(); });
  std::ranges::for_each(lines, sortByX);
  return lines;
}

std::vector<Series> publishedLines(const Figure& figure) {
  std::vector<Series> lines;
  for (const study::PublishedLine& published : figure.published) {
    lines.push_back({.name = published.name, .dashed = true, .dots = true});
    for (const auto& [x, y] : published.points)
      addPoint(lines.back(), figure, x, y);
    sortByX(lines.back());
  }
  return lines;
}

Range2 extent(const std::vector<Series>& lines, std::vector<double> Series::* values) {
  Range2 range{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()};
  for (const Series& line : lines)
    for (const double value : line.*values) {
      range.low = std::min(range.low, value);
      range.high = std::max(range.high, value);
    }
  return range;
}

/// Linear axes of y begin at 0, so that a small difference looks small.
Range2 axis(Range2 values, bool logarithmic, bool fromZero) {
  if (logarithmic)
    return values.low < values.high ? values : Range2{values.low / 2, values.high * 2};
  if (fromZero) {
    values.high += air * (values.high - std::min(values.low, 0.0));
    values.low = std::min(values.low, 0.0);
  }
  return values.low < values.high ? values : Range2{values.low - 1, values.high + 1};
}

} // namespace

std::optional<Chart> studyChart(const Figure& figure, const std::vector<Row>& rows,
                                const std::string& device) {
  Chart chart{.title = device.empty() ? figure.title : fmt::format("{} ({})", figure.title, device),
              .xLabel = figure.xLabel,
              .yLabel = figure.yLabel,
              .series = measuredLines(figure, rows),
              .logX = figure.logX,
              .logY = figure.logY};
  if (chart.series.empty())
    return std::nullopt;
  for (Series& line : publishedLines(figure))
    chart.series.push_back(std::move(line));
  chart.x = axis(extent(chart.series, &Series::x), figure.logX, false);
  chart.y = axis(extent(chart.series, &Series::y), figure.logY, true);
  return chart;
}

} // namespace heddle::report
