// SPDX-License-Identifier: Apache-2.0
#include "timing/RepeatedLines.h"

#include "TraceBuilder.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>

namespace heddle::timing {
namespace {

constexpr unsigned windows = 16, accesses = 32;
constexpr std::uint64_t distance = 1000; ///< instructions from window to window
constexpr double largeCache = 200'000;

/// A block of one warp, traced in windows, whose accesses touch one line each.
class Windows {
public:
  explicit Windows(const std::function<std::uint32_t(unsigned window, unsigned access)>& line) {
    shape_.blocks.resize(1);
    shape_.blocks[0].instructions = 1;
    profile::WarpTrace warp;
    warp.instructions = windows * distance;
    std::vector<bool> isUsed;
    profile::BlockTrace block;
    for (unsigned window = 0; window < windows; ++window) {
      warp.windows.push_back({std::uint32_t(warp.traffic.size()), window * distance});
      for (unsigned access = 0; access < accesses; ++access) {
        const std::uint32_t number = line(window, access);
        isUsed.resize(std::max<std::size_t>(isUsed.size(), number + 1));
        warp.executions.push_back({0, 0, std::uint32_t(warp.traffic.size())});
        warp.traffic.push_back(
            {0, 1, std::uint16_t(isUsed[number] ? 0 : 1), std::uint32_t(warp.sectors.size())});
        warp.sectors.push_back(number * profile::sectorsOfALine);
        isUsed[number] = true;
      }
    }
    block.sectors = std::uint32_t(isUsed.size() * profile::sectorsOfALine);
    block.warps.push_back(std::move(warp));
    trace_.blocks.push_back(std::move(block));
    trace_.footprints.push_back({.site = 0, .size = 1 << 20, .fresh = 100});
    trace_.shape = &shape_;
  }

  const profile::BlockTrace& kept(double cacheBytes) {
    keepRepeatedLines(trace_, cacheBytes);
    return trace_.blocks[0];
  }
  std::uint64_t fresh() const {
    std::uint64_t sum = 0;
    for (const profile::Traffic& traffic : trace_.blocks[0].warps[0].traffic)
      sum += traffic.fresh;
    return sum;
  }
  std::uint64_t footprint() const { return trace_.footprints[0].fresh; }

private:
  profile::KernelShape shape_;
  profile::KernelTrace trace_;
};

/// The same numbers in each run.
std::uint32_t anyOf(std::uint32_t lines, unsigned window, unsigned access) {
  std::uint32_t hash = (window * accesses + access + 1) * 0x9e3779b1U;
  return ((hash ^ hash >> 15) * 0x85ebca77U >> 8) % lines;
}

TEST(RepeatedLines, AWalkIsNewEachTime) {
  Windows walk([](unsigned window, unsigned access) { return window * accesses + access; });
  EXPECT_TRUE(walk.kept(largeCache).keptLines.empty());
  EXPECT_EQ(walk.fresh(), windows * accesses);
  EXPECT_EQ(walk.footprint(), 100);
}

TEST(RepeatedLines, ATableWasUsedBefore) {
  Windows table([](unsigned window, unsigned access) { return anyOf(200, window, access); });
  const std::size_t shown = table.fresh();
  EXPECT_GT(shown, 150);
  // Of 16,000 uses 200 are the first of a line; of the 512 traced ones more than 150 look so.
  EXPECT_GT(table.kept(largeCache).keptLines.size(), shown * 9 / 10);
  EXPECT_LT(table.fresh(), shown / 10);
  EXPECT_LT(table.footprint(), 10);
}

TEST(RepeatedLines, ATableThatACacheDoesNotHoldIsReadAgain) {
  Windows table([](unsigned window, unsigned access) { return anyOf(200, window, access); });
  const std::size_t shown = table.fresh();
  EXPECT_TRUE(table.kept(100 * 128).keptLines.empty());
  EXPECT_EQ(table.fresh(), shown);
}

TEST(RepeatedLines, NeighboursInAWalkAreNoTable) {
  // Four accesses to each line, one after the other, as in a walk word by word.
  Windows walk([](unsigned window, unsigned access) { return (window * accesses + access) / 4; });
  EXPECT_TRUE(walk.kept(largeCache).keptLines.empty());
}

} // namespace
} // namespace heddle::timing
