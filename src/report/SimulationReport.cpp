// SPDX-License-Identifier: Apache-2.0
#include "report/SimulationReport.h"

#include "model/NativeLoop.h"
#include "report/BarChart.h"
#include "report/Format.h"
#include "report/Json.h"
#include "report/SvgChart.h"
#include "report/Table.h"
#include "support/LaneMask.h"

#include <algorithm>
#include <cmath>

namespace heddle::report {
namespace {

using namespace heddle::model;

std::string describePaths(const Branching& branching) {
  std::string text;
  for (int path = 0; path < branching.ways(); ++path) {
    text += fmt::format("{}p({}) = {:.4g}", path == 0 ? "" : ", ", pathLetter(path),
                        branching.probability(path));
    if (!branching.equalCosts())
      text += fmt::format(" cost {:.4g}", branching.cost(path));
  }
  return text;
}

std::string distributionChart(const Density& density) {
  BarChart chart;
  chart.rows = 4;
  chart.values = density.y;
  chart.top = std::ranges::max(density.y);
  chart.lowLabel = fmt::format("{:.3f}", density.x.front());
  chart.highLabel = fmt::format("{:.3f} efficiency", density.x.back());
  return drawBars(chart);
}

} // namespace

Density efficiencyDensity(const SimulationResult& result, int iterations) {
  // A warp takes a whole number of steps: one step more changes n/steps by about efficiency^2 / n.
  const double resolution = result.efficiency.mean * result.efficiency.mean / iterations;
  return estimateDensity(result.efficiencies, resolution, 61);
}

std::string simulationText(const SimulationFindings& f, const TextStyle& style) {
  const SimulationRequest& q = f.request;
  const SimulationResult& r = f.result;
  std::string name(policyName(q.policy));
  if (q.word)
    name += " " + q.word->text();
  std::string text = fmt::format("{}   {}   {} iterations, {} warps, seed {}\n\n", style.bold(name),
                                 describePaths(q.branching), q.iterations, q.warps, q.seed);
  Table table("ll");
  table.addRow({"efficiency",
                fmt::format("{:.4f}   deviation {:.4f}, from {:.4f} to {:.4f}", r.efficiency.mean,
                            r.efficiency.sd, r.efficiency.min, r.efficiency.max)});
  table.addRow({"steps per iteration",
                fmt::format("{:.4f}   error {:.4f}", r.steps.mean, r.steps.standardError)});
  const double native = nativeEfficiency(q.branching, warpSize);
  table.addRow({"native efficiency",
                fmt::format("{:.4f}   {} better", native, factor(r.efficiency.mean / native))});
  if (f.headroom)
    table.addRow({"headroom",
                  fmt::format("{:.4f}   found with all decisions known; no schedule exceeds {:.4f}",
                              f.headroom->found.mean, f.headroom->limit.mean)});
  return text + table.print() + "\n" + distributionChart(efficiencyDensity(r, q.iterations));
}

std::string simulationJson(const SimulationFindings& f) {
  const SimulationRequest& q = f.request;
  Json json = startJson("schedule-simulate");
  json["policy"] = policyName(q.policy);
  json["word"] = q.word ? Json(q.word->text()) : Json(nullptr);
  json["probabilities"] = q.branching.probabilities();
  json["costs"] = q.branching.costs();
  json["iterations"] = q.iterations;
  json["warps"] = q.warps;
  json["seed"] = q.seed;
  json["efficiency"] = summaryJson(f.result.efficiency);
  json["steps"] = summaryJson(f.result.steps);
  json["stepsOfPath"] = f.result.stepsOfPath;
  json["nativeEfficiency"] = nativeEfficiency(q.branching, warpSize);
  json["headroom"] = nullptr;
  if (f.headroom)
    json["headroom"] = {{"found", summaryJson(f.headroom->found)},
                        {"limit", summaryJson(f.headroom->limit)}};
  const Density density = efficiencyDensity(f.result, q.iterations);
  json["density"] = {{"efficiency", density.x}, {"density", density.y}};
  return printJson(json);
}

std::string simulationSvg(const SimulationFindings& f) {
  const Density density = efficiencyDensity(f.result, f.request.iterations);
  const Series series{
      .name = std::string(policyName(f.request.policy)), .x = density.x, .y = density.y};
  return drawSvg({{.title = fmt::format("Efficiency of {} warps, {}", f.request.warps,
                                        describePaths(f.request.branching)),
                   .xLabel = "efficiency",
                   .yLabel = "density",
                   .x = {density.x.front(), density.x.back()},
                   .y = {0, std::ranges::max(density.y) * 1.1},
                   .series = {series},
                   .markers = {}}});
}

} // namespace heddle::report
