// SPDX-License-Identifier: Apache-2.0
#include "report/SweepReport.h"

#include "report/Json.h"
#include "report/SimulationReport.h"
#include "report/SvgChart.h"
#include "report/Table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace heddle::report {
namespace {

using namespace heddle::model;

/// The p whose distributions figures C.1 to C.4 show.
constexpr double pictured[] = {0.02, 0.1, 0.25, 0.5};

bool isPictured(double p) {
  return std::ranges::any_of(pictured, [&](double q) { return std::abs(p - q) < 1e-9; });
}

std::string sweepTable(const Sweep& sweep, const TextStyle& style) {
  const std::size_t columns = sweep.points.front().runs.size();
  const bool withHeadroom = sweep.points.front().headroom.has_value();
  Table table(std::string(columns + (withHeadroom ? 2 : 1), 'r'));
  std::vector<std::string> head{style.bold("p")};
  for (const SweepRun& run : sweep.points.front().runs)
    head.push_back(style.bold(policyName(run.policy)));
  if (withHeadroom)
    head.push_back(style.bold("oracle"));
  table.addRow(head);
  for (const SweepPoint& point : sweep.points) {
    std::vector<std::string> row{fmt::format("{:.3g}", point.p)};
    const auto best = std::ranges::max_element(
        point.runs, {}, [](const SweepRun& run) { return run.result.efficiency.mean; });
    for (const SweepRun& run : point.runs) {
      const std::string value = fmt::format("{:.4f}", run.result.efficiency.mean);
      row.push_back(&run == &*best ? style.good(value) : value);
    }
    if (point.headroom)
      row.push_back(fmt::format("{:.4f}", point.headroom->found.mean));
    table.addRow(row);
  }
  return table.print();
}

Json pointJson(const SweepPoint& point, int iterations) {
  Json json{{"p", point.p}};
  json["policies"] = Json::array();
  for (const SweepRun& run : point.runs) {
    Json item{{"policy", policyName(run.policy)},
              {"word", run.word ? Json(run.word->text()) : Json(nullptr)},
              {"efficiency", summaryJson(run.result.efficiency)},
              {"steps", summaryJson(run.result.steps)}};
    if (isPictured(point.p)) {
      const Density density = efficiencyDensity(run.result, iterations);
      item["density"] = {{"efficiency", density.x}, {"density", density.y}};
    }
    json["policies"].push_back(std::move(item));
  }
  json["headroom"] = nullptr;
  if (point.headroom)
    json["headroom"] = {{"found", summaryJson(point.headroom->found)},
                        {"limit", summaryJson(point.headroom->limit)}};
  return json;
}

const SweepRun* findRun(const SweepPoint& point, Policy policy) {
  const auto found = std::ranges::find(point.runs, policy, &SweepRun::policy);
  return found == point.runs.end() ? nullptr : &*found;
}

/// One figure of densities: the pictured p of one policy, a curve each.
Chart densityChart(const Sweep& sweep, Policy policy) {
  Chart chart{.title = fmt::format("{}: distribution of efficiency, n = {}, 32 lanes",
                                   policyName(policy), sweep.iterations),
              .xLabel = "efficiency",
              .yLabel = "density",
              .x = {0.3, 1},
              .y = {0, 1},
              .series = {},
              .markers = {}};
  for (const SweepPoint& point : sweep.points) {
    const SweepRun* run = findRun(point, policy);
    if (run == nullptr || !isPictured(point.p))
      continue;
    Density density = efficiencyDensity(run->result, sweep.iterations);
    chart.y.high = std::max(chart.y.high, std::ranges::max(density.y) * 1.05);
    Series series{.name = fmt::format("p = {:.2g}", point.p),
                  .x = std::move(density.x),
                  .y = std::move(density.y)};
    chart.series.push_back(std::move(series));
  }
  return chart;
}

/// A curve per policy over p.
template <class Value>
Chart overP(const Sweep& sweep, std::string title, std::string yLabel, Range2 y, Value value) {
  Chart chart{.title = std::move(title),
              .xLabel = "probability of path A",
              .yLabel = std::move(yLabel),
              .x = {0, 0.5},
              .y = y,
              .series = {},
              .markers = {}};
  for (const PolicyInfo& info : allPolicies()) {
    Series series{.name = std::string(info.name), .x = {}, .y = {}};
    series.dashed = info.policy == Policy::Native;
    for (const SweepPoint& point : sweep.points)
      if (const SweepRun* run = findRun(point, info.policy)) {
        series.x.push_back(point.p);
        series.y.push_back(value(run->result));
      }
    if (!series.x.empty())
      chart.series.push_back(std::move(series));
  }
  return chart;
}

/// The oracle's curve, where the loops are short enough to search.
void addHeadroom(const Sweep& sweep, Chart& chart) {
  Series series{.name = "oracle (beam)", .x = {}, .y = {}, .stairs = false, .dashed = true};
  for (const SweepPoint& point : sweep.points)
    if (point.headroom) {
      series.x.push_back(point.p);
      series.y.push_back(point.headroom->found.mean);
    }
  if (!series.x.empty())
    chart.series.push_back(std::move(series));
}

} // namespace

