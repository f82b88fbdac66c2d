// SPDX-License-Identifier: Apache-2.0
#include "report/OccupancyReport.h"

#include "report/BarChart.h"
#include "report/Format.h"
#include "report/Json.h"
#include "report/SvgChart.h"
#include "report/Table.h"
#include "support/LaneMask.h"

#include <algorithm>

namespace heddle::report {
namespace {

using namespace heddle::machine;

std::string limitText(int limit) {
  return limit == unlimited ? "-" : std::to_string(limit);
}

std::string headline(const OccupancyFindings& f, const TextStyle& style) {
  std::string text = style.bold(f.target.label);
  if (f.target.device)
    text += fmt::format(" ({}, compute capability {})", f.target.device->chip,
                        f.target.limits.computeCapability.text());
  text += fmt::format("   {} threads, {} registers, {} bytes shared", f.kernel.threads,
                      f.kernel.registers, f.kernel.shared);
  if (f.kernel.barriers > 0)
    text += fmt::format(", {} barriers", f.kernel.barriers);
  if (f.source)
    text += fmt::format(
        "\nkernel {} of {}   registers: {}{}, shared: {} bytes static", f.source->kernel,
        f.source->file, f.source->registers.text(),
        f.source->spillBytes > 0 ? fmt::format(" ({} bytes spilled)", f.source->spillBytes) : "",
        f.source->staticShared);
  return text + "\n\n";
}

std::string limiterText(const OccupancyFindings& f) {
  if (f.occupancy.occupancy == 1.0)
    return "nothing left to gain";
  return fmt::format("limited by {}", limiterName(f.occupancy.limiter()));
}

std::string residency(const OccupancyFindings& f, const TextStyle& style) {
  const Occupancy& o = f.occupancy;
  Table table("ll");
  const std::string share = percent(o.occupancy);
  table.addRow({"occupancy", (o.occupancy == 1.0 ? style.good(share) : style.bold(share)) + "   " +
                                 limiterText(f)});
  if (o.activeBlocks == 0)
    table.addRow(
        {"", style.bad(fmt::format("does not launch: one block needs more {} than there are",
                                   limiterName(o.limiter())))});
  table.addRow(
      {"per multiprocessor",
       fmt::format("{} blocks, {} of {} warps, {} of {} threads", o.activeBlocks, o.activeWarps,
                   f.target.limits.warps, o.activeThreads, f.target.limits.warps * warpSize)});
  if (f.launch)
    table.addRow({"on the GPU", fmt::format("{} blocks at once on {} multiprocessors",
                                            f.launch->blocksResident, f.launch->multiprocessors)});
  table.addRow(
      {"a block takes", fmt::format("{} warps, {} registers, {} bytes shared", o.warpsPerBlock,
                                    o.registersPerBlock, o.sharedPerBlock)});
  std::string limits;
  for (const Limiter limiter : allLimiters)
    limits += fmt::format("{}{} {}", limits.empty() ? "" : "   ", limiterName(limiter),
                          limitText(o.limitBy(limiter)));
  table.addRow({"block limit by", limits});
  if (f.kernel.shared > f.target.limits.sharedPerBlock)
    table.addRow({"note", fmt::format("more than {} bytes shared: the program must opt in with "
                                      "cudaFuncSetAttribute",
                                      f.target.limits.sharedPerBlock)});
  return table.print();
}

void addChange(Table& table, std::string_view what, int from,
               const std::optional<ResourceChange>& change) {
  if (change)
    table.addRow({std::string(what), fmt::format("{} -> {}", from, change->value),
                  percent(change->occupancy)});
}

/// "128, 256, 512", at most eight, the rest counted.
std::string listSizes(const std::vector<int>& sizes) {
  std::string text;
  const std::size_t shown = std::min<std::size_t>(sizes.size(), 8);
  for (std::size_t i = 0; i < shown; ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(sizes[i]);
  if (shown < sizes.size())
    text += fmt::format(" and {} more", sizes.size() - shown);
  return text;
}

std::string changes(const OccupancyFindings& f, const TextStyle& style) {
  const OccupancyAdvice& a = f.advice;
  Table table("lll");
  addChange(table, "fewer registers", f.kernel.registers, a.fewerRegisters);
  addChange(table, "smaller block", f.kernel.threads, a.smallerBlock);
  addChange(table, "larger block", f.kernel.threads, a.largerBlock);
  addChange(table, "less shared", f.kernel.shared, a.lessShared);
  const bool any = a.fewerRegisters || a.smallerBlock || a.largerBlock || a.lessShared;
  std::string text = "\n" + style.bold("what to change") + "\n" + table.print();
  if (!any && f.occupancy.occupancy < 1.0)
    text += "  no single change raises occupancy\n";
  if (f.occupancy.activeBlocks > 0)
    text += fmt::format("  free at this occupancy: up to {} registers, up to {} bytes shared\n",
                        a.registersForFree, a.sharedForFree);
  if (!a.bestBlockSizes.empty())
    text += fmt::format("  best block sizes: {} threads ({})\n", listSizes(a.bestBlockSizes),
                        percent(a.bestOccupancy));
  return text;
}

std::string gridText(const GridAdvice& grid, int multiprocessors) {
  std::string text =
      fmt::format("{}: {:.2f} per multiprocessor, {:.2f} waves, the last one {} full", grid.blocks,
                  grid.blocksPerMultiprocessor, grid.waves, percent(grid.lastWaveFilled));
  if (!grid.everySmBusy)
    text += fmt::format("; too few for {} multiprocessors", multiprocessors);
  return text;
}

std::string launch(const OccupancyFindings& f, const TextStyle& style) {
  if (!f.launch)
    return "";
  const LaunchAdvice& l = *f.launch;
  Table table("ll");
  if (l.grid)
    table.addRow({"grid", gridText(*l.grid, l.multiprocessors)});
  table.addRow(
      {"blocks", fmt::format("more than {} keep every multiprocessor busy, more than {} at "
                             "barriers too",
                             l.blocksForOnePerSm, l.blocksForTwoPerSm)});
  table.addRow(
      {"latency",
       fmt::format("{} warps ({}) hide {:.0f} cycles of arithmetic; this kernel has {}: {}",
                   l.warpsToHideArithmetic, percent(l.occupancyToHideArithmetic),
                   f.target.device->latencyCycles.arithmetic, f.occupancy.activeWarps,
                   l.arithmeticHidden ? style.good("hidden") : style.bad("not hidden"))});
  if (l.idleLanes > 0)
    table.addRow({"lanes", fmt::format("{} of {} warps idle; use a multiple of {} threads",
                                       percent(l.idleLanes), f.occupancy.warpsPerBlock, warpSize)});
  return "\n" + style.bold("launch") + "\n" + table.print();
}

struct Axis {
  CurveAxis axis;
  const char* key;
  const char* title;
  const char* unit;
  int present;
};

std::vector<Axis> axesOf(const KernelResources& kernel) {
  return {
      {CurveAxis::Threads, "threads", "block size", "threads", kernel.threads},
      {CurveAxis::Registers, "registers", "registers per thread", "registers", kernel.registers},
      {CurveAxis::Shared, "shared", "shared memory per block", "bytes", kernel.shared}};
}

/// The first point at or beyond the present value: it has the present allocation.
std::size_t presentIndex(const std::vector<CurvePoint>& curve, int present) {
  std::size_t index = 0;
  while (index + 1 < curve.size() && curve[index].value < present)
    ++index;
  return index;
}

std::string terminalCurve(const OccupancyFindings& f, const Axis& axis) {
  constexpr std::size_t most = 64;
  const auto curve = occupancyCurve(f.target.limits, f.kernel, axis.axis);
  const std::size_t columns = std::min(curve.size(), most);
  const std::size_t present = presentIndex(curve, axis.present);
  BarChart chart;
  chart.top = f.target.limits.warps;
  chart.topLabel = std::to_string(f.target.limits.warps);
  chart.lowLabel = std::to_string(curve.front().value);
  chart.highLabel = fmt::format("{} {}", curve.back().value, axis.unit);
  for (std::size_t column = 0; column < columns; ++column) {
    const std::size_t first = column * curve.size() / columns;
    const std::size_t end = (column + 1) * curve.size() / columns;
    const bool here = present >= first && present < end;
    if (here)
      chart.mark = static_cast<int>(column);
    chart.values.push_back(curve[here ? present : first].activeWarps);
  }
  return drawBars(chart);
}

Json curveJson(const std::vector<CurvePoint>& curve) {
  Json points = Json::array();
  for (const CurvePoint& point : curve)
    points.push_back({point.value, point.activeWarps});
  return points;
}

Json changeJson(const std::optional<ResourceChange>& change) {
  if (!change)
    return nullptr;
  return {{"value", change->value}, {"occupancy", change->occupancy}};
}

Json adviceJson(const OccupancyAdvice& advice) {
  return {{"fewerRegisters", changeJson(advice.fewerRegisters)},
          {"smallerBlock", changeJson(advice.smallerBlock)},
          {"largerBlock", changeJson(advice.largerBlock)},
          {"lessShared", changeJson(advice.lessShared)},
          {"registersForFree", advice.registersForFree},
          {"sharedForFree", advice.sharedForFree},
          {"bestBlockSizes", advice.bestBlockSizes},
          {"bestOccupancy", advice.bestOccupancy}};
}

Json launchJson(const LaunchAdvice& launch) {
  Json json{{"multiprocessors", launch.multiprocessors},
            {"blocksResident", launch.blocksResident},
            {"blocksForOnePerMultiprocessor", launch.blocksForOnePerSm},
            {"blocksForTwoPerMultiprocessor", launch.blocksForTwoPerSm},
            {"idleLanes", launch.idleLanes},
            {"warpsToHideArithmetic", launch.warpsToHideArithmetic},
            {"occupancyToHideArithmetic", launch.occupancyToHideArithmetic},
            {"arithmeticHidden", launch.arithmeticHidden},
            {"grid", nullptr}};
  if (launch.grid)
    json["grid"] = {{"blocks", launch.grid->blocks},
                    {"blocksPerMultiprocessor", launch.grid->blocksPerMultiprocessor},
                    {"waves", launch.grid->waves},
                    {"lastWaveFilled", launch.grid->lastWaveFilled}};
  return json;
}

} // namespace

std::string occupancyText(const OccupancyFindings& f, const TextStyle& style) {
  std::string text =
      headline(f, style) + residency(f, style) + changes(f, style) + launch(f, style);
  text += "\n" + style.bold("active warps") + " by block size, registers and shared memory\n";
  for (const Axis& axis : axesOf(f.kernel))
    text += terminalCurve(f, axis);
  return text;
}

std::string occupancyJson(const OccupancyFindings& f) {
  const Occupancy& o = f.occupancy;
  Json json = startJson("occupancy");
  json["device"] = f.target.label;
  json["computeCapability"] = f.target.limits.computeCapability.text();
  json["threads"] = f.kernel.threads;
  json["registers"] = f.kernel.registers;
  json["shared"] = f.kernel.shared;
  json["barriers"] = f.kernel.barriers;
  if (f.source)
    json["kernel"] = {{"file", f.source->file},
                      {"name", f.source->kernel},
                      {"registersFrom", f.source->registers.text()},
                      {"spillBytes", f.source->spillBytes},
                      {"staticShared", f.source->staticShared}};
  json["activeBlocks"] = o.activeBlocks;
  json["activeWarps"] = o.activeWarps;
  json["activeThreads"] = o.activeThreads;
  json["occupancy"] = o.occupancy;
  json["limiter"] = limiterName(o.limiter());
  json["limiters"] = Json::array();
  for (const Limiter limiter : o.limiters())
    json["limiters"].push_back(limiterName(limiter));
  for (const Limiter limiter : allLimiters) {
    const int limit = o.limitBy(limiter);
    json["blockLimit"][std::string(limiterName(limiter))] =
        limit == unlimited ? Json(nullptr) : Json(limit);
  }
  json["warpsPerBlock"] = o.warpsPerBlock;
  json["registersPerBlock"] = o.registersPerBlock;
  json["sharedPerBlock"] = o.sharedPerBlock;
  json["sharedPerMultiprocessor"] = o.sharedPerSm;
  json["advice"] = adviceJson(f.advice);
  json["launch"] = f.launch ? launchJson(*f.launch) : Json(nullptr);
  for (const Axis& axis : axesOf(f.kernel))
    json["curves"][axis.key] = curveJson(occupancyCurve(f.target.limits, f.kernel, axis.axis));
  return printJson(json);
}

std::string occupancySvg(const OccupancyFindings& f) {
  std::vector<Chart> charts;
  for (const Axis& axis : axesOf(f.kernel)) {
    const auto curve = occupancyCurve(f.target.limits, f.kernel, axis.axis);
    Series series;
    series.stairs = true; // sizes in between are rounded up
    for (const CurvePoint& point : curve) {
      series.x.push_back(point.value);
      series.y.push_back(point.activeWarps);
    }
    const double warps = f.target.limits.warps;
    charts.push_back({.title = fmt::format("{}: active warps by {}", f.target.label, axis.title),
                      .xLabel = axis.title,
                      .yLabel = "active warps",
                      .x = {0, double(curve.back().value)},
                      .y = {0, warps},
                      .series = {series},
                      .markers = {{double(axis.present), double(f.occupancy.activeWarps),
                                   fmt::format("{} {}: {} warps", axis.present, axis.unit,
                                               f.occupancy.activeWarps)}}});
  }
  return drawSvg(charts);
}

} // namespace heddle::report
