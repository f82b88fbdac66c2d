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
using profile::LinePair;
using profile::Metric;
using report::Json;

constexpr std::size_t mostLineColumns = 40;
constexpr double leastChange = 0.001; ///< of the used lanes, of a line that is told

/// The lines that both profiles name.
struct DiffTexts {
  profile::LineTexts before, after;
};

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

/// Lines of which another share of the kernel's used lanes is switched off, the largest change
/// first.
std::vector<const LinePair*> changedLines(const KernelPair& pair) {
  const auto change = [&](const LinePair& line) {
    return std::abs(pair.after->shareOfUsed(line.is.switchedOff) -
                    pair.before->shareOfUsed(line.was.switchedOff));
  };
  std::vector<const LinePair*> changed;
  for (const LinePair& line : pair.lines)
    if (change(line) >= leastChange)
      changed.push_back(&line);
  sortStably(changed, [&](const LinePair* line) { return -change(*line); });
  return changed;
}

/// A place in both; nothing where it is new or gone.
struct Places {
  const profile::SourceLocation* before;
  const profile::SourceLocation* after;
};

Places placesOf(const BranchPair& branch) {
  return {branch.before != nullptr ? &branch.before->site.where : nullptr,
          branch.after != nullptr ? &branch.after->site.where : nullptr};
}

Places placesOf(const LinePair& line) {
  return {line.before ? &*line.before : nullptr, line.after ? &*line.after : nullptr};
}

/// "photon.cu:21 -> 24", "photon.cu:21 is gone".
std::string placesText(const Places& places) {
  if (places.before == nullptr)
    return report::placeText(*places.after) + " is new";
  const std::string place = report::placeText(*places.before);
  if (places.after == nullptr)
    return place + " is gone";
  const profile::SourceLocation &was = *places.before, &is = *places.after;
  if (was.file != is.file)
    return place + " -> " + report::placeText(is);
  return was.line == is.line ? place : fmt::format("{} -> {}", place, is.line);
}

/// What stands there now.
std::string_view lineText(const Places& places, const DiffTexts& texts) {
  return places.after != nullptr ? textAt(texts.after, *places.after)
                                 : textAt(texts.before, *places.before);
}

std::string slotShare(const profile::KernelProfile& kernel, std::uint64_t slots) {
  return report::percent(kernel.slots() == 0 ? 0 : double(slots) / double(kernel.slots()));
}

/// What a place lost before and after, for a person.
struct PlaceRow {
  std::string before, after;
  Places places;
};

std::vector<PlaceRow> lostRows(const KernelPair& pair) {
  std::vector<PlaceRow> rows;
  for (const BranchPair* branch : changedBranches(pair))
    rows.push_back({slotShare(*pair.before, branch->lostBefore()),
                    slotShare(*pair.after, branch->lostAfter()), placesOf(*branch)});
  return rows;
}

std::vector<PlaceRow> switchedOffRows(const KernelPair& pair) {
  std::vector<PlaceRow> rows;
  for (const LinePair* line : changedLines(pair))
    rows.push_back({report::percent(pair.before->shareOfUsed(line->was.switchedOff)),
                    report::percent(pair.after->shareOfUsed(line->is.switchedOff)),
                    placesOf(*line)});
  return rows;
}

/// The first rows, below what they tell.
std::string placeTable(const char* title, const std::vector<PlaceRow>& rows, const DiffTexts& texts,
                       std::size_t most) {
  if (rows.empty())
    return "";
  report::Table table("rrll");
  table.addRow({title, "", "where", ""});
  for (std::size_t i = 0; i < std::min(rows.size(), most); ++i)
    table.addRow(
        {rows[i].before, rows[i].after, printableLine(placesText(rows[i].places)),
         report::shortened(printableLine(lineText(rows[i].places, texts)), mostLineColumns)});
  std::string text = "\n" + table.print(4);
  if (rows.size() > most)
    text += fmt::format("    and {} more lines\n", rows.size() - most);
  return text;
}