std::string sweepText(const SweepFindings& f, const TextStyle& style) {
  std::string text;
  for (const Sweep& sweep : f.sweeps) {
    text += fmt::format("{}mean efficiency, {} iterations, {} warps, seed {}\n",
                        text.empty() ? "" : "\n", sweep.iterations, f.warps, f.seed);
    text += sweepTable(sweep, style);
  }
  return text;
}

std::string sweepJson(const SweepFindings& f) {
  Json json = startJson("schedule-sweep");
  json["warps"] = f.warps;
  json["seed"] = f.seed;
  json["sweeps"] = Json::array();
  for (const Sweep& sweep : f.sweeps) {
    Json item{{"iterations", sweep.iterations}, {"points", Json::array()}};
    for (const SweepPoint& point : sweep.points)
      item["points"].push_back(pointJson(point, sweep.iterations));
    json["sweeps"].push_back(std::move(item));
  }
  return printJson(json);
}

std::vector<Picture> sweepPictures(const SweepFindings& f) {
  // The figure of the simple schedule and that of the dynamic ones, by number of iterations.
  const std::map<int, std::pair<const char*, const char*>> figures = {{100, {"c1.svg", "c2.svg"}},
                                                                      {1000, {"c3.svg", "c4.svg"}}};
  std::vector<Picture> pictures;
  for (const Sweep& sweep : f.sweeps) {
    if (const auto figure = figures.find(sweep.iterations); figure != figures.end()) {
      pictures.push_back({figure->second.first, drawSvg({densityChart(sweep, Policy::Alternating),
                                                         densityChart(sweep, Policy::Native)})});
      pictures.push_back({figure->second.second, drawSvg({densityChart(sweep, Policy::Frequency),
                                                          densityChart(sweep, Policy::Laggard),
                                                          densityChart(sweep, Policy::Aging)})});
    }
    Chart efficiency =
        overP(sweep, fmt::format("Mean efficiency, n = {}", sweep.iterations), "efficiency",
              {0.45, 1}, [](const SimulationResult& r) { return r.efficiency.mean; });
    addHeadroom(sweep, efficiency);
    pictures.push_back({fmt::format("efficiency-{}.svg", sweep.iterations), drawSvg({efficiency})});
    const std::string name =
        sweep.iterations == 1000 ? "f1.svg" : fmt::format("steps-{}.svg", sweep.iterations);
    pictures.push_back(
        {name, drawSvg({overP(sweep, fmt::format("Steps per iteration, n = {}", sweep.iterations),
                              "scheduled steps / n", {1, 2.05},
                              [](const SimulationResult& r) { return r.steps.mean; })})});
  }
  return pictures;
}

} // namespace heddle::report
