// SPDX-License-Identifier: Apache-2.0
//
// An allocation of 16 MB of which the thread blocks ask for 80 MB, each byte in five blocks:
//
//   1. Of the 80, 16 come from memory, or fewer if an earlier launch left them in the cache.
//   2. The other 64 are in the L2: blocks that share data run at about the same time. Lookups in
//      many places are the exception: they hit as far as the allocation fits the cache.
//   3. Lines that were written and not read since are in one partition of the L2, and farther away
//      for the first readers in others.
//   4. An access site has the shares of the allocations it goes to.
#include "timing/MemoryShares.h"

#include "timing/TraceSample.h"

#include <algorithm>
#include <map>
#include <utility>

namespace heddle::timing {
namespace {

using Key = std::pair<std::uint64_t, bool>; ///< allocation, and whether it is read

/// What a launch does with an allocation, in bytes.
struct Use {
  double size = 0;      ///< of the allocation
  double fresh = 0;     ///< new to their thread blocks
  double scattered = 0; ///< of those

  void add(const profile::Footprint& footprint, double bytesOfASector) {
    size = double(footprint.size);
    fresh += double(footprint.fresh) * bytesOfASector;
    scattered += double(footprint.scattered) * bytesOfASector;
  }
};

/// `there` is the share that the cache has, or keeps where the region is only written.
double shareOf(const Region& region, const Use& use, const CacheContents& cache, double there) {
  const double once = region.bytes * (1 - there);
  const double again = use.fresh - region.bytes;
  const double misses = 1 - cache.hitsIn({region.begin, use.size, region.isRead});
  return (once + again * misses * use.scattered / use.fresh) / use.fresh;
}

} // namespace

std::set<std::uint32_t> sitesThatRead(const profile::KernelShape& shape) {
  std::set<std::uint32_t> sites;
  for (const profile::BlockShape& block : shape.blocks)
    for (const auto& [site, kind] : block.work.accesses)
      if (kind != profile::AccessKind::Store)
        sites.insert(std::uint32_t(site));
  return sites;
}

SiteShares sharesFromMemory(const profile::KernelTrace& trace, double freshBytes,
                            CacheContents& cache) {
  const double sampled = freshSectors(trace);
  if (sampled <= 0)
    return {};
  const std::set<std::uint32_t> reads = sitesThatRead(*trace.shape);
  const auto keyOf = [&](const profile::Footprint& footprint) {
    return Key{footprint.begin, reads.contains(footprint.site)};
  };
  std::map<Key, Use> uses;
  for (const profile::Footprint& footprint : trace.footprints)
    uses[keyOf(footprint)].add(footprint, freshBytes / sampled);
  std::vector<Region> regions;
  for (const auto& [key, use] : uses)
    if (use.fresh > 0) {
      const double bytes = std::min(use.size, use.fresh);
      regions.push_back({key.first, bytes, key.second, key.second ? use.fresh / bytes : 1});
    }
  const double kept = cache.keepsWrites(regions) ? 1 : 0;
  const std::vector<CacheContents::Found> found = cache.use(regions);
  struct Shares {
    double fromDram = 0, afar = 0;
  };
  std::map<Key, Shares> shares;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const Key key{regions[i].begin, regions[i].isRead};
    shares[key] = {shareOf(regions[i], uses[key], cache, regions[i].isRead ? found[i].there : kept),
                   regions[i].isRead ? found[i].afar * cache.firstReads(regions[i].readers) : 0};
  }
  SiteShares bySite;
  std::vector<double> weights;
  for (const profile::Footprint& footprint : trace.footprints) {
    const std::size_t site = footprint.site;
    weights.resize(std::max(weights.size(), site + 1));
    bySite.fromDram.resize(weights.size());
    bySite.afar.resize(weights.size());
    const Shares& share = shares[keyOf(footprint)];
    bySite.fromDram[site] += share.fromDram * double(footprint.fresh);
    bySite.afar[site] += share.afar * double(footprint.fresh);
    weights[site] += double(footprint.fresh);
  }
  for (std::size_t site = 0; site < weights.size(); ++site) {
    bySite.fromDram[site] = weights[site] > 0 ? bySite.fromDram[site] / weights[site] : 1;
    bySite.afar[site] = weights[site] > 0 ? bySite.afar[site] / weights[site] : 0;
  }
  return bySite;
}

} // namespace heddle::timing
