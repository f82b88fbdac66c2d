// SPDX-License-Identifier: Apache-2.0
#include "report/ProfileReport.h"

#include "advise/Prediction.h"
#include "report/Format.h"
#include "report/ProfileRows.h"
#include "report/SourceText.h"
#include "report/Table.h"
#include "support/Parse.h"
#include "support/Printable.h"

#include <algorithm>
#include <map>
#include <span>

namespace heddle::report {
namespace {

using profile::Ending;
using profile::KernelProfile;
using profile::ProgramProfile;

constexpr std::size_t fewestTextColumns = 16;
constexpr std::size_t fewestWhyColumns = 24;
constexpr std::size_t fewestReasonColumns = 30;
constexpr std::size_t reasonIndent = 14; ///< where it stands below its row
constexpr std::size_t mostTextColumns = 44;
constexpr std::size_t mostMemoryLines = 3;
constexpr std::size_t mostOffLines = 5;
constexpr std::size_t mostRemarks = 10;
constexpr double mostSpread = 0.25; ///< up to here a sample tells a time

/// "1.2 G ", "35 k ", "7 ": a unit may follow.
std::string shortNumber(double value) {
  for (const auto& [unit, name] : {std::pair{1e9, "G"}, {1e6, "M"}, {1e3, "k"}})
    if (value >= unit)
      return fmt::format("{:.3g} {} ", value / unit, name);
  return fmt::format("{:.0f} ", value);
}

std::string extent(const std::array<int, 3>& size) {
  if (size[2] > 1)
    return fmt::format("({},{},{})", size[0], size[1], size[2]);
  return size[1] > 1 ? fmt::format("({},{})", size[0], size[1]) : std::to_string(size[0]);
}

std::string share(const KernelProfile& kernel, std::uint64_t slots) {
  return percent(kernel.slots() == 0 ? 0 : double(slots) / double(kernel.slots()));
}

struct TimeUnit {
  double seconds;
  const char* name;
};

TimeUnit unitFor(double seconds) {
  for (const TimeUnit& unit : {TimeUnit{1.0, "s"}, {1e-3, "ms"}, {1e-6, "us"}})
    if (seconds >= unit.seconds)
      return unit;
  return {1e-9, "ns"};
}

/// "18 us (15 to 22)": three digits, two for the ends. A time of which little is known is "about 20
/// us (7 to 90)".
std::string timeText(const profile::KernelTiming& timing, bool isPoor, const TextStyle& style) {
  const TimeUnit unit = unitFor(timing.seconds);
  const auto shown = [&](double seconds, int digits) {
    return rounded(seconds / unit.seconds, digits);
  };
  const std::string time = isPoor ? "about " + shown(timing.seconds, 1)
                                  : fmt::format("{:.3g}", timing.seconds / unit.seconds);
  return fmt::format("{} ({} to {})", style.bold(fmt::format("{} {}", time, unit.name)),
                     shown(timing.low, isPoor ? 1 : 2), shown(timing.high, isPoor ? 1 : 2));
}

/// Why little is known of a time, if that is so.
std::string_view poorText(profile::TimeKind kind) {
  switch (kind) {
  case profile::TimeKind::Issue:
  case profile::TimeKind::Latency:
  case profile::TimeKind::Memory:
  case profile::TimeKind::Launch:
  case profile::TimeKind::LongWarps:
  case profile::TimeKind::Double:
    return "";
  case profile::TimeKind::OneBlock:
    return "one thread block; the model is of a GPU that has enough of them";
  case profile::TimeKind::Atomics:
    return "atomics on few addresses; on a GPU they wait for one another";
  case profile::TimeKind::Calls:
    return "calls through pointers; what they cost is not known";
  case profile::TimeKind::Recursion:
    return "recursion; what a deep stack costs is not known";
  case profile::TimeKind::Polling:
    return "warps poll; how often, on a GPU, is not known";
  }
  return "";
}

std::string_view boundText(profile::Bound bound) {
  switch (bound) {
  case profile::Bound::Issue:
    return "instruction issue";
  case profile::Bound::Latency:
    return "latency";
  case profile::Bound::Memory:
    return "memory bandwidth";
  case profile::Bound::Launch:
    return "the launch itself";
  }
  return "";
}

/// Lines under the time, where it is not to be taken at its word.
std::string doubts(const profile::KernelTiming& timing, const std::string& device) {
  const std::string_view poor = poorText(timing.kind);
  std::string text = poor.empty() ? "" : fmt::format("                   a guess: {}\n", poor);
  if (timing.intervalFrom != device)
    text += fmt::format("                   times of {} lie like that; of {} none was measured\n",
                        timing.intervalFrom, printableLine(device));
  return text;
}

/// "64 MiB", "1.5 KiB", "4 bytes"
std::string bytesText(std::uint64_t bytes) {
  for (const auto& [shift, name] : {std::pair{30, "GiB"}, {20, "MiB"}, {10, "KiB"}})
    if (bytes >= std::uint64_t{1} << shift)
      return fmt::format("{:.3g} {}", double(bytes) / double(std::uint64_t{1} << shift), name);
  return fmt::format("{} {}", bytes, bytes == 1 ? "byte" : "bytes");
}

/// "6.3 ms"
std::string shortTime(double seconds) {
  const TimeUnit unit = unitFor(seconds);
  return fmt::format("{} {}", rounded(seconds / unit.seconds, 2), unit.name);
}

/// What launches wait for that the host, or nobody, had touched last.
std::string firstTouch(const KernelProfile& kernel, const TextStyle& style) {
  if (!kernel.firstTouch || !kernel.timing)
    return "";
  const profile::FirstTouch& touch = *kernel.firstTouch;
  return fmt::format("  first touch      {} of managed memory: {}, not in the kernel's {} "
                     "(cudaMemPrefetchAsync first: {})\n",
                     bytesText(touch.bytes), style.bold(shortTime(touch.seconds)),
                     shortTime(kernel.timing->seconds), shortTime(touch.prefetchSeconds));
}

/// Registers, spills, occupancy and time, always together: none of them alone says much.
std::string timing(const KernelProfile& kernel, const std::string& device, const TextStyle& style) {
  const profile::KernelTiming& timing = *kernel.timing;
  const std::string spills = timing.registers.spillBytes > 0
                                 ? fmt::format("{} bytes spilled", timing.registers.spillBytes)
                                 : "no spills";
  const bool isSample = timing.sampledBlocks <
                        std::int64_t(kernel.blocks / std::max<std::uint64_t>(1, kernel.launches));
  const bool differs = isSample && timing.spread > mostSpread;
  const std::string sample =
      !isSample ? ""
      : differs
          ? fmt::format("; it says little: the {} blocks that it is made from differ by {}",
                        timing.sampledBlocks, percent(timing.spread))
          : fmt::format("; from {} blocks, +- {}", timing.sampledBlocks, percent(timing.spread));
  return fmt::format("  occupancy        {}   limited by {}; {} registers ({}), {}\n",
                     style.bold(percent(timing.occupancy)), timing.limiter,
                     timing.registers.registers, timing.registers.source.text(), spills) +
         fmt::format("  estimated time   {} on {}, bound by {}{}\n",
                     timeText(timing, differs || profile::isPoor(timing.kind), style),
                     printableLine(device), boundText(timing.bound()), sample) +
         doubts(timing, device) + firstTouch(kernel, style);
}

/// Whether launches of a kernel differ in size.
bool isOfManySizes(const ProgramProfile& profile, const KernelProfile& kernel) {
  const auto number = std::size_t(&kernel - profile.kernels.data());
  return std::ranges::any_of(profile.launches, [&](const profile::LaunchRecord& each) {
    return each.kernel == number && (each.grid != kernel.grid || each.block != kernel.block);
  });
}

/// How often it was launched, where it is not once by the host.
std::string launchesOf(const ProgramProfile& profile, const KernelProfile& kernel) {
  const std::string byKernels = kernel.deviceLaunches == 0 ? ""
                                : kernel.deviceLaunches == kernel.launches
                                    ? ", by kernels"
                                    : fmt::format(", {} by kernels", kernel.deviceLaunches);
  if (kernel.launches < 2)
    return byKernels;
  return (isOfManySizes(profile, kernel)
              ? fmt::format(" and other sizes, {} launches", kernel.launches)
              : fmt::format(" x {} launches", kernel.launches)) +
         byKernels;
}

/// Lines under the efficiency, for what only a run of machine code tells.
std::string moreOfLanes(const KernelProfile& kernel, const TextStyle& style) {
  std::string text;
  if (kernel.lostToSequences > 0)
    text +=
        fmt::format("                   and sequences {}: lanes that are off inside a division, "
                    "an atomic or the like\n",
                    share(kernel, kernel.lostToSequences));
  if (const auto on = kernel.averageLanesOn())
    text += fmt::format("  switched off     {}   of the lanes at work, by predicates: of {:.1f} a "
                        "warp {:.1f} are on\n",
                        style.bold(percent(kernel.shareOfUsed(*kernel.switchedOff))),
                        kernel.averageActiveLanes(), *on);
  return text;
}

std::string totals(const ProgramProfile& profile, const KernelProfile& kernel,
                   const TextStyle& style) {
  const std::string launches = launchesOf(profile, kernel);
  return fmt::format("kernel {} <<<{},{}>>>{}   {}thread-instructions in {:.3g} s on this CPU\n",
                     style.bold(printableLine(kernel.kernel)), extent(kernel.grid),
                     extent(kernel.block), launches, shortNumber(double(kernel.threadInstructions)),
                     kernel.seconds) +
         fmt::format(
             "  SIMD efficiency  {}   lost lanes: branches {}, finished threads {}, partial "
             "warps {}\n",
             style.bold(percent(kernel.efficiency())), share(kernel, kernel.lostToBranches()),
             share(kernel, kernel.lostToFinished), share(kernel, kernel.lostToPartial)) +
         moreOfLanes(kernel, style);
}

/// Columns left for the source text when the widest of the others are as wide as they are.
std::size_t textColumns(std::size_t place, std::size_t why, std::size_t others) {
  const std::size_t taken = place + why + others;
  const std::size_t left = taken < mostColumns() ? mostColumns() - taken : 0;
  const std::size_t fewest =
      std::min(fewestTextColumns,
               mostColumns() - std::min(place + others + fewestWhyColumns, mostColumns()));
  return std::clamp(left, fewest, mostTextColumns);
}

/// Columns of a branch that are there only where something is known.
struct BranchColumns {
  bool timed;      ///< lane-cycles that it lost
  bool predicated; ///< lanes that are switched off for it

