// SPDX-License-Identifier: Apache-2.0
#include "report/ProfileReport.h"

#include "report/Format.h"
#include "report/Json.h"
#include "report/Table.h"
#include "support/Files.h"
#include "support/LaneMask.h"
#include "support/Parse.h"

#include <algorithm>
#include <filesystem>

namespace heddle::report {
namespace {

using profile::BranchProfile;
using profile::LaunchProfile;
using profile::SourceLocation;

constexpr std::size_t mostBranches = 10;
constexpr std::size_t mostColumns = 40;

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

/// The line of source at a place, without indent and not too long; empty where it cannot be read.
std::string sourceLine(const SourceLocation& where) {
  const auto file = readFile(where.file);
  if (!file)
    return "";
  const auto lines = splitText(*file, '\n');
  if (where.line < 1 || std::size_t(where.line) > lines.size())
    return "";
  std::string_view line = lines[std::size_t(where.line) - 1];
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line.size() <= mostColumns ? std::string(line)
                                    : std::string(line.substr(0, mostColumns - 3)) + "...";
}

std::string placeText(const SourceLocation& where) {
  if (where.file.empty())
    return "unknown place";
  return fmt::format("{}:{}", std::filesystem::path(where.file).filename().string(), where.line);
}

std::string whyText(const BranchProfile& branch) {
  return fmt::format("p = {:.2f}, divergent in {} of the warps",
                     double(branch.lanesTaken) / double(branch.laneExecutions),
                     percent(double(branch.divergentExecutions) / double(branch.executions)));
}

std::vector<BranchProfile> worstBranches(const LaunchProfile& profile) {
  std::vector<BranchProfile> worst;
  for (const BranchProfile& branch : profile.branches)
    if (branch.lostSlots > 0)
      worst.push_back(branch);
  std::ranges::sort(worst, [](const BranchProfile& a, const BranchProfile& b) {
    return std::tie(b.lostSlots, a.where) < std::tie(a.lostSlots, b.where);
  });
  return worst;
}

} // namespace

std::string profileText(const ProfiledLaunch& launch, const TextStyle& style) {
  const LaunchProfile& p = launch.profile;
  const auto share = [&](std::uint64_t slots) {
    return percent(p.slots() == 0 ? 0 : double(slots) / double(p.slots()));
  };
  std::string text = fmt::format("kernel {} <<<{},{}>>>   {}thread-instructions in {:.3g} s\n",
                                 style.bold(p.kernel), extent(launch.grid), extent(launch.block),
                                 shortNumber(double(p.threadInstructions)), p.seconds);
  text +=
      fmt::format("  SIMD efficiency  {}   lost lanes: branches {}, finished threads {}, partial "
                  "warps {}\n",
                  style.bold(percent(p.efficiency())), share(p.lostToBranches()),
                  share(p.lostToFinished), share(p.lostToPartial));
  const std::vector<BranchProfile> worst = worstBranches(p);
  if (worst.empty())
    return text;
  Table table("rlll");
  table.addRow({style.bold("lost"), style.bold("where"), "", style.bold("why")});
  for (std::size_t i = 0; i < std::min(worst.size(), mostBranches); ++i)
    table.addRow({share(worst[i].lostSlots), placeText(worst[i].where),
                  style.faint(sourceLine(worst[i].where)), whyText(worst[i])});
  text += "\n" + table.print();
  if (worst.size() > mostBranches)
    text += fmt::format("  and {} more branches\n", worst.size() - mostBranches);
  return text;
}

std::string profileJson(const ProfiledLaunch& launch) {
  const LaunchProfile& p = launch.profile;
  Json json = startJson("profile");
  Json kernel{{"name", p.kernel},
              {"launches", 1},
              {"grid", launch.grid},
              {"block", launch.block},
              {"threadInstructions", p.threadInstructions},
              {"warpInstructions", p.warpInstructions},
              {"seconds", p.seconds},
              {"efficiency", p.efficiency()},
              {"averageActiveThreads", p.efficiency() * warpSize},
              {"lost", Json::array()},
              {"branches", Json::array()}};
  const auto lost = [&](const char* kind, const SourceLocation& where, std::uint64_t slots) {
    if (slots > 0)
      kernel["lost"].push_back({{"kind", kind},
                                {"file", where.file},
                                {"line", where.line},
                                {"column", where.column},
                                {"slots", slots}});
  };
  for (const BranchProfile& branch : worstBranches(p))
    lost("branch", branch.where, branch.lostSlots);
  lost("finished", {}, p.lostToFinished);
  lost("partial", {}, p.lostToPartial);
  for (const BranchProfile& branch : p.branches)
    kernel["branches"].push_back({{"file", branch.where.file},
                                  {"line", branch.where.line},
                                  {"column", branch.where.column},
                                  {"executions", branch.executions},
                                  {"divergentExecutions", branch.divergentExecutions},
                                  {"laneExecutions", branch.laneExecutions},
                                  {"lanesTaken", branch.lanesTaken},
                                  {"lostSlots", branch.lostSlots}});
  json["kernels"] = Json::array({kernel});
  return printJson(json);
}

} // namespace heddle::report
