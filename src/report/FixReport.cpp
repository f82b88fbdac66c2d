// SPDX-License-Identifier: Apache-2.0
#include "report/FixReport.h"

#include "report/Format.h"
#include "report/Json.h"
#include "report/SourceText.h"
#include "report/Table.h"

#include <algorithm>
#include <array>
#include <span>

namespace heddle::report {
namespace {

using advise::Candidate;
using advise::Fix;
using advise::NvccVerdict;
using advise::Standing;

/// In the order of NvccVerdict.
constexpr std::array nvccNames = {
    "not asked", "off", "not found", "compiles", "original does not compile", "refuses"};

std::string seconds(double value) {
  return value >= 1e-3 ? fmt::format("{:.3g} ms", value * 1e3)
                       : fmt::format("{:.3g} us", value * 1e6);
}

std::string count(std::uint64_t value) {
  const double number = double(value);
  return number >= 1e9   ? fmt::format("{:.3g} G", number / 1e9)
         : number >= 1e6 ? fmt::format("{:.3g} M", number / 1e6)
         : number >= 1e4 ? fmt::format("{:.3g} K", number / 1e3)
                         : fmt::format("{}", value);
}

std::string standingTable(const Fix& fix, const TextStyle& style) {
  Table table("lrrl");
  const auto add = [&](const char* what, const std::string& before, const std::string& after,
                       const std::string& change = "") {
    table.addRow({what, before, after, change});
  };
  const Standing &was = fix.before, &is = fix.after;
  table.addRow({"", style.bold("before"), style.bold("after"), ""});
  add("SIMD efficiency", percent(was.efficiency), percent(is.efficiency));
  add("lost lanes", count(was.lostLanes), count(is.lostLanes));
  add("warp-instructions", count(was.warpInstructions), count(is.warpInstructions));
  add("registers", fmt::format("{}", was.registers), fmt::format("{}", is.registers));
  add("spilled bytes", fmt::format("{}", was.spills), fmt::format("{}", is.spills));
  add("occupancy", percent(was.occupancy), percent(is.occupancy));
  add("estimated time", seconds(was.seconds), seconds(is.seconds),
      is.seconds > 0 ? style.good(fmt::format("{:.2f}x", was.seconds / is.seconds)) : "");
  if (was.measuredSeconds > 0 && is.measuredSeconds > 0)
    add("measured, all kernels", seconds(was.measuredSeconds), seconds(is.measuredSeconds),
        fmt::format("{:.2f}x", was.measuredSeconds / is.measuredSeconds));
  return table.print();
}

std::string nameOf(const Candidate& candidate) {
  return candidate.rewrite + (candidate.form.empty() ? "" : " (" + candidate.form + ")");
}

/// With its column where another branch of the line was asked, too.
std::string place(const Candidate& candidate, const Fix& fix) {
  const bool withColumn = std::ranges::any_of(fix.candidates, [&](const Candidate& other) {
    return other.fits && other.file == candidate.file && other.line == candidate.line &&
           other.column != candidate.column;
  });
  return placeText({candidate.file, candidate.line, candidate.column}, withColumn);
}

std::string candidateTable(const Fix& fix, const TextStyle& style) {
  std::vector<const Candidate*> rows;
  for (const Candidate& candidate : fix.candidates)
    if (candidate.fits)
      rows.push_back(&candidate);
  std::ranges::sort(rows, [](const Candidate* a, const Candidate* b) {
    const auto key = [](const Candidate* each) {
      return std::tuple(!each->applies, -each->predictedSpeedup, each->line, each);
    };
    return key(a) < key(b);
  });
  std::string text;
  for (const Candidate* row : rows) {
    const std::string speedup =
        row->predictedSpeedup > 0 ? fmt::format("{:.2f}x", row->predictedSpeedup) : "-";
    const std::string range =
        row->applies ? fmt::format(" ({:.2f} to {:.2f})", row->low, row->high) : "";
    const std::string verdict =
        row->applies ? style.good("apply") : style.bad("refuse") + " [" + row->id + "]";
    text += fitted(fmt::format("  {}  {}  {}{}  {}\n", place(*row, fix), nameOf(*row), speedup,
                               range, verdict));
    for (const std::string& line : wrapText(row->reason, mostColumns() - 6))
      text += style.faint("      " + line) + "\n";
  }
  const std::size_t others = fix.candidates.size() - rows.size();
  if (others > 0)
    text += fmt::format("  and {} more that {} not fit: --json lists all\n", others,
                        others == 1 ? "does" : "do");
  return text;
}

std::string adviceText(const Fix& fix, const TextStyle& style) {
  std::string text;
  for (const Candidate& each : fix.advice) {
    text += fitted(fmt::format("  {}  {}  ~{:.2f}x  advice\n", placeText({each.file, each.line, 0}),
                               each.rewrite, each.predictedSpeedup));
    for (const std::string& line : wrapText(each.reason, mostColumns() - 6))
      text += style.faint("      " + line) + "\n";
  }
  return text;
}

/// Nothing where the user switched it off: then it is no news.
std::string nvccText(const advise::Proof& proof) {
  switch (proof.nvcc) {
  case NvccVerdict::NotFound:
    return "  no nvcc was found to compile it\n";
  case NvccVerdict::Compiles:
    return fmt::format("  nvcc {} compiles it\n", proof.nvccVersion);
  case NvccVerdict::OriginalFails:
    return fmt::format("  nvcc {} does not compile the program as it was, either\n",
                       proof.nvccVersion);
  default:
    return "";
  }
}

std::string measurementText(const Fix& fix) {
  const advise::Measurement& found = fix.measurement;
  if (!found.note.empty())
    return fmt::format("  not measured on {}: {}\n", found.gpu, found.note);
  if (found.speedup == 0)
    return "";
  return fmt::format("  measured on {}, medians of {} runs: {:.2f}x{}; predicted for {}: {:.2f}x\n",
                     found.gpu, found.runs, found.speedup, found.speedup < 1 ? ", slower" : "",
                     fix.device, found.predictedSpeedup);
}

Json measurementJson(const advise::Measurement& found) {
  if (found.gpu.empty())
    return nullptr;
  return {{"gpu", found.gpu},
          {"runs", found.runs},
          {"speedup", found.speedup > 0 ? Json(found.speedup) : Json(nullptr)},
          {"predictedSpeedup", found.predictedSpeedup},
          {"note", found.note}};
}

std::string proofText(const Fix& fix) {
  const advise::Proof& proof = fix.proof;
  const std::string farthest =
      proof.largest > 0 ? fmt::format(" (at most {:.1e} apart)", proof.largest) : "";
  return fmt::format(
      "  proof: {} of the rewritten program left the same {} bytes of device "
      "memory{}{}{}\n{}",
      proof.runs == 1 ? "a run" : fmt::format("{} runs", proof.runs), proof.bytes,
      proof.outputIgnored ? "; what it printed was not compared" : " and printed the same",
      proof.tolerance > 0 ? fmt::format(", floats within {:g}{}", proof.tolerance, farthest) : "",
      fix.strays.empty() ? "" : ", but for what accesses outside of memory get on a GPU",
      nvccText(proof));
}

/// What passed that 'heddle run' stops at.
std::string straysText(const Fix& fix, const TextStyle& style) {
  if (fix.strays.empty())
    return "";
  constexpr std::size_t most = 5;
  std::string text = "  " + style.bad("the program goes outside of its memory") + ":\n";
  for (const profile::Stray& each : std::span(fix.strays).first(std::min(fix.strays.size(), most)))
    for (const std::string& line : wrapText(
             fmt::format("{}: kernel '{}' {}; first thread ({}) of block ({})",
                         placeText({each.where.file, each.where.line, 0}), each.kernel,
                         strayText(each), fmt::join(each.thread, ","), fmt::join(each.block, ",")),
             mostColumns() - 6))
      text += "      " + line + "\n";
  if (fix.strays.size() > most)
    text += fmt::format("      and {} more: --json lists all\n", fix.strays.size() - most);
  const std::string what =
      "in these runs such a read got 0 and such a write was dropped. On a GPU they get and change "
      "what lies there, and all below holds but for that: mend them first ('heddle run' stops at "
      "the first one)";
  for (const std::string& line : wrapText(what, mostColumns() - 4))
    text += "    " + line + "\n";
  return text + "\n";
}

std::string setAsideText(const Fix& fix) {
  if (fix.setAside.empty())
    return "";
  constexpr std::size_t most = 5;
  const std::size_t shown = std::min(fix.setAside.size(), most);
  const std::vector<std::string> first(fix.setAside.begin(),
                                       fix.setAside.begin() + std::ptrdiff_t(shown));
  return fitted(fmt::format(
      "  not compared, since it differs between two runs of the original: {}{} of the output\n",
      fmt::join(first, ", "),
      shown < fix.setAside.size() ? fmt::format(" and {} more", fix.setAside.size() - shown) : ""));
}

std::string unansweredText(const Fix& fix) {
  std::string text;
  for (const advise::LosingPlace& each : fix.places) {
    if (each.answer.empty())
      continue;
    text += fitted(fmt::format("  {}  no rewrite of its own  {} of the time of {}\n",
                               placeText({each.file, each.line, each.column}, false),
                               percent(each.share), each.kernel));
    for (const std::string& line : wrapText(each.answer, mostColumns() - 6))
      text += "      " + line + "\n";
  }
  if (fix.cheap > 0)
    text += fmt::format("  and {} more branch{} that lose{} hardly anything\n", fix.cheap,
                        fix.cheap == 1 ? "" : "es", fix.cheap == 1 ? "s" : "");
  return text;
}

Json strayJson(const profile::Stray& each) {
  return {{"kernel", each.kernel},       {"file", each.where.file}, {"line", each.where.line},
          {"column", each.where.column}, {"text", strayText(each)}, {"count", each.count},
          {"block", each.block},         {"thread", each.thread}};
}

Json placeJson(const advise::LosingPlace& each) {
  return {{"kernel", each.kernel}, {"file", each.file},   {"line", each.line},
          {"column", each.column}, {"share", each.share}, {"answer", each.answer}};
}

Json standingJson(const Standing& standing) {
  Json json = {{"efficiency", standing.efficiency},
               {"lostLanes", standing.lostLanes},
               {"warpInstructions", standing.warpInstructions},
               {"registers", standing.registers},
               {"spillBytes", standing.spills},
               {"occupancy", standing.occupancy},
               {"seconds", standing.seconds}};
  if (standing.measuredSeconds > 0)
    json["measuredSeconds"] = standing.measuredSeconds;
  return json;
}

Json adviceJson(const Candidate& each) {
  return {
      {"name", each.rewrite}, {"kernel", each.kernel}, {"file", each.file},
      {"line", each.line},    {"column", each.column}, {"text", each.reason},
      {"low", each.low},      {"high", each.high},     {"predictedSpeedup", each.predictedSpeedup}};
}

Json candidateJson(const Candidate& candidate) {
  return {{"rewrite", candidate.rewrite},
          {"form", candidate.form},
          {"kernel", candidate.kernel},
          {"file", candidate.file},
          {"line", candidate.line},
          {"column", candidate.column},
          {"verdict", candidate.applies ? "apply" : "refuse"},
          {"id", candidate.id},
          {"fits", candidate.fits},
          {"reason", candidate.reason},
          {"predictedSpeedup",
           candidate.predictedSpeedup > 0 ? Json(candidate.predictedSpeedup) : Json(nullptr)},
          {"low", candidate.low},
          {"high", candidate.high}};
}

} // namespace

std::string coloredDiff(const std::string& diff, const TextStyle& style) {
  std::string text;
  for (std::size_t at = 0; at < diff.size();) {
    const std::size_t end = std::min(diff.find('\n', at), diff.size());
    const std::string line = diff.substr(at, end - at);
    const bool isHead = line.starts_with("---") || line.starts_with("+++");
    text += isHead                   ? style.bold(line)
            : line.starts_with('-')  ? style.bad(line)
            : line.starts_with('+')  ? style.good(line)
            : line.starts_with("@@") ? style.faint(line)
                                     : line;
    text += '\n';
    at = end + 1;
  }
  return text;
}

std::string fixText(const Fix& fix, const TextStyle& style) {
  std::string text = straysText(fix, style);
  if (!fix.applied.empty())
    text += coloredDiff(fix.diff, style) + "\n" + standingTable(fix, style) +
            fitted(proofText(fix) + measurementText(fix)) +
            (fix.build.empty() ? "" : "  build it with: " + fix.build + "\n") + "\n";
  text +=
      candidateTable(fix, style) + adviceText(fix, style) + unansweredText(fix) + setAsideText(fix);
  if (fix.applied.empty())
    text +=
        fix.candidates.empty()
            ? fmt::format("nothing to do: no branch loses enough; the kernels are bound by {}\n",
                          fix.bound)
            : fmt::format("nothing pays on {}; the slowest kernel is bound by {}\n", fix.device,
                          fix.bound);
  return text;
}

std::string fixJson(const Fix& fix) {
  Json document = {{"schema", "heddle.fix/1"}, {"device", fix.device}};
  document["candidates"] = Json::array();
  for (const Candidate& candidate : fix.candidates)
    document["candidates"].push_back(candidateJson(candidate));
  document["advice"] = Json::array();
  for (const Candidate& each : fix.advice)
    document["advice"].push_back(adviceJson(each));
  document["applied"] = Json::array();
  for (const Candidate& candidate : fix.applied)
    document["applied"].push_back(candidateJson(candidate));
  const bool applied = !fix.applied.empty();
  document["before"] = applied ? standingJson(fix.before) : Json(nullptr);
  document["after"] = applied ? standingJson(fix.after) : Json(nullptr);
  document["proof"] = {{"equal", fix.proof.equal},
                       {"runs", fix.proof.runs},
                       {"bytes", fix.proof.bytes},
                       {"tolerance", fix.proof.tolerance},
                       {"largestDifference", fix.proof.largest},
                       {"outputIgnored", fix.proof.outputIgnored},
                       {"nvcc", nvccNames[std::size_t(fix.proof.nvcc)]},
                       {"nvccVersion", fix.proof.nvccVersion}};
  document["setAside"] = fix.setAside;
  document["strays"] = Json::array();
  for (const profile::Stray& each : fix.strays)
    document["strays"].push_back(strayJson(each));
  document["places"] = Json::array();
  for (const advise::LosingPlace& each : fix.places)
    document["places"].push_back(placeJson(each));
  document["cheap"] = fix.cheap;
  document["measurement"] = measurementJson(fix.measurement);
  document["boundBy"] = fix.bound;
  document["diff"] = fix.diff;
  document["build"] = fix.build;
  return printJson(document);
}

} // namespace heddle::report
