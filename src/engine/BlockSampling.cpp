// SPDX-License-Identifier: Apache-2.0
#include "engine/BlockSampling.h"

#include <algorithm>

namespace heddle::engine {
namespace {

constexpr int mostLevels = 5;
constexpr std::int64_t fewOfAll = 16; ///< one block of so many may be traced for nothing

// A block that ends at once
constexpr std::uint64_t mostOfAWarp = 64; ///< instructions, on average
constexpr std::uint64_t mostSectors = 4;  ///< that it asks for: a block that copies has work
constexpr double mostOfAnother = 0.125;   ///< of the mean of the blocks that have work

std::uint64_t instructionsOf(const profile::BlockTrace& block) {
  std::uint64_t sum = 0;
  for (const profile::WarpTrace& warp : block.warps)
    sum += warp.instructions;
  return sum;
}

bool isCutOff(const profile::BlockTrace& block) {
  return std::ranges::any_of(block.warps, &profile::WarpTrace::cutOff);
}

void addTo(FootprintBySite& sum, const FootprintBySite& footprints) {
  for (const auto& [key, footprint] : footprints) {
    const auto [known, isNew] = sum.try_emplace(key, footprint);
    if (isNew)
      continue;
    profile::Footprint& all = known->second;
    all.fresh += footprint.fresh;
    all.scattered += footprint.scattered;
    all.first = std::min(all.first, footprint.first);
    all.end = std::max(all.end, footprint.end);
  }
}

bool movesLittle(const FootprintBySite& footprints) {
  std::uint64_t sectors = 0;
  for (const auto& [key, footprint] : footprints)
    sectors += footprint.fresh;
  return sectors <= mostSectors;
}

} // namespace

BlockSampling::BlockSampling(const LaunchRequest& grid, std::int64_t every, std::int64_t deepEvery)
    : blocks_(grid.blocks()), warps_((grid.threads() + warpSize - 1) / warpSize), every_(every),
      deepEvery_(deepEvery), wanted_((blocks_ + every - 1) / every) {
  // Where all blocks have work, half of the wanted ones are traced for nothing at each level.
  const auto affordable = int(std::min<std::int64_t>(mostLevels, 2 * blocks_ / fewOfAll / wanted_));
  int level = 0;
  while (level < affordable && (every >> (level + 1)) > 0)
    ++level;
  level_ = level;
}

std::int64_t BlockSampling::indexOf(std::int64_t block, int level) const {
  return (((block % every_) << level) + every_ - 1) / every_;
}

int BlockSampling::levelOf(std::int64_t block) const {
  for (int level = 0; level <= mostLevels; ++level)
    if (const std::int64_t index = indexOf(block, level);
        index < std::int64_t{1} << level && index * every_ >> level == block % every_)
      return level;
  return mostLevels + 1;
}

/// As the block's level says, whichever is used in the end.
bool BlockSampling::isDeep(std::int64_t block) const {
  const int level = levelOf(block);
  const std::int64_t index = ((block / every_) << level) + indexOf(block, level);
  return index % deepEvery_ == (level == 0 ? 0 : 1 % deepEvery_);
}

bool BlockSampling::isShort(std::uint64_t instructions) const {
  return instructions <= mostOfAWarp * std::uint64_t(warps_);
}

void BlockSampling::end(std::int64_t block, std::uint64_t instructions) {
  if (isShort(instructions)) {
    ++shortBlocks_;
    shortInstructions_ += instructions;
    return;
  }
  std::int64_t last = lastLong_;
  while (last < block && !lastLong_.compare_exchange_weak(last, block)) {
  }
}

void BlockSampling::add(profile::BlockTrace block, FootprintBySite footprints) {
  const bool ended = isShort(instructionsOf(block)) && movesLittle(footprints);
  const std::scoped_lock lock(mutex_);
  const int level = levelOf(block.number);
  if (level > level_)
    return;
  working_ += ended ? 0 : 1;
  samples_.push_back({level, ended, std::move(block), std::move(footprints)});
  while (level_ > 0 && working_ > wanted_)
    coarsen();
}

void BlockSampling::coarsen() {
  std::erase_if(samples_, [&](const Sample& sample) { return sample.level == level_; });
  working_ = std::ranges::count(samples_, false, &Sample::ended);
  --level_;
}

/// Whether blocks that ended at once are none of the sample: some of the others are in it, and had
/// much more to do, and no short block is known that has work.
bool BlockSampling::leavesOut(std::uint64_t instructions) const {
  const std::int64_t others = blocks_ - shortBlocks_;
  if (shortBlocks_ == 0 || others == 0 || working_ == 0)
    return false;
  const double ofAnother = double(instructions - shortInstructions_) / double(others);
  const bool hasShortWork = std::ranges::any_of(samples_, [&](const Sample& sample) {
    return !sample.ended && isShort(instructionsOf(sample.block));
  });
  return !hasShortWork &&
         double(shortInstructions_) / double(shortBlocks_) < mostOfAnother * ofAnother;
}

void BlockSampling::take(profile::KernelTrace& trace, std::uint64_t instructions) {
  const bool leaves = leavesOut(instructions);
  if (leaves)
    trace.ended = {shortBlocks_, shortInstructions_, lastLong_ + 1 - (blocks_ - shortBlocks_)};
  std::erase_if(samples_,
                [&](const Sample& sample) { return leaves ? sample.ended : sample.level > 0; });
  // Of cut off warps nobody knows what they use later.
  const bool onlyDeep = std::ranges::any_of(
      samples_, [](const Sample& sample) { return !sample.block.deep && isCutOff(sample.block); });
  FootprintBySite footprints;
  for (Sample& sample : samples_) {
    if (!onlyDeep || sample.block.deep)
      addTo(footprints, sample.footprints);
    trace.blocks.push_back(std::move(sample.block));
  }
  for (const auto& [key, footprint] : footprints)
    trace.footprints.push_back(footprint);
  std::ranges::sort(trace.blocks, {}, &profile::BlockTrace::number);
}

} // namespace heddle::engine
