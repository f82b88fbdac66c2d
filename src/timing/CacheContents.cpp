// SPDX-License-Identifier: Apache-2.0
#include "timing/CacheContents.h"

#include <algorithm>

namespace heddle::timing {

CacheContents::CacheContents(const machine::Device& device)
    : capacity_(device.l2KiB * 1024.0), partitions_(device.l2Partitions) {}

/// Each partition keeps what its multiprocessors read; what is written is in one.
double CacheContents::placeOf(const Region& region) const {
  return region.bytes * (region.isRead ? partitions_ : 1);
}

double CacheContents::hitsIn(const Region& region) const {
  return std::min(1.0, capacity_ / std::max(1.0, placeOf(region)));
}

double CacheContents::shareOf(const Region& region) const {
  double there = 0;
  for (const Kept& kept : kept_)
    if (kept.region.begin == region.begin)
      there += kept.share * kept.region.bytes;
  return std::min(1.0, there / std::max(1.0, region.bytes));
}

double CacheContents::freeBeside(std::span<const Region> regions) const {
  double free = capacity_;
  for (const Region& region : regions)
    free -= placeOf(region);
  return free;
}

void CacheContents::use(std::span<const Region> regions) {
  double free = freeBeside(regions);
  std::vector<Kept> now;
  for (const Region& region : regions)
    if (free >= 0)
      now.push_back({region, 1});
  for (Kept& old : kept_) {
    const bool isUsed = std::ranges::any_of(regions, [&](const Region& region) {
      return region.begin == old.region.begin && region.isRead == old.region.isRead;
    });
    if (isUsed || free <= 0)
      continue;
    old.share = std::min(old.share, free / std::max(1.0, placeOf(old.region)));
    free -= old.share * placeOf(old.region);
    now.push_back(old);
  }
  kept_ = std::move(now);
}

} // namespace heddle::timing
