// SPDX-License-Identifier: Apache-2.0
#include "report/TunePicture.h"

#include "report/SvgChart.h"

#include <algorithm>

namespace heddle::report {
namespace {

constexpr double margin = 0.08; ///< of the range, above and below

Chart chartOf(const tune::KernelTuning& kernel) {
  Series timed{.name = "timed", .dots = true}, best{.name = "best so far", .stairs = true};
  double low = 0, high = 0, least = 0;
  for (const tune::Attempt& attempt : kernel.search.attempts) {
    if (attempt.verdict != tune::Verdict::Timed)
      continue;
    const double time = attempt.outcome.seconds * 1e6;
    const double at = double(timed.x.size() + 1);
    least = timed.x.empty() ? time : std::min(least, time);
    low = timed.x.empty() ? time : std::min(low, time);
    high = std::max(high, time);
    timed.x.push_back(at);
    timed.y.push_back(time);
    best.x.push_back(at);
    best.y.push_back(least);
  }
  const double room = std::max(margin * (high - low), 1e-3 * high);
  Chart chart{.title = kernel.kernel,
              .xLabel = "configurations timed",
              .yLabel = "us",
              .x = {0, double(timed.x.size() + 1)},
              .y = {std::max(0.0, low - room), high + room},
              .series = {std::move(best), std::move(timed)},
              .markers = {}};
  const tune::Attempt& winner = kernel.search.winner();
  std::size_t number = 0;
  for (std::size_t i = 0; i <= kernel.search.best; ++i)
    number += kernel.search.attempts[i].verdict == tune::Verdict::Timed ? 1 : 0;
  const std::string key = winner.configuration.key();
  chart.markers.push_back(
      {double(number), winner.outcome.seconds * 1e6, key.empty() ? "as it is" : key});
  return chart;
}

} // namespace

std::string tunePicture(const tune::Tuning& tuning) {
  std::vector<Chart> charts;
  for (const tune::KernelTuning& kernel : tuning.kernels)
    charts.push_back(chartOf(kernel));
  return drawSvg(charts);
}

} // namespace heddle::report