std::string placeMarkdown(const char* title, const std::vector<PlaceRow>& rows,
                          const DiffTexts& texts, std::size_t most) {
  if (rows.empty())
    return "";
  std::string text =
      fmt::format("\n| {} before | after | where | line |\n|---:|---:|---|---|\n", title);
  for (std::size_t i = 0; i < std::min(rows.size(), most); ++i) {
    const std::string_view line = lineText(rows[i].places, texts);
    text += fmt::format("| {} | {} | {} | {} |\n", rows[i].before, rows[i].after,
                        markdownText(placesText(rows[i].places)),
                        line.empty() ? "" : markdownCode(line));
  }
  return text;
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
  const DiffTexts texts{lineTextsOf(*view.before), lineTextsOf(*view.after)};
  return fmt::format("\nkernel {}\n", style.bold(printableLine(pair.any().kernel))) +
         table.print() + placeTable("lost", lostRows(pair), texts, view.lines) +
         placeTable("switched off", switchedOffRows(pair), texts, view.lines);
}

std::string kernelMarkdown(const KernelPair& pair, const DiffView& view) {
  std::string text =
      fmt::format("\n### {}\n\n| | before | after | change |\n|---|---:|---:|---:|\n",
                  markdownCode(pair.any().kernel));
  for (const MetricRow& row : metricRows(pair))
    text += fmt::format("| {} | {} | {} | {}{} |\n", row.what, row.before, row.after, row.change,
                        row.verdict < 0 ? " worse" : "");
  const DiffTexts texts{lineTextsOf(*view.before), lineTextsOf(*view.after)};
  return text + placeMarkdown("lost", lostRows(pair), texts, view.lines) +
         placeMarkdown("switched off", switchedOffRows(pair), texts, view.lines);
}

Json placeOrNull(const profile::SourceLocation* where) {
  if (where == nullptr)
    return nullptr;
  return {{"file", where->file}, {"line", where->line}, {"column", where->column}};
}

Json placesJson(const Places& places) {
  return {{"before", placeOrNull(places.before)}, {"after", placeOrNull(places.after)}};
}

/// What predicates switched off stands there where both know it.
Json branchJson(const KernelPair& pair, const BranchPair& branch) {
  Json json = placesJson(placesOf(branch));
  json["lostBefore"] = branch.lostBefore();
  json["lostAfter"] = branch.lostAfter();
  if (pair.knowsSwitchedOff()) {
    json["switchedOffBefore"] = branch.before == nullptr ? 0 : branch.before->switchedOff;
    json["switchedOffAfter"] = branch.after == nullptr ? 0 : branch.after->switchedOff;
  }
  return json;
}

Json lineJson(const LinePair& line) {
  Json json = placesJson(placesOf(line));
  json["usedBefore"] = line.was.used;
  json["usedAfter"] = line.is.used;
  json["switchedOffBefore"] = line.was.switchedOff;
  json["switchedOffAfter"] = line.is.switchedOff;
  return json;
}

/// A metric that older profiles do not have is left out where neither has it.
Json metricsJson(const KernelPair& pair) {
  Json metrics = Json::object();
  for (std::size_t i = 0; i < profile::metricCount; ++i) {
    const auto metric = Metric(i);
    const auto before = valueOf(*pair.before, metric), after = valueOf(*pair.after, metric);
    if (metric != Metric::SwitchedOff || before || after)
      metrics[infoOf(metric).name] = {{"before", report::orNull(before)},
                                      {"after", report::orNull(after)}};
  }
  return metrics;
}

Json intervalJson(const profile::KernelProfile& kernel) {
  if (!kernel.timing)
    return nullptr;
  return {{"low", kernel.timing->low}, {"high", kernel.timing->high}};
}

Json kernelJson(const KernelPair& pair) {
  Json branches = Json::array();
  for (const BranchPair& branch : pair.branches)
    branches.push_back(branchJson(pair, branch));
  Json json{{"name", pair.any().kernel},
            {"idBefore", pair.before->id},
            {"idAfter", pair.after->id},
            {"metrics", metricsJson(pair)},
            {"timeBefore", intervalJson(*pair.before)},
            {"timeAfter", intervalJson(*pair.after)},
            {"branches", std::move(branches)}};
  for (const LinePair& line : pair.lines)
    if (line.was.switchedOff > 0 || line.is.switchedOff > 0)
      json["lines"].push_back(lineJson(line));
  return json;
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
