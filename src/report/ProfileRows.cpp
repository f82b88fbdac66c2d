// SPDX-License-Identifier: Apache-2.0
#include "report/ProfileRows.h"

#include "report/Format.h"
#include "report/SourceText.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace heddle::report {
namespace {

using profile::BranchProfile;
using profile::KernelProfile;
using profile::LoopProfile;
using profile::MemoryProfile;
using profile::MemorySpace;
using profile::SourceLocation;

constexpr std::size_t mostCalls = 2;

/// The branches of one place, whatever calls they came in through.
struct Merged {
  BranchProfile sum{.targets = 0};
  std::vector<SourceLocation> calls; ///< the innermost of each
};

std::map<SourceLocation, Merged> mergeBranches(const KernelProfile& kernel) {
  std::map<SourceLocation, Merged> places;
  for (const BranchProfile& branch : kernel.branches) {
    Merged& place = places[branch.site.where];
    place.sum.targets = std::max(place.sum.targets, branch.targets);
    place.sum += branch;
    if (!branch.site.inlinedAt.empty())
      place.calls.push_back(branch.site.inlinedAt.front());
  }
  return places;
}

std::map<SourceLocation, LoopProfile> mergeLoops(const KernelProfile& kernel) {
  std::map<SourceLocation, LoopProfile> places;
  for (const LoopProfile& loop : kernel.loops)
    if (loop.lanes != 0)
      places[loop.site.where] += loop;
  return places;
}

std::string loopText(const LoopProfile& loop) {
  if (loop.fewest == loop.most)
    return fmt::format("{} iterations", loop.most);
  const double mean = double(loop.iterations) / double(loop.lanes);
  return fmt::format("{}..{} iterations, mean {}", loop.fewest, loop.most,
                     mean < 100 ? fmt::format("{:.3g}", mean) : fmt::format("{:.0f}", mean));
}

/// p is the share of the rarer side: which one is first is the compiler's choice.
std::string branchText(const BranchProfile& branch) {
  if (branch.targets == 0)
    return "call through a pointer";
  if (branch.targets != 2 || branch.laneExecutions() == 0)
    return fmt::format("{} paths", branch.targets);
  const std::uint64_t rarer = std::min(branch.lanes[0], branch.lanes[1]);
  return fmt::format("2 paths, p = {:.2f}", double(rarer) / double(branch.laneExecutions()));
}

/// "  via a.cu:12, a.cu:40" for a line that came in through several calls.
std::string callText(std::vector<SourceLocation> calls) {
  std::ranges::sort(calls);
  calls.erase(std::ranges::unique(calls).begin(), calls.end());
  if (calls.size() < 2)
    return "";
  std::string text = "  via ";
  for (std::size_t i = 0; i < std::min(calls.size(), mostCalls); ++i)
    text += (i == 0 ? "" : ", ") + placeText(calls[i]);
  if (calls.size() > mostCalls)
    text += fmt::format(" and {} more", calls.size() - mostCalls);
  return text;
}

/// Those that `isShown` holds for, worst first.
template <class IsShown>
std::vector<BranchRow> branchRows(const KernelProfile& kernel, IsShown isShown) {
  const std::map<SourceLocation, LoopProfile> loops = mergeLoops(kernel);
  std::vector<BranchRow> rows;
  for (const auto& [where, place] : mergeBranches(kernel)) {
    if (!isShown(place.sum))
      continue;
    const auto loop = loops.find(where);
    const std::string why = loop != loops.end() ? loopText(loop->second) : branchText(place.sum);
    rows.push_back({where, place.sum.lostSlots, place.sum.lostCycles, why + callText(place.calls),
                    place.sum.switchedOff});
  }
  std::ranges::sort(rows, [](const BranchRow& a, const BranchRow& b) {
    return a.lostSlots != b.lostSlots || a.lostSlots > 0
               ? std::tie(b.lostSlots, a.where) < std::tie(a.lostSlots, b.where)
               : std::tie(b.switchedOff, a.where) < std::tie(a.switchedOff, b.where);
  });
  return rows;
}

} // namespace

std::vector<BranchRow> worstBranches(const KernelProfile& kernel) {
  return branchRows(kernel, [](const BranchProfile& sum) { return sum.lostSlots > 0; });
}

std::vector<BranchRow> notableBranches(const KernelProfile& kernel) {
  return branchRows(kernel, [&](const BranchProfile& sum) {
    return sum.lostSlots > 0 || kernel.shareOfUsed(sum.switchedOff) >= notableOffOfBranch;
  });
}

std::vector<OffRow> switchedOffLines(const KernelProfile& kernel) {
  std::map<std::pair<std::string, int>, profile::LineCounts> places;
  for (const profile::LineProfile& line : kernel.lines)
    places[{line.site.where.file, line.site.where.line}] += line;
  std::vector<OffRow> rows;
  for (const auto& [place, sum] : places) {
    if (sum.switchedOff == 0)
      continue;
    OffRow& row = rows.emplace_back(); // g++ 12 warns of uninitialised strings in nested braces
    row.where = {place.first, place.second, 0};
    row.switchedOff = sum.switchedOff;
    row.share = kernel.shareOfUsed(sum.switchedOff);
    row.what = percent(double(sum.switchedOff) / double(sum.used)) + " of its lanes";
  }
  std::ranges::sort(rows, [](const OffRow& a, const OffRow& b) {
    return std::tie(b.switchedOff, a.where) < std::tie(a.switchedOff, b.where);
  });
  return rows;
}

std::vector<MemoryRow> notableAccesses(const KernelProfile& kernel) {
  std::map<std::tuple<SourceLocation, profile::AccessKind, MemorySpace>, MemoryProfile> places;
  for (const MemoryProfile& access : kernel.accesses)
    places[{access.site.where, access.kind, access.space}] += access;
  std::vector<MemoryRow> rows;
  for (const auto& [key, place] : places) {
    const MemorySpace space = std::get<MemorySpace>(key);
    const double bearable = space == MemorySpace::Shared ? 1.5 : 2;
    if (space == MemorySpace::Local || double(place.transactions) <= bearable * double(place.ideal))
      continue;
    const double found = double(place.transactions) / double(place.executions);
    const double ideal = double(place.ideal) / double(place.executions);
    const char* unit = space == MemorySpace::Shared ? "passes over the banks" : "sectors a request";
    rows.push_back({std::get<SourceLocation>(key), place.transactions - place.ideal,
                    fmt::format("{:.3g} {}, {:.3g} would do", found, unit, ideal)});
  }
  std::ranges::sort(rows, [](const MemoryRow& a, const MemoryRow& b) {
    return std::tie(b.excess, a.where, a.what) < std::tie(a.excess, b.where, b.what);
  });
  return rows;
}

} // namespace heddle::report
