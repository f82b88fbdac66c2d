// SPDX-License-Identifier: Apache-2.0
//
// When thread blocks and warps ran on a multiprocessor of the modelled GPU, as the timing model
// replayed one: the others are taken to be like it. Of the longest launch of a kernel, where that
// was asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::profile {

struct Timeline {
  /// Of more, the first are told.
  static constexpr std::size_t mostBlocks = 1024;
  static constexpr std::size_t mostWarps = 8192;

  struct Warp {
    std::uint32_t begin = 0, end = 0; ///< cycles
  };
  struct Block {
    std::uint32_t number = 0; ///< of the grid: of the sampled block that stands for it
    std::uint32_t slot = 0;   ///< of those resident at the same time
    std::uint32_t begin = 0, end = 0;
    std::vector<Warp> warps{};
  };

  double megahertz = 0;
  std::uint64_t multiprocessors = 0; ///< that had blocks
  std::uint64_t cycles = 0;          ///< of the replay
  double part = 1;                   ///< of each warp that was replayed, from its beginning
  std::uint64_t more = 0;            ///< blocks that were replayed and are not told
  std::vector<Block> blocks{};
};

/// "number slot begin end begin:end ...", the warps' last.
std::string timelineText(const Timeline::Block& block);
std::optional<Timeline::Block> readTimelineBlock(std::string_view text);

} // namespace heddle::profile
