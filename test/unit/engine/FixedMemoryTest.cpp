// SPDX-License-Identifier: Apache-2.0
#include "engine/FixedMemory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

#include <sys/mman.h>

namespace heddle::engine {
namespace {

constexpr std::uintptr_t here = 0x2900'0000'0000; ///< where nobody else has anything

std::uintptr_t addressOf(const std::byte* memory) {
  return reinterpret_cast<std::uintptr_t>(memory);
}

/// Addresses that a program sees which takes and gives back.
std::vector<std::uintptr_t> runOnce() {
  FixedMemory memory(here);
  std::vector<std::uintptr_t> seen;
  std::vector<std::pair<std::byte*, std::size_t>> blocks;
  for (std::size_t i = 0; i < 2000; ++i) {
    const std::size_t length = i * 7919 % 5000 + 1;
    blocks.emplace_back(memory.takeBlock(length), length);
    seen.push_back(addressOf(blocks.back().first));
    if (i % 3 == 2) {
      const auto [block, size] = blocks[i / 3];
      if (block != nullptr)
        memory.giveBackBlock(block, size);
      blocks[i / 3].first = nullptr;
    }
  }
  std::byte* const pages = memory.takePages(3'000'000);
  seen.push_back(addressOf(pages));
  memory.giveBackPages(pages, 3'000'000);
  return seen;
}

TEST(FixedMemory, AddressesFollowFromTheOrder) {
  const auto first = runOnce();
  EXPECT_EQ(first.front(), here);
  EXPECT_EQ(first, runOnce());
}

TEST(FixedMemory, BlocksAreAlignedAndDoNotOverlap) {
  FixedMemory memory(here);
  std::map<std::uintptr_t, std::size_t> taken;
  for (std::size_t length = 1; length <= FixedMemory::largestBlock; length += length / 3 + 1)
    for (int i = 0; i < 5; ++i) {
      std::byte* const block = memory.takeBlock(length);
      std::memset(block, 1, length);
      EXPECT_EQ(addressOf(block) % FixedMemory::blockAlignment, 0U);
      taken[addressOf(block)] = length;
    }
  std::uintptr_t end = 0;
  for (const auto& [begin, length] : taken) {
    EXPECT_GE(begin, end);
    end = begin + length;
  }
}

TEST(FixedMemory, WhatWasGivenBackIsUsedAgain) {
  FixedMemory memory(here);
  std::byte* const first = memory.takeBlock(600);
  std::byte* const second = memory.takeBlock(600);
  memory.giveBackBlock(first, 600);
  EXPECT_EQ(memory.takeBlock(590), first);
  EXPECT_GT(addressOf(memory.takeBlock(600)), addressOf(second));
  std::byte* const pages = memory.takePages(1 << 20);
  pages[5] = std::byte{1};
  memory.giveBackPages(pages, 1 << 20);
  std::byte* const again = memory.takePages(1 << 20);
  EXPECT_EQ(again, pages);
  EXPECT_EQ(again[5], std::byte{0});
  memory.giveBackPages(again, 1 << 20);
}

TEST(FixedMemory, SlabsThatAreEmptyGo) {
  FixedMemory memory(here);
  std::vector<std::byte*> blocks(20);
  for (std::byte*& block : blocks) // four a slab
    block = memory.takeBlock(FixedMemory::largestBlock);
  for (std::byte* const block : blocks)
    memory.giveBackBlock(block, FixedMemory::largestBlock);
  const std::uintptr_t last = addressOf(blocks.back());
  std::byte* const pages = memory.takePages(std::size_t{8} << 20);
  EXPECT_LT(addressOf(pages), last) << "the place of the slabs is free";
  memory.giveBackPages(pages, std::size_t{8} << 20);
}

TEST(FixedMemory, WhereTheAddressIsTakenMemoryLiesElsewhere) {
  void* const other = mmap(reinterpret_cast<void*>(here), 4096, PROT_READ,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  ASSERT_EQ(other, reinterpret_cast<void*>(here));
  {
    FixedMemory memory(here);
    std::byte* const pages = memory.takePages(1 << 20);
    ASSERT_NE(pages, nullptr);
    EXPECT_NE(addressOf(pages), here);
    pages[0] = std::byte{1};
    memory.giveBackPages(pages, 1 << 20);
    EXPECT_NE(memory.takeBlock(64), nullptr);
  }
  munmap(other, 4096);
}

} // namespace
} // namespace heddle::engine
