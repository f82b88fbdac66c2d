// SPDX-License-Identifier: Apache-2.0
#include "timing/CacheContents.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace heddle::timing {
namespace {

constexpr double mostChunks = 256; ///< of a region
constexpr std::uint64_t smallestChunk = 1 << 18;

/// How a launch goes through a region.
struct Sweep {
  double chunk; ///< bytes
  double count; ///< of chunks
  double copies;
};

/// The same for regions of about the same size, so that one finds what another has left.
double chunkOf(const Region& region) {
  return double(
      std::bit_ceil(std::max(smallestChunk, std::uint64_t(std::ceil(region.bytes / mostChunks)))));
}

/// In units of latencyCycles.l2Afar, which was measured with copies. What a kernel has written
/// takes half of that (bench/cuda/device_copied.cu).
double afarOf(const Region& region) {
  return region.isRead ? 0 : region.isCopied ? 1 : 0.5;
}

} // namespace

CacheContents::CacheContents(const machine::Device& device)
    : capacity_(device.l2KiB * 1024.0), partitions_(device.l2Partitions) {}

/// A byte is in the partition of its memory, and in those of the multiprocessors that use it.
double CacheContents::copiesOf(const Region& region) const {
  const double others = partitions_ - 1;
  return 1 + others * (1 - std::pow(others / partitions_, region.readers));
}

double CacheContents::hitsIn(const Region& region) const {
  return std::min(1.0, capacity_ / std::max(1.0, region.bytes * partitions_));
}

bool CacheContents::keepsWrites(std::span<const Region> regions) const {
  double all = 0, written = 0;
  for (const Region& region : regions) {
    all += region.bytes * copiesOf(region);
    written += region.isRead ? 0 : region.bytes * partitions_;
  }
  return std::max(all, written) <= capacity_;
}

/// Adds how many of its bytes were there.
void CacheContents::load(const Chunk& chunk, Found& sum) {
  if (const auto found = placeOf_.find(chunk.begin); found != placeOf_.end()) {
    const double there = std::min(chunk.bytes, found->second->bytes);
    sum.there += there;
    sum.afar += found->second->afar * there;
    used_ -= found->second->place;
    chunks_.erase(found->second);
  }
  chunks_.push_front(chunk);
  placeOf_[chunk.begin] = chunks_.begin();
  used_ += chunk.place;
  while (used_ > capacity_ && !chunks_.empty()) {
    used_ -= chunks_.back().place;
    placeOf_.erase(chunks_.back().begin);
    chunks_.pop_back();
  }
}

std::vector<CacheContents::Found> CacheContents::use(std::span<const Region> regions) {
  std::vector<Sweep> sweeps;
  double rounds = 0;
  for (const Region& region : regions) {
    const double chunk = chunkOf(region);
    sweeps.push_back({chunk, std::ceil(region.bytes / chunk), copiesOf(region)});
    rounds = std::max(rounds, sweeps.back().count);
  }
  std::vector<Found> found(regions.size());
  for (double round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < regions.size(); ++i) {
      const Sweep& sweep = sweeps[i];
      // A region with fewer chunks than others is as far as they are.
      const double number = std::floor(round * sweep.count / rounds);
      if (number == std::floor((round - 1) * sweep.count / rounds))
        continue;
      const double begin = number * sweep.chunk;
      const double bytes = std::min(sweep.chunk, regions[i].bytes - begin);
      load({regions[i].begin + std::uint64_t(begin), bytes, bytes * sweep.copies,
            afarOf(regions[i])},
           found[i]);
    }
  for (std::size_t i = 0; i < regions.size(); ++i)
    found[i] = {found[i].there / std::max(1.0, regions[i].bytes),
                found[i].afar / std::max(1.0, found[i].there)};
  return found;
}

} // namespace heddle::timing
