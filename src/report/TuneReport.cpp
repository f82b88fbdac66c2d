// SPDX-License-Identifier: Apache-2.0
#include "report/TuneReport.h"

#include "report/Format.h"
#include "report/Json.h"
#include "report/Table.h"
#include "support/SortStably.h"

#include <algorithm>
#include <array>
#include <map>

namespace heddle::report {
namespace {

using tune::Attempt;
using tune::KernelTuning;

std::string microseconds(double seconds) {
  return fmt::format("{:.4g} us", seconds * 1e6);
}

std::string nameOf(const tune::Configuration& configuration) {
  const std::string key = configuration.key();
  return key.empty() ? "as it is" : key;
}

std::string launchText(const profile::Extent& grid, const profile::Extent& block) {
  return fmt::format("<<<{}, {}>>>", profile::writeExtent(grid), profile::writeExtent(block));
}

std::vector<std::string> timedRow(const KernelTuning& kernel, const Attempt& attempt) {
  const tune::Outcome& outcome = attempt.outcome;
  const bool isBest = &attempt == &kernel.search.winner();
  return {nameOf(attempt.configuration),
          microseconds(outcome.seconds),
          fmt::format("{:.2f}x", kernel.search.own().outcome.seconds / outcome.seconds),
          fmt::format("{}", outcome.registers),
          outcome.spills > 0 ? fmt::format("{} bytes", outcome.spills) : "no",
          percent(outcome.occupancy),
          isBest ? "best" : ""};
}

/// The program as it is, then the fastest, the winner among them in any case.
std::string timedTable(const KernelTuning& kernel, std::size_t most) {
  std::vector<const Attempt*> timed;
  for (const Attempt& attempt : kernel.search.attempts)
    if (attempt.verdict == tune::Verdict::Timed && &attempt != &kernel.search.own())
      timed.push_back(&attempt);
  sortStably(timed, [](const Attempt* each) { return each->outcome.seconds; });
  const std::size_t all = timed.size();
  const auto winner = std::ranges::find(timed, &kernel.search.winner());
  if (winner != timed.end() && std::size_t(winner - timed.begin()) >= most && most > 0)
    std::rotate(timed.begin() + std::ptrdiff_t(most) - 1, winner, winner + 1);
  timed.resize(std::min(most, timed.size()));
  Table table("lrrrrrl");
  table.addRow({"configuration", "time", "", "registers", "spills", "occupancy", ""});
  table.addRow(timedRow(kernel, kernel.search.own()));
  for (const Attempt* attempt : timed)
    table.addRow(timedRow(kernel, *attempt));
  std::string text = table.print();
  if (timed.size() < all)
    text += fmt::format("  and {} slower ones: --json lists all\n", all - timed.size());
  return text;
}

/// What was ruled out or failed: equal reasons together, in the order they came.
std::string ruledOut(const KernelTuning& kernel) {
  struct Group {
    std::string by, reason;
    std::vector<std::string> keys;
  };
  std::vector<Group> groups;
  for (const Attempt& attempt : kernel.search.attempts) {
    if (attempt.verdict == tune::Verdict::Timed)
      continue;
    const std::string by = attempt.verdict == tune::Verdict::Failed ? "fails" : attempt.by;
    auto group = std::ranges::find_if(
        groups, [&](const Group& each) { return each.by == by && each.reason == attempt.reason; });
    if (group == groups.end())
      group = groups.insert(groups.end(), {by, attempt.reason, {}});
    group->keys.push_back(nameOf(attempt.configuration));
  }
  std::string text;
  for (const Group& group : groups) {
    const std::string more =
        group.keys.size() > 1 ? fmt::format(" and {} more", group.keys.size() - 1) : "";
    text += fmt::format("  {:9}  {}{}: {}\n", group.by, group.keys.front(), more, group.reason);
  }
  return text;
}

std::string verdictText(const KernelTuning& kernel, const tune::Tuning& tuning,
                        const TextStyle& style) {
  if (kernel.search.best == 0)
    return "  best as it is\n";
  const tune::Configuration& winner = kernel.search.winner().configuration;
  std::string text = fmt::format("  {}  {:.2f}x", style.bold(winner.key()), kernel.search.gain());
  if (tuning.timedBy == "model")
    text += fmt::format(" ({:.2f} to {:.2f})", kernel.low, kernel.high);
  if (winner.hasBlock())
    text += fmt::format(
        "  launch {} instead of {}",
        launchText(profile::coveringGrid(kernel.grid, kernel.block, winner.block), winner.block),
        launchText(kernel.grid, kernel.block));
  text +=
      fmt::format("\n  proof: a run with it left the same {} bytes of device memory and printed "
                  "the same\n",
                  kernel.comparedBytes);
  return text + (kernel.diff.empty() ? "" : "\n" + kernel.diff);
}

std::string kernelText(const KernelTuning& kernel, const tune::Tuning& tuning,
                       const TextStyle& style, std::size_t attempts) {
  const tune::SearchResult& search = kernel.search;
  std::string text = fmt::format("kernel {} {}   {} threads, bound by {}; {}:{}\n",
                                 style.bold(kernel.kernel), launchText(kernel.grid, kernel.block),
                                 kernel.size, kernel.bound, kernel.file, kernel.line);
  text += fmt::format("  {} of {} configurations timed in {:.1f} s, {} ruled out, {} failed{}\n\n",
                      search.count(tune::Verdict::Timed), search.points, kernel.seconds,
                      search.count(tune::Verdict::Pruned), search.count(tune::Verdict::Failed),
                      search.stopped ? "; no time was left for more" : "");
  text += timedTable(kernel, attempts);
  const std::string out = ruledOut(kernel);
  text += out.empty() ? "" : "\n" + out;
  for (const std::string& why : kernel.fixed)
    text += fmt::format("  {:9}  {}\n", "fixed", why);
  return text + "\n" + verdictText(kernel, tuning, style);
}

Json configurationJson(const tune::Configuration& configuration) {
  Json json{{"key", configuration.key()},
            {"block", configuration.hasBlock() ? Json(configuration.block) : Json(nullptr)},
            {"bounds", configuration.bounds},
            {"values", Json::object()},
            {"macros", Json::object()}};
  for (const auto& [name, value] : configuration.values)
    json["values"][name] = value;
  for (const auto& [name, value] : configuration.macros)
    json["macros"][name] = value;
  return json;
}

Json attemptJson(const Attempt& attempt) {
  static constexpr std::array names = {"timed", "pruned", "failed"};
  Json json{{"configuration", configurationJson(attempt.configuration)},
            {"verdict", names[std::size_t(attempt.verdict)]}};
  if (attempt.verdict != tune::Verdict::Timed) {
    json["by"] = attempt.by;
    json["reason"] = attempt.reason;
    return json;
  }
  const tune::Outcome& outcome = attempt.outcome;
  json["seconds"] = outcome.seconds;
  json["registers"] = outcome.registers;
  json["spillBytes"] = outcome.spills;
  json["occupancy"] = outcome.occupancy;
  json["proven"] = attempt.proven;
  return json;
}

Json kernelJson(const KernelTuning& kernel) {
  Json json{{"kernel", kernel.kernel}, {"id", kernel.id},       {"file", kernel.file},
            {"line", kernel.line},     {"size", kernel.size},   {"grid", kernel.grid},
            {"block", kernel.block},   {"bound", kernel.bound}, {"points", kernel.search.points}};
  json["searchSeconds"] = kernel.seconds;
  json["stopped"] = kernel.search.stopped;
  json["parameters"] = Json::array();
  for (const tune::Parameter& parameter : kernel.parameters)
    json["parameters"].push_back({{"name", parameter.name}, {"values", parameter.values}});
  json["fixed"] = kernel.fixed;
  json["best"] = configurationJson(kernel.search.winner().configuration);
  json["ownSeconds"] = kernel.search.own().outcome.seconds;
  json["bestSeconds"] = kernel.search.winner().outcome.seconds;
  json["gain"] = kernel.search.gain();
  json["gainLow"] = kernel.low;
  json["gainHigh"] = kernel.high;
  json["comparedBytes"] = kernel.comparedBytes;
  json["diff"] = kernel.diff;
  json["attempts"] = Json::array();
  for (const Attempt& attempt : kernel.search.attempts)
    json["attempts"].push_back(attemptJson(attempt));
  return json;
}

} // namespace

std::string tuneText(const tune::Tuning& tuning, const TextStyle& style, std::size_t attempts) {
  std::string text;
  for (const KernelTuning& kernel : tuning.kernels)
    text += (text.empty() ? "" : "\n") + kernelText(kernel, tuning, style, attempts);
  for (const std::string& left : tuning.left)
    text += fmt::format("left alone: {}\n", left);
  text += fmt::format("\ntimes by {} on {}{}\n",
                      tuning.timedBy == "model" ? "the model" : tuning.timedBy, tuning.device,
                      tuning.store.empty() ? "" : "; kept in " + tuning.store);
  return text;
}

std::string tuneJson(const tune::Tuning& tuning) {
  Json json = startJson("tune");
  json["device"] = tuning.device;
  json["timedBy"] = tuning.timedBy;
  json["exhaustive"] = tuning.exhaustive;
  json["store"] = tuning.store.empty() ? Json(nullptr) : Json(tuning.store);
  json["kernels"] = Json::array();
  for (const KernelTuning& kernel : tuning.kernels)
    json["kernels"].push_back(kernelJson(kernel));
  json["leftAlone"] = tuning.left;
  return printJson(json);
}

std::string tunedText(const std::vector<tune::TunedKernel>& kernels, const std::string& store,
                      const TextStyle& style) {
  if (kernels.empty())
    return fmt::format("nothing tuned in {}\n", store);
  Table table("llrlrll");
  table.addRow({"kernel", "device", "size", "configuration", "gain", "timed by", "when"});
  for (const tune::TunedKernel& each : kernels)
    table.addRow({each.kernel, each.device, fmt::format("{}", each.size),
                  nameOf(each.configuration), fmt::format("{:.2f}x", each.gain),
                  each.onGpu ? "GPU" : "model", each.when});
  return fmt::format("{}\n\n{}", style.bold(store), table.print());
}

std::string tunedJson(const std::vector<tune::TunedKernel>& kernels, const std::string& store) {
  Json json = startJson("tuned");
  json["store"] = store;
  json["kernels"] = Json::array();
  for (const tune::TunedKernel& each : kernels)
    json["kernels"].push_back({{"kernel", each.kernel},
                               {"id", each.id},
                               {"file", each.file},
                               {"source", each.source},
                               {"device", each.device},
                               {"size", each.size},
                               {"block", each.block},
                               {"configuration", configurationJson(each.configuration)},
                               {"seconds", each.seconds},
                               {"ownSeconds", each.ownSeconds},
                               {"gain", each.gain},
                               {"gainLow", each.low},
                               {"gainHigh", each.high},
                               {"timedBy", each.onGpu ? "gpu" : "model"},
                               {"arguments", each.arguments},
                               {"version", each.version},
                               {"when", each.when}});
  return printJson(json);
}

std::string tunedHeader(const std::vector<tune::TunedKernel>& kernels) {
  std::string text =
      "// Made by 'heddle tune export'. Include it in front of <heddle/tuned.h>, which then "
      "needs no store.\n#pragma once\n\n"
      "// HEDDLE_TUNED_ROW(kernel, device, size, x, y, z, bounds, configuration)\n"
      "#define HEDDLE_TUNED_ROWS";
  for (const tune::TunedKernel& each : kernels)
    text += fmt::format(" \\\n  HEDDLE_TUNED_ROW(\"{}\", \"{}\", {}, {}, {}, {}, {}, \"{}\")",
                        each.kernel, each.device, each.size, each.block[0], each.block[1],
                        each.block[2], each.configuration.bounds, each.configuration.key());
  return text + "\n";
}

} // namespace heddle::report