  std::string alignment() const {
    return std::string("r") + (timed ? "r" : "") + (predicated ? "r" : "") + "lll";
  }
  std::size_t width() const { return 2 + 6 + 6 + 4 * 2 + (predicated ? 6 + 2 : 0); }
  std::vector<std::string> cells(const std::string& lost, const std::string& cycles,
                                 const std::string& off) const {
    std::vector<std::string> cells = {lost};
    if (timed)
      cells.push_back(cycles);
    if (predicated)
      cells.push_back(off);
    return cells;
  }
};

BranchColumns columnsFor(const KernelProfile& kernel, std::span<const BranchRow> rows) {
  return {kernel.laneCycles > 0, std::ranges::any_of(rows, [&](const BranchRow& row) {
            return kernel.shareOfUsed(row.switchedOff) >= notableOffOfBranch;
          })};
}

std::string branchTable(const KernelProfile& kernel, SourceText& source, const ProfileView& view) {
  const std::vector<BranchRow> rows = notableBranches(kernel);
  const std::size_t shown = std::min(rows.size(), view.lines);
  if (shown == 0)
    return "";
  std::map<std::pair<std::string, int>, int> onLine;
  std::size_t placeWidth = 0, whyWidth = 0;
  for (std::size_t i = 0; i < shown; ++i)
    ++onLine[{rows[i].where.file, rows[i].where.line}];
  const auto place = [&](const BranchRow& row) {
    return placeText(row.where, onLine[{row.where.file, row.where.line}] > 1);
  };
  for (std::size_t i = 0; i < shown; ++i) {
    placeWidth = std::max(placeWidth, place(rows[i]).size());
    whyWidth = std::max(whyWidth, rows[i].why.size());
  }
  const TextStyle& style = view.style;
  const BranchColumns columns = columnsFor(kernel, std::span(rows).first(shown));
  const std::size_t width = textColumns(placeWidth, whyWidth, columns.width());
  Table table(columns.alignment());
  const auto add = [&](std::vector<std::string> cells, std::string where, std::string line,
                       std::string why) {
    cells.insert(cells.end(), {std::move(where), std::move(line), std::move(why)});
    table.addRow(std::move(cells));
  };
  add(columns.cells(style.bold("lost"), style.bold("cycles"), style.bold("off")),
      style.bold("where"), "", style.bold("why"));
  for (std::size_t i = 0; i < shown; ++i)
    add(columns.cells(share(kernel, rows[i].lostSlots),
                      columns.timed ? percent(rows[i].lostCycles / kernel.laneCycles) : "",
                      percent(kernel.shareOfUsed(rows[i].switchedOff))),
        place(rows[i]), style.faint(shortened(source.line(rows[i].where), width)), rows[i].why);
  std::string text = "\n" + fitted(table.print());
  if (rows.size() > shown)
    text += fmt::format("  and {} more {}: --top {}\n", rows.size() - shown,
                        rows.size() - shown == 1 ? "branch" : "branches", rows.size());
  return text;
}

/// Lines that lose most to predicates, where these switch off enough to care.
std::string switchedOffTable(const KernelProfile& kernel, SourceText& source,
                             const ProfileView& view) {
  if (kernel.shareOfUsed(kernel.switchedOff.value_or(0)) < notableOffOfKernel)
    return "";
  std::vector<OffRow> rows = switchedOffLines(kernel);
  rows.resize(std::min(rows.size(), mostOffLines));
  if (rows.empty())
    return "";
  std::size_t placeWidth = 0, whatWidth = 0;
  for (const OffRow& row : rows) {
    placeWidth = std::max(placeWidth, placeText(row.where).size());
    whatWidth = std::max(whatWidth, row.what.size());
  }
  const std::string title = "switched off";
  const std::size_t width = textColumns(placeWidth, whatWidth, 2 + title.size() + 6 + 4 * 2);
  Table table("lrlll");
  for (const OffRow& row : rows)
    table.addRow({&row == &rows.front() ? view.style.bold(title) : "", percent(row.share),
                  placeText(row.where), view.style.faint(shortened(source.line(row.where), width)),
                  row.what});
  return "\n" + fitted(table.print());
}

std::string memoryTable(const KernelProfile& kernel, SourceText& source, const ProfileView& view) {
  std::vector<MemoryRow> rows = notableAccesses(kernel);
  if (rows.empty())
    return "";
  rows.resize(std::min(rows.size(), mostMemoryLines));
  std::size_t placeWidth = 0, whatWidth = 0;
  for (const MemoryRow& row : rows) {
    placeWidth = std::max(placeWidth, placeText(row.where).size());
    whatWidth = std::max(whatWidth, row.what.size());
  }
  const std::size_t width = textColumns(placeWidth, whatWidth, 2 + 6 + 3 * 2);
  Table table("llll");
  for (const MemoryRow& row : rows)
    table.addRow({&row == &rows.front() ? view.style.bold("memory") : "", placeText(row.where),
                  view.style.faint(shortened(source.line(row.where), width)), row.what});
  return "\n" + fitted(table.print());
}

struct Verdict {
  std::string word; ///< "try" or "apply", or one against it
  std::string reason;
  bool isGood = false, isBad = false;
  bool isLong = false; ///< the reason has its own lines
};

Verdict verdictOf(const advise::Candidate& each) {
  if (each.isAdvice)
    return {.word = "advice", .reason = each.reason, .isLong = true};
  if (each.applies)
    return {.word = each.tried ? "apply" : "try", .isGood = true};
  const bool isGuess = each.predictedSpeedup > 0 && !each.tried; // nothing else speaks against it
  if (isGuess && advise::judge(each) == advise::Pays::TooClose)
    return {.word = "may pay", .reason = fmt::format("{:.2f}x to {:.2f}x", each.low, each.high)};
  return {.word = isGuess ? "may not pay" : "refuse", .reason = each.reason, .isBad = true};
}

/// Beside the row where it fits there, else below it.
std::vector<std::string> verdictLines(const Verdict& verdict, std::size_t column,
                                      const TextStyle& style) {
  const bool isBeside =
      verdict.reason.empty() || (!verdict.isLong && column + fewestReasonColumns <= mostColumns());
  const std::size_t indent = isBeside ? column : reasonIndent;
  const std::string whole = verdict.word + (verdict.reason.empty() ? "" : ": " + verdict.reason);
  std::vector<std::string> lines =
      wrapText(isBeside ? whole : verdict.reason, mostColumns() - indent);
  for (std::size_t i = isBeside ? 1 : 0; i < lines.size(); ++i)
    lines[i].insert(0, indent, ' ');
  if (!isBeside)
    lines.insert(lines.begin(), verdict.word);
  if (lines.front().starts_with(verdict.word) && (verdict.isGood || verdict.isBad))
    lines.front().replace(0, verdict.word.size(),
                          verdict.isGood ? style.good(verdict.word) : style.bad(verdict.word));
  return lines;
}

struct AdviceRow {
  const advise::Candidate* candidate;
  std::string place, name, speedup;
};

std::vector<AdviceRow> adviceRows(const KernelProfile& kernel, const ProfileView& view) {
  std::vector<AdviceRow> rows;
  for (const advise::Candidate& each : view.advice)
    if (each.kernelId == kernel.id)
      rows.push_back({&each, placeText({each.file, each.line, 0}),
                      each.rewrite + (each.form.empty() ? "" : " (" + each.form + ")"),
                      each.predictedSpeedup > 0
                          ? fmt::format("{}{:.2f}x", each.tried ? "" : "~", each.predictedSpeedup)
                          : ""});
  return rows;
}

/// What might pay has a number, what is refused a reason. A number with ~ is a guess from one run,
/// and so is what it says: only `heddle fix` runs what it proposes.
std::string adviceTable(const KernelProfile& kernel, const ProfileView& view) {
  const std::vector<AdviceRow> rows = adviceRows(kernel, view);
  if (rows.empty())
    return "";
  const auto widest = [&](std::string AdviceRow::* cell) {
    std::size_t width = 0;
    for (const AdviceRow& row : rows)
      width = std::max(width, (row.*cell).size());
    return width;
  };
  const std::string title = "rewrites";
  const std::size_t column = 2 + title.size() + widest(&AdviceRow::place) +
                             widest(&AdviceRow::name) + widest(&AdviceRow::speedup) + 4 * 2;
  Table table("lllrl");
  std::vector<std::vector<std::string>> verdicts;
  for (const AdviceRow& row : rows) {
    verdicts.push_back(verdictLines(verdictOf(*row.candidate), column, view.style));
    table.addRow({&row == &rows.front() ? view.style.bold(title) : "", row.place, row.name,
                  row.speedup, verdicts.back().front()});
  }
  const std::string printed = table.print();
  std::string text = "\n";
  for (std::size_t i = 0; const std::string_view line : splitText(printed, '\n')) {
    if (i == rows.size())
      break;
    text += fmt::format("{}\n", line);
    for (std::size_t more = 1; more < verdicts[i].size(); ++more)
      text += verdicts[i][more] + "\n";
    ++i;
  }
  return text;
}

/// The warps that the profile holds in full.
std::string recordedTable(const KernelProfile& kernel, const TextStyle& style) {
  if (!kernel.recorded || kernel.recorded->recorded.empty())
    return "";
  Table table("llrl");
  for (const profile::RecordedWarp& warp : kernel.recorded->recorded) {
    const bool isFirst = &warp == &kernel.recorded->recorded.front();
    table.addRow(
        {isFirst ? style.bold("recorded") : "",
         fmt::format("{}: block ({}), warp {}{}", profile::warpRoleNames[std::size_t(warp.role)],
                     fmt::join(warp.block, ","), warp.warp,
                     kernel.launches > 1 ? fmt::format(" of launch {}", warp.launch) : ""),
         shortNumber(double(warp.instructions)) + "instructions",
         warp.isCut() ? fmt::format("cut: the first {}are kept", shortNumber(double(warp.recorded)))
                      : ""});
  }
  return "\n" + fitted(table.print());
}

/// What the program did not notice, at the end, where it is seen.
std::string remarkText(const ProgramProfile& profile, const TextStyle& style) {
  if (profile.remarks.empty())
    return "";
  std::string text = "\n" + style.bad("remarks") + "\n";
  const std::size_t shown = std::min(profile.remarks.size(), mostRemarks);
  for (std::size_t i = 0; i < shown; ++i) {
    const profile::Remark& remark = profile.remarks[i];
    text += fitted(fmt::format("  {}  {}{}", placeText(remark.where), printableLine(remark.text),
                               remark.count > 1 ? fmt::format(", {} times", remark.count) : "")) +
            "\n";
  }
  if (profile.remarks.size() > shown)
    text += fmt::format("  and {} more: --json lists all\n", profile.remarks.size() - shown);
  return text;
}

std::string endingText(const ProgramProfile& profile, const TextStyle& style) {
  switch (profile.ending) {
  case Ending::Complete:
    break;
  case Ending::Fault:
    return style.bad("partial:") + " a fault stopped the run; this is what ran until then\n";
  case Ending::Interrupted:
    return style.bad("partial:") + " the run was interrupted; this is what ran until then\n";
  }
  return "";
}

} // namespace

std::string profileText(const ProgramProfile& profile, const ProfileView& view) {
  std::string text = endingText(profile, view.style);
  if (profile.kernels.empty())
    return text + "no kernel was launched\n" + remarkText(profile, view.style);
  std::vector<const KernelProfile*> kernels;
  for (const KernelProfile& kernel : profile.kernels)
    kernels.push_back(&kernel);
  std::ranges::sort(kernels, [](const KernelProfile* a, const KernelProfile* b) {
    return a->slots() != b->slots() ? a->slots() > b->slots() : a < b; // as they were launched
  });
  SourceText source;
  const std::size_t shown = std::min(kernels.size(), view.kernels);
  for (std::size_t i = 0; i < shown; ++i)
    text += (i == 0 ? "" : "\n") + fitted(totals(profile, *kernels[i], view.style)) +
            (kernels[i]->timing ? fitted(timing(*kernels[i], profile.device, view.style)) : "") +
            branchTable(*kernels[i], source, view) + switchedOffTable(*kernels[i], source, view) +
            adviceTable(*kernels[i], view) + memoryTable(*kernels[i], source, view) +
            recordedTable(*kernels[i], view.style);
  if (kernels.size() > shown)
    text += fmt::format("\nand {} more {}: --kernels {}\n", kernels.size() - shown,
                        kernels.size() - shown == 1 ? "kernel" : "kernels", kernels.size());
  return text + remarkText(profile, view.style);
}

} // namespace heddle::report
