// SPDX-License-Identifier: Apache-2.0
#include "timing/TraceSample.h"

#include "timing/DeviceCosts.h"

#include <algorithm>
#include <cmath>

namespace heddle::timing {
namespace {

/// Whether its warps wait for each other.
bool meets(const profile::KernelShape& shape) {
  const auto isBarrier = [](const profile::Step& step) {
    return step.kind == profile::StepKind::Barrier;
  };
  return std::ranges::any_of(shape.blocks, [&](const profile::BlockShape& block) {
    return block.work.hasBarrier || std::ranges::any_of(block.steps, isBarrier);
  });
}

/// What an execution of a block takes to replay, on average.
double stepsOf(const profile::BlockShape& block) {
  return block.isMachineCode ? double(block.steps.size()) / block.rounds : block.work.steps;
}

/// Pieces of a warp's trace, from all over it.
profile::WarpTrace shortened(const profile::WarpTrace& warp, double part, double mostPieces) {
  constexpr double shortestPiece = 64;
  const auto all = double(warp.executions.size());
  const double pieces = std::clamp(std::floor(all * part / shortestPiece), 1.0, mostPieces);
  profile::WarpTrace result{{}, {}, warp.uses, warp.instructions, warp.cutOff, warp.sectors};
  for (double piece = 0; piece < pieces; ++piece) {
    const auto begin = std::size_t(all * piece / pieces);
    const auto end = std::min(warp.executions.size(),
                              begin + std::max<std::size_t>(1, std::size_t(all * part / pieces)));
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t next =
          i + 1 < warp.executions.size() ? warp.executions[i + 1].traffic : warp.traffic.size();
      result.executions.push_back(warp.executions[i]);
      result.executions.back().traffic = std::uint32_t(result.traffic.size());
      for (std::size_t at = warp.executions[i].traffic; at < next; ++at)
        result.traffic.push_back(warp.traffic[at]);
    }
  }
  return result;
}

} // namespace

double tracedInstructions(const profile::KernelTrace& trace, const profile::WarpTrace& warp) {
  double sum = 0;
  for (const auto& execution : warp.executions)
    sum += trace.shape->blocks[execution.block].instructions;
  return sum;
}

void keepRepresentativeBlocks(profile::KernelTrace& trace) {
  const bool cutOff = std::ranges::any_of(trace.blocks, [](const profile::BlockTrace& block) {
    return !block.deep && std::ranges::any_of(block.warps, &profile::WarpTrace::cutOff);
  });
  if (cutOff)
    std::erase_if(trace.blocks, [](const profile::BlockTrace& block) { return !block.deep; });
}

std::optional<profile::KernelTrace> shortened(const profile::KernelTrace& trace, double part) {
  std::optional<profile::KernelTrace> result;
  const auto tracedShare = [&](const profile::WarpTrace& warp) {
    return tracedInstructions(trace, warp) / std::max(1.0, double(warp.instructions));
  };
  constexpr double mostPieces = 16;
  const bool atBarriers = meets(*trace.shape);
  for (std::size_t i = 0; i < trace.blocks.size(); ++i) {
    const std::vector<profile::WarpTrace>& warps = trace.blocks[i].warps;
    double least = 1;
    for (const profile::WarpTrace& warp : warps)
      least = std::min(least, tracedShare(warp));
    for (std::size_t k = 0; k < warps.size(); ++k) {
      const double kept = atBarriers ? part : part * least / std::max(least, tracedShare(warps[k]));
      if (kept >= 1)
        continue;
      if (!result)
        result = trace;
      result->blocks[i].warps[k] = shortened(warps[k], kept, atBarriers ? 1 : mostPieces);
    }
  }
  return result;
}

TraceSample sampleOf(const profile::KernelTrace& trace) {
  TraceSample sample;
  double squares = 0;
  for (std::size_t i = 0; i < trace.blocks.size(); ++i) {
    double ran = 0;
    for (const profile::WarpTrace& warp : trace.blocks[i].warps) {
      ran += double(warp.instructions);
      const double traced = std::max(1.0, tracedInstructions(trace, warp));
      if (warp.instructions > sample.longestWarp) {
        sample.longestWarp = warp.instructions;
        sample.longestBlock = i;
        sample.longestTraced = traced;
      }
      double fresh = 0;
      for (const profile::Traffic& traffic : warp.traffic)
        fresh += traffic.fresh;
      sample.freshBytes += fresh * sectorBytes * double(warp.instructions) / traced;
    }
    sample.instructions += ran;
    squares += ran * ran;
  }
  const auto n = double(trace.blocks.size());
  const double mean = sample.instructions / n;
  if (n > 1 && mean > 0)
    sample.error = std::sqrt(std::max(0.0, squares / n - mean * mean) / (n - 1)) / mean;
  return sample;
}

double freshSectors(const profile::KernelTrace& trace) {
  double sum = 0;
  for (const profile::Footprint& footprint : trace.footprints)
    sum += double(footprint.fresh);
  return sum;
}

double stepsOfABlock(const profile::KernelTrace& trace) {
  double steps = 0;
  for (const profile::BlockTrace& block : trace.blocks)
    for (const profile::WarpTrace& warp : block.warps)
      for (const auto& execution : warp.executions)
        steps += stepsOf(trace.shape->blocks[execution.block]);
  return steps / double(trace.blocks.size());
}

} // namespace heddle::timing
