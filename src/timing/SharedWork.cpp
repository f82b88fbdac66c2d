// SPDX-License-Identifier: Apache-2.0
#include "timing/SharedWork.h"

#include <algorithm>

namespace heddle::timing {
namespace {

using profile::BlockTrace;
using profile::KernelTrace;
using profile::WarpTrace;

const WarpTrace& longestOf(const BlockTrace& block) {
  return *std::ranges::max_element(block.warps, {}, &WarpTrace::instructions);
}

double instructionsOf(const BlockTrace& block) {
  double sum = 0;
  for (const WarpTrace& warp : block.warps)
    sum += double(warp.instructions);
  return sum;
}

/// Of a warp.
double meanOf(const BlockTrace& block) {
  return instructionsOf(block) / double(block.warps.size());
}

/// The first of so many instructions.
WarpTrace beginningOf(const WarpTrace& warp, double instructions,
                      const profile::KernelShape& shape) {
  WarpTrace result = warp;
  double ran = 0;
  std::size_t kept = 0;
  while (kept < result.executions.size() && ran < instructions)
    ran += shape.blocks[result.executions[kept++].block].instructions;
  if (kept < warp.executions.size())
    result.traffic.resize(warp.executions[kept].traffic);
  result.executions.resize(kept);
  result.instructions = std::uint64_t(instructions);
  return result;
}

/// Of each sector that a warp uses, whether it is the warp's own: what belongs to a piece of work
/// is used for a short while, what it looks up is used again and again.
std::vector<bool> ownSectors(const WarpTrace& warp, std::uint32_t sectors) {
  struct Use {
    std::size_t first = 0, last = 0;
    bool isUsed = false;
  };
  std::vector<Use> uses(sectors);
  for (std::size_t i = 0; i < warp.traffic.size(); ++i)
    if (const profile::Traffic& traffic = warp.traffic[i];
        traffic.sectors != profile::Traffic::unknownSectors)
      for (std::size_t at = 0; at < traffic.transactions; ++at) {
        Use& use = uses[warp.sectors[traffic.sectors + at]];
        use = {use.isUsed ? use.first : i, i, true};
      }
  std::vector<bool> own;
  for (const Use& use : uses)
    own.push_back((use.last - use.first) * 4 < warp.traffic.size()); // for less than a quarter
  return own;
}

/// All warps of a block do the same, each with sectors of its own.
void share(BlockTrace& block, const WarpTrace& typical, std::uint32_t sectors) {
  constexpr std::uint32_t line = profile::sectorsOfALine;
  const std::uint32_t distance = (sectors + line - 1) / line * line;
  const std::vector<bool> own = ownSectors(typical, sectors);
  for (std::uint32_t i = 0; i < block.warps.size(); ++i) {
    block.warps[i] = typical;
    for (std::uint32_t& number : block.warps[i].sectors)
      number += own[number] ? i * distance : 0;
  }
  block.sectors = distance * std::uint32_t(block.warps.size());
}

/// How much the blocks of the sample count for, so that what they did is what the grid did. Those
/// that did the work of others count once, if there are some besides that tell what others did.
std::vector<double> weightsOf(const std::vector<BlockTrace>& blocks, double meanOfABlock,
                              double blocksOfGrid) {
  const auto didOthers = [&](const BlockTrace& block) {
    return instructionsOf(block) > 2 * meanOfABlock;
  };
  double byThose = 0, byRest = 0, rest = 0;
  for (const BlockTrace& block : blocks)
    if (didOthers(block)) {
      byThose += instructionsOf(block);
    } else {
      byRest += instructionsOf(block);
      ++rest;
    }
  const double all = meanOfABlock * blocksOfGrid;
  const bool canTell = byThose < all && byRest > rest * meanOfABlock / 4;
  std::vector<double> weights;
  for (const BlockTrace& block : blocks)
    weights.push_back(!canTell           ? all / std::max(1.0, byThose + byRest)
                      : didOthers(block) ? 1.0
                                         : (all - byThose) / byRest);
  return weights;
}

/// What blocks do to words of memory. A line that one of several working blocks uses is its own,
/// and it does as much to it as follows from its instructions; of all others each does its part.
void shareAtomics(const KernelTrace& from, KernelTrace& to, double meanOfABlock,
                  double blocksOfGrid) {
  const std::vector<double> weights = weightsOf(from.blocks, meanOfABlock, blocksOfGrid);
  const auto works = [&](const BlockTrace& block) {
    return instructionsOf(block) > meanOfABlock / 4;
  };
  std::map<std::uint64_t, int> users;
  for (const BlockTrace& block : from.blocks)
    for (const auto& [line, passes] : block.atomics)
      ++users[line];
  const bool canTell = std::ranges::count_if(from.blocks, works) > 1;
  std::map<std::uint64_t, profile::AtomicPasses> part;
  for (std::size_t i = 0; i < from.blocks.size(); ++i) {
    const BlockTrace& block = from.blocks[i];
    to.blocks[i].atomics.clear();
    for (const auto& [line, passes] : block.atomics)
      if (canTell && works(block) && users[line] == 1)
        to.blocks[i].atomics[line] = passes * (meanOfABlock / instructionsOf(block));
      else
        part[line] += passes * (weights[i] / blocksOfGrid);
  }
  for (BlockTrace& block : to.blocks)
    block.atomics.insert(part.begin(), part.end());
}

KernelTrace sharedByTheGrid(const KernelTrace& trace, double meanOfAWarp, double blocks) {
  const BlockTrace& source = *std::ranges::max_element(
      trace.blocks, {}, [](const BlockTrace& block) { return longestOf(block).instructions; });
  const WarpTrace typical = beginningOf(longestOf(source), meanOfAWarp, *trace.shape);
  KernelTrace shared = trace;
  for (BlockTrace& block : shared.blocks)
    share(block, typical, source.sectors);
  shareAtomics(trace, shared, meanOfAWarp * double(source.warps.size()), blocks);
  shared.longestWarp = typical.instructions;
  shared.variation = 0;
  return shared;
}

KernelTrace sharedByBlocks(const KernelTrace& trace) {
  KernelTrace shared = trace;
  double longestBefore = 1, longest = 0;
  for (BlockTrace& block : shared.blocks) {
    const WarpTrace most = longestOf(block);
    const double mean = meanOf(block);
    longestBefore = std::max(longestBefore, double(most.instructions));
    longest = std::max(longest, mean);
    share(block, beginningOf(most, mean, *trace.shape), block.sectors);
  }
  shared.longestWarp = std::uint64_t(double(trace.longestWarp) * longest / longestBefore);
  return shared;
}

} // namespace

KernelTrace withSharedWork(const KernelTrace& trace, double instructions, double blocks) {
  if (trace.shape == nullptr || trace.blocks.empty() ||
      std::ranges::any_of(trace.blocks, [](const auto& block) { return block.warps.empty(); }))
    return trace;
  switch (trace.shape->takesWork) {
  case profile::WorkCounter::None:
    return trace;
  case profile::WorkCounter::OfBlocks:
    return sharedByBlocks(trace);
  case profile::WorkCounter::OfTheGrid:
    return sharedByTheGrid(trace, instructions / (blocks * double(trace.blocks[0].warps.size())),
                           blocks);
  }
  return trace;
}

} // namespace heddle::timing
