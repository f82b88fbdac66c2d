// SPDX-License-Identifier: Apache-2.0
#include "timing/RepeatedLines.h"

#include "timing/TraceSample.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace heddle::timing {
namespace {

constexpr double infinitelyMany = std::numeric_limits<double>::infinity();
constexpr unsigned partsOfALife = 32; ///< parts of a block's life: at most 32 windows of each warp
constexpr double fewLeftOut = 1.5;    ///< of a warp's instructions to those that were traced

/// What the windows show of one line.
struct SeenLine {
  std::int32_t site = -1; ///< that used it first
  std::uint32_t when = 0; ///< a bit for each time at which it was used
};

/// What they show of all lines that a site used first.
struct SeenSite {
  double shown = 0, uses = 0; ///< uses at one time are one
  double isNew = 1;           ///< share of the lines that are what they look like
};
using SeenSites = std::map<std::int32_t, SeenSite>;

/// Instructions of a block to those that were traced.
double leftOutOf(const profile::KernelTrace& trace, const profile::BlockTrace& block) {
  double ran = 0, traced = 1;
  for (const profile::WarpTrace& warp : block.warps) {
    ran += double(warp.instructions);
    traced += tracedInstructions(trace, warp);
  }
  return ran / traced;
}

/// Calls back for each access of a warp with the time of its window.
template <class Use>
void forEachAccess(const profile::WarpTrace& warp, std::uint64_t longest, const Use& use) {
  std::size_t window = 0;
  unsigned time = 0;
  for (std::size_t i = 0; i < warp.traffic.size(); ++i) {
    while (window < warp.windows.size() && warp.windows[window].traffic <= i)
      time = unsigned(warp.windows[window++].instructions * partsOfALife / (longest + 1));
    if (warp.traffic[i].sectors != profile::Traffic::unknownSectors)
      use(warp.traffic[i], time);
  }
}

std::vector<SeenLine> linesOf(const profile::BlockTrace& block) {
  std::vector<SeenLine> lines(block.sectors / profile::sectorsOfALine + 1);
  std::uint64_t longest = 0;
  for (const profile::WarpTrace& warp : block.warps)
    longest = std::max(longest, warp.instructions);
  for (const profile::WarpTrace& warp : block.warps)
    forEachAccess(warp, longest, [&](const profile::Traffic& traffic, unsigned time) {
      for (unsigned k = 0; k < traffic.transactions; ++k) {
        SeenLine& line = lines[warp.sectors[traffic.sectors + k] / profile::sectorsOfALine];
        line.site = line.site < 0 ? traffic.site : line.site;
        line.when |= 1U << time;
      }
    });
  return lines;
}

/// Of N lines that are used equally often, how many n uses show.
double linesShown(double lines, double uses) {
  return std::isfinite(lines) ? lines * (1 - std::exp(-uses / lines)) : uses;
}

/// How many there are if n uses have shown so many; infinitely many if all were different.
double linesThereAre(double shown, double uses) {
  constexpr double hardlyFewer = 0.999;
  if (shown >= hardlyFewer * uses)
    return infinitelyMany;
  double least = shown, most = uses * uses;
  for (int i = 0; i < 60; ++i) {
    const double middle = std::sqrt(least * most);
    (linesShown(middle, uses) < shown ? least : most) = middle;
  }
  return least;
}

void judgeSite(SeenSite& site, double blocks, double leftOut) {
  const double shown = site.shown / blocks, uses = site.uses / blocks;
  site.isNew =
      std::min(1.0, linesShown(linesThereAre(shown, uses), uses * leftOut) / (shown * leftOut));
}

/// The same in each run.
double chanceOf(std::uint32_t line) {
  std::uint32_t hash = (line + 1) * 0x9e3779b1U;
  hash ^= hash >> 15;
  return double(hash * 0x85ebca77U) / 4294967296.0;
}

void addLines(const std::vector<SeenLine>& lines, SeenSites& sites) {
  for (const SeenLine& line : lines)
    if (line.site >= 0) {
      SeenSite& site = sites[line.site];
      ++site.shown;
      site.uses += std::popcount(line.when);
    }
}

void keepLines(const std::vector<SeenLine>& lines, const SeenSites& sites,
               profile::BlockTrace& block) {
  std::vector<bool> isKept(lines.size());
  for (std::uint32_t line = 0; line < lines.size(); ++line)
    if (lines[line].site >= 0 && chanceOf(line) >= sites.at(lines[line].site).isNew) {
      block.keptLines.push_back(line);
      isKept[line] = true;
    }
  for (profile::WarpTrace& warp : block.warps)
    for (profile::Traffic& traffic : warp.traffic)
      if (traffic.fresh > 0 && traffic.sectors != profile::Traffic::unknownSectors &&
          isKept[warp.sectors[traffic.sectors] / profile::sectorsOfALine])
        traffic.fresh = 0;
}

} // namespace

void keepRepeatedLines(profile::KernelTrace& trace, double cacheBytes) {
  if (trace.shape == nullptr || trace.blocks.empty())
    return;
  std::vector<std::vector<SeenLine>> lines;
  SeenSites sites;
  double shown = 0, leftOut = 0;
  for (const profile::BlockTrace& block : trace.blocks) {
    lines.push_back(linesOf(block));
    addLines(lines.back(), sites);
    shown += double(block.sectors) / profile::sectorsOfALine;
    leftOut += leftOutOf(trace, block);
  }
  const auto blocks = double(trace.blocks.size());
  if (leftOut < fewLeftOut * blocks || shown * double(profile::lineBytes) > cacheBytes * blocks)
    return;
  for (auto& [number, site] : sites)
    judgeSite(site, blocks, leftOut / blocks);
  for (std::size_t i = 0; i < trace.blocks.size(); ++i)
    keepLines(lines[i], sites, trace.blocks[i]);
  for (profile::Footprint& footprint : trace.footprints)
    if (const auto site = sites.find(std::int32_t(footprint.site)); site != sites.end()) {
      footprint.fresh = std::uint64_t(std::ceil(double(footprint.fresh) * site->second.isNew));
      footprint.scattered = std::uint64_t(double(footprint.scattered) * site->second.isNew);
    }
}

} // namespace heddle::timing
