// SPDX-License-Identifier: Apache-2.0
#include "model/Summary.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace heddle::model {

Summary summarize(const std::vector<double>& values) {
  assert(!values.empty() && "a summary needs at least one value");
  const double count = double(values.size());
  Summary summary;
  for (const double value : values)
    summary.mean += value;
  summary.mean /= count;
  double squares = 0;
  for (const double value : values)
    squares += (value - summary.mean) * (value - summary.mean);
  summary.sd = values.size() > 1 ? std::sqrt(squares / (count - 1)) : 0;
  summary.standardError = summary.sd / std::sqrt(count);

  std::vector<double> sorted = values;
  std::ranges::sort(sorted);
  summary.min = sorted.front();
  summary.max = sorted.back();
  constexpr double shares[] = {0.05, 0.25, 0.5, 0.75, 0.95};
  for (std::size_t i = 0; i < std::size(shares); ++i)
    summary.quantiles[i] = sorted[std::size_t(shares[i] * (count - 1) + 0.5)];
  return summary;
}

Density estimateDensity(const std::vector<double>& values, double resolution, int points) {
  const Summary summary = summarize(values);
  const double count = double(values.size());
  const double width = std::max(1.06 * summary.sd * std::pow(count, -0.2), resolution);
  const double low = summary.min - 3 * width;
  const double step = (summary.max + 3 * width - low) / (points - 1);
  Density density;
  for (int point = 0; point < points; ++point) {
    const double x = low + point * step;
    double sum = 0;
    for (const double value : values)
      sum += std::exp(-0.5 * (x - value) * (x - value) / (width * width));
    density.x.push_back(x);
    density.y.push_back(sum / (count * width * std::sqrt(2 * std::numbers::pi)));
  }
  return density;
}

} // namespace heddle::model
