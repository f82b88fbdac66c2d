// SPDX-License-Identifier: Apache-2.0
#include "export/DiffReport.h"

#include "export/Escape.h"
#include "export/Quantities.h"
#include "report/Format.h"
#include "report/Json.h"
#include "report/SourceText.h"
#include "report/Table.h"
#include "support/Printable.h"
#include "support/SortStably.h"

#include <algorithm>
#include <cmath>

namespace heddle::exporting {
namespace {

using profile::BranchPair;
using profile::KernelPair;
using profile::Metric;
using report::Json;

constexpr std::size_t mostLineColumns = 40;

/// One metric of a kernel, for a person.
struct MetricRow {
  std::string what, before, after, change;
  int verdict = 0; ///< 1 better, -1 worse
};

std::string valueText(const profile::KernelProfile& kernel, Metric metric) {
  const std::optional<double> value = valueOf(kernel, metric);
  if (!value)
    return "-";
  if (infoOf(metric).isShare)
    return report::percent(*value);
  if (metric == Metric::Time)
    return shortRange(*value, kernel.timing->low, kernel.timing->high);
  if (metric == Metric::SectorsPerRequest || metric == Metric::ConflictDegree)
    return fmt::format("{:.2f}", *value);
  return shortCount(*value);
}

std::string changeText(Metric metric, double before, double after) {
  if (before == after)
    return "=";
  if (infoOf(metric).isShare)
    return fmt::format("{:+.1f} points", 100 * (after - before));
  if (before == 0)
    return "new";
  if (metric == Metric::Registers || metric == Metric::Spills)
    return fmt::format("{:+.0f}", after - before);
  return fmt::format("{:+.1f} %", 100 * (after / before - 1));
}

/// Those that are known of both and not nothing in both.
std::vector<MetricRow> metricRows(const KernelPair& pair) {
  std::vector<MetricRow> rows;
  for (std::size_t i = 0; i < profile::metricCount; ++i) {
    const auto metric = Metric(i);
    const auto before = valueOf(*pair.before, metric), after = valueOf(*pair.after, metric);
    if ((!before && !after) || (before == 0.0 && after == 0.0))
      continue;
    MetricRow row{infoOf(metric).text, valueText(*pair.before, metric),
                  valueText(*pair.after, metric)};
    if (before && after) {
      row.change = changeText(metric, *before, *after);
      const bool isMore = *after > *before;
      row.verdict = *after == *before || infoOf(metric).isNeutral ? 0
                    : isMore == infoOf(metric).isMoreGood         ? 1
                                                                  : -1;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Branches whose loss has changed, the largest change first.
std::vector<const BranchPair*> changedBranches(const KernelPair& pair) {
  std::vector<const BranchPair*> changed;
  for (const BranchPair& branch : pair.branches)
    if (branch.lostBefore() != branch.lostAfter())
      changed.push_back(&branch);
  const auto size = [](const BranchPair* branch) {
    return std::max(branch->lostBefore(), branch->lostAfter()) -
           std::min(branch->lostBefore(), branch->lostAfter());
  };
  sortStably(changed, [&](const BranchPair* branch) { return -double(size(branch)); });
  return changed;
}

/// "photon.cu:21 -> 24", "photon.cu:21 is gone".
std::string placesText(const BranchPair& branch) {
  if (branch.before == nullptr)
    return report::placeText(branch.after->site.where) + " is new";
  const std::string place = report::placeText(branch.before->site.where);
  if (branch.after == nullptr)
    return place + " is gone";
  const profile::SourceLocation &was = branch.before->site.where, &is = branch.after->site.where;
  if (was.file != is.file)
    return place + " -> " + report::placeText(is);
  return was.line == is.line ? place : fmt::format("{} -> {}", place, is.line);
}

/// What stands there now.
std::string_view lineText(const BranchPair& branch, const profile::LineTexts& before,
                          const profile::LineTexts& after) {
  return branch.after != nullptr ? textAt(after, branch.after->site.where)
                                 : textAt(before, branch.before->site.where);
}

std::string slotShare(const profile::KernelProfile& kernel, std::uint64_t slots) {
  return report::percent(kernel.slots() == 0 ? 0 : double(slots) / double(kernel.slots()));
}

std::string conditionText(const profile::HeldCondition& held) {
  const Metric metric = held.condition->metric;
  const char* unit = !held.condition->isPercent ? "" : infoOf(metric).isShare ? " points" : " %";
  return fmt::format("{}: {} {:+.4g}{} ({})", held.pair->any().kernel, infoOf(metric).name,
                     held.change, unit, held.condition->text);
}

std::string headText(const DiffView& view) {
  const std::string devices = view.before->device == view.after->device
                                  ? view.after->device
                                  : view.before->device + " -> " + view.after->device;
  return fmt::format("{} -> {}   on {}", view.nameBefore, view.nameAfter, devices);
}

std::string kernelText(const KernelPair& pair, const DiffView& view, const TextStyle& style) {
  report::Table table("lrrr");
  table.addRow({"", style.bold("before"), style.bold("after"), style.bold("change")});
  for (const MetricRow& row : metricRows(pair))
    table.addRow({row.what, row.before, row.after,
                  row.verdict > 0   ? style.good(row.change)
                  : row.verdict < 0 ? style.bad(row.change)
                                    : row.change});
  std::string text =
      fmt::format("\nkernel {}\n", style.bold(printableLine(pair.any().kernel))) + table.print();
  const std::vector<const BranchPair*> changed = changedBranches(pair);
  if (changed.empty())
    return text;
  const profile::LineTexts before = lineTextsOf(*view.before), after = lineTextsOf(*view.after);
  report::Table lines("rrll");
  lines.addRow({"lost", "", "where", ""});
  for (std::size_t i = 0; i < std::min(changed.size(), view.lines); ++i)
    lines.addRow(
        {slotShare(*pair.before, changed[i]->lostBefore()),
         slotShare(*pair.after, changed[i]->lostAfter()), printableLine(placesText(*changed[i])),
         report::shortened(printableLine(lineText(*changed[i], before, after)), mostLineColumns)});
  text += "\n" + lines.print(4);
  if (changed.size() > view.lines)
    text += fmt::format("    and {} more lines\n", changed.size() - view.lines);
  return text;
}

std::string kernelMarkdown(const KernelPair& pair, const DiffView& view) {
  std::string text =
      fmt::format("\n### {}\n\n| | before | after | change |\n|---|---:|---:|---:|\n",
                  markdownCode(pair.any().kernel));
  for (const MetricRow& row : metricRows(pair))
    text += fmt::format("| {} | {} | {} | {}{} |\n", row.what, row.before, row.after, row.change,
                        row.verdict < 0 ? " worse" : "");
  const std::vector<const BranchPair*> changed = changedBranches(pair);
  if (changed.empty())
    return text;
  const profile::LineTexts before = lineTextsOf(*view.before), after = lineTextsOf(*view.after);
  text += "\n| lost before | after | where | line |\n|---:|---:|---|---|\n";
  for (std::size_t i = 0; i < std::min(changed.size(), view.lines); ++i) {
    const std::string_view line = lineText(*changed[i], before, after);
    text +=
        fmt::format("| {} | {} | {} | {} |\n", slotShare(*pair.before, changed[i]->lostBefore()),
                    slotShare(*pair.after, changed[i]->lostAfter()),
                    markdownText(placesText(*changed[i])), line.empty() ? "" : markdownCode(line));
  }
  return text;
}

Json placeOrNull(const profile::BranchProfile* branch) {
  if (branch == nullptr)
    return nullptr;
  const profile::SourceLocation& where = branch->site.where;
  return {{"file", where.file}, {"line", where.line}, {"column", where.column}};
}

Json intervalJson(const profile::KernelProfile& kernel) {
  if (!kernel.timing)
    return nullptr;
  return {{"low", kernel.timing->low}, {"high", kernel.timing->high}};
}

Json kernelJson(const KernelPair& pair) {
  Json metrics = Json::object();
  for (std::size_t i = 0; i < profile::metricCount; ++i)
    metrics[infoOf(Metric(i)).name] = {{"before", report::orNull(valueOf(*pair.before, Metric(i)))},
                                       {"after", report::orNull(valueOf(*pair.after, Metric(i)))}};
  Json branches = Json::array();
  for (const BranchPair& branch : pair.branches)
    branches.push_back({{"before", placeOrNull(branch.before)},
                        {"after", placeOrNull(branch.after)},
                        {"lostBefore", branch.lostBefore()},
                        {"lostAfter", branch.lostAfter()}});
  return {{"name", pair.any().kernel},
          {"idBefore", pair.before->id},
          {"idAfter", pair.after->id},
          {"metrics", std::move(metrics)},
          {"timeBefore", intervalJson(*pair.before)},
          {"timeAfter", intervalJson(*pair.after)},
          {"branches", std::move(branches)}};
}

} // namespace

std::string diffText(const DiffView& view, const TextStyle& style) {
  std::string text = printableLine(headText(view)) + "\n";
  for (const KernelPair& pair : view.pairs)
    if (pair.isInBoth())
      text += kernelText(pair, view, style);
    else
      text += fmt::format("\nkernel {} is {}\n", style.bold(printableLine(pair.any().kernel)),
                          pair.before == nullptr ? "new" : "gone");
  if (view.conditions > 0)
    text += "\n";
  for (const profile::HeldCondition& held : view.held)
    text += style.bad("worse  ") + printableLine(conditionText(held)) + "\n";
  if (view.conditions > 0 && view.held.empty())
    text += style.good("fine   ") + "no condition of --fail-on holds\n";
  return report::fitted(text);
}

std::string diffMarkdown(const DiffView& view) {
  std::string text = fmt::format("## {}\n", markdownText(headText(view)));
  if (!view.held.empty())
    text += "\n**Worse:**\n\n";
  for (const profile::HeldCondition& held : view.held)
    text += fmt::format("- {}\n", markdownText(conditionText(held)));
  if (view.conditions > 0 && view.held.empty())
    text += "\nNo condition holds.\n";
  for (const KernelPair& pair : view.pairs)
    if (pair.isInBoth())
      text += kernelMarkdown(pair, view);
    else
      text += fmt::format("\n### {} is {}\n", markdownCode(pair.any().kernel),
                          pair.before == nullptr ? "new" : "gone");
  return text;
}

std::string diffJson(const DiffView& view) {
  Json json = report::startJson("diff");
  json["before"] = {{"file", view.nameBefore}, {"device", view.before->device}};
  json["after"] = {{"file", view.nameAfter}, {"device", view.after->device}};
  json["kernels"] = json["gone"] = json["new"] = Json::array();
  for (const KernelPair& pair : view.pairs)
    if (pair.isInBoth())
      json["kernels"].push_back(kernelJson(pair));
    else
      json[pair.before == nullptr ? "new" : "gone"].push_back(pair.any().kernel);
  json["failed"] = Json::array();
  for (const profile::HeldCondition& held : view.held)
    json["failed"].push_back({{"kernel", held.pair->any().kernel},
                              {"condition", held.condition->text},
                              {"change", std::isfinite(held.change) ? Json(held.change) : Json()}});
  return report::printJson(json);
}

} // namespace heddle::exporting
