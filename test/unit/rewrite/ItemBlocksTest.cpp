// SPDX-License-Identifier: Apache-2.0
#include "rewrite/items/ItemBlocks.h"

#include <gtest/gtest.h>

namespace heddle::rewrite {
namespace {

TEST(ItemBlocks, TilesLeaveBlocksForAllMultiprocessors) {
  Measured measured;
  using Tiles = std::vector<int>;
  EXPECT_EQ(tilesWorthTrying(measured, 0, true), (Tiles{4, 16})); // nothing is known
  measured.multiprocessors = 132;
  measured.blocks = 132 * 8 * 16;
  EXPECT_EQ(tilesWorthTrying(measured, 0, true), (Tiles{4, 16}));
  measured.blocks = 132 * 8 * 8;
  EXPECT_EQ(tilesWorthTrying(measured, 0, true), (Tiles{4, 8}));
  measured.blocks = 132 * 2 * 4;
  EXPECT_EQ(tilesWorthTrying(measured, 0, true), Tiles{4});
  measured.blocks = 132 * 2 * 4 - 1;
  EXPECT_EQ(tilesWorthTrying(measured, 0, true), Tiles{});
}

TEST(ItemBlocks, TilesOfALoopAreItsTurns) {
  Measured measured;
  measured.multiprocessors = 132;
  measured.blocks = 10;
  using Tiles = std::vector<int>;
  EXPECT_EQ(tilesWorthTrying(measured, 2, false), Tiles{});
  EXPECT_EQ(tilesWorthTrying(measured, 3, false), Tiles{4});
  EXPECT_EQ(tilesWorthTrying(measured, 7, false), (Tiles{4, 8}));
  EXPECT_EQ(tilesWorthTrying(measured, 100, false), (Tiles{4, 16}));
}

TEST(ItemBlocks, TilesOfALoopThatAnyBlockMayDoAreItsItems) {
  Measured measured;
  measured.multiprocessors = 132;
  measured.blocks = 132 * 2 * 4;
  using Tiles = std::vector<int>;
  EXPECT_EQ(tilesWorthTrying(measured, 1, false), Tiles{});
  EXPECT_EQ(tilesWorthTrying(measured, 1, true), Tiles{4});
  measured.blocks = 132 * 2 * 3;
  EXPECT_EQ(tilesWorthTrying(measured, 1, true), Tiles{});
  EXPECT_EQ(tilesWorthTrying(measured, 4.0 / 3, true), Tiles{4});
}

} // namespace
} // namespace heddle::rewrite
