// SPDX-License-Identifier: Apache-2.0
#include "cudart/Memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace heddle::cudart {
namespace {

constexpr std::uint64_t capacity = std::uint64_t{1} << 20;

std::uint64_t addressOf(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

TEST(Memory, AllocationsAreAlignedAndApart) {
  Memory memory(capacity, true);
  std::vector<std::uint64_t> begins;
  for (const std::size_t size : {1, 255, 256, 257, 1000})
    begins.push_back(addressOf(memory.allocate(MemoryKind::Device, size, "cudaMalloc")));
  std::sort(begins.begin(), begins.end());
  for (const std::uint64_t begin : begins) {
    EXPECT_EQ(begin % 256, 0U);
    const Region* region = memory.find(reinterpret_cast<void*>(begin));
    ASSERT_NE(region, nullptr);
    const auto next = std::upper_bound(begins.begin(), begins.end(), begin);
    if (next != begins.end()) {
      EXPECT_GE(*next, begin + region->size + 256);
    }
  }
}

TEST(Memory, FreshDeviceMemoryIsPoisoned) {
  Memory memory(capacity, true);
  float value = 0;
  std::memcpy(&value, memory.allocate(MemoryKind::Device, 4, "cudaMalloc"), sizeof value);
  EXPECT_GT(value, 1e38F); // and no NaN: comparisons with NaN hide mistakes
  const auto* managed =
      static_cast<unsigned char*>(memory.allocate(MemoryKind::Managed, 1, "cudaMallocManaged"));
  EXPECT_EQ(*managed, poisonByte);
  const auto* pinned =
      static_cast<unsigned char*>(memory.allocate(MemoryKind::Pinned, 1, "cudaMallocHost"));
  EXPECT_EQ(*pinned, 0);
}

TEST(Memory, PoisonCanBeSwitchedOff) {
  Memory memory(capacity, false);
  const auto* bytes =
      static_cast<unsigned char*>(memory.allocate(MemoryKind::Device, 64, "cudaMalloc"));
  EXPECT_TRUE(std::all_of(bytes, bytes + 64, [](unsigned char byte) { return byte == 0; }));
}

TEST(Memory, LargeBlocksArePoisonedWithoutBeingTouched) {
  const std::size_t size = std::size_t{5} << 30;
  const RawBlock block = allocateRaw(size, Fill::Poison);
  ASSERT_NE(block.begin, nullptr);
  for (const std::size_t offset : {std::size_t{0}, size / 2, (std::size_t{32} << 20) - 1, size - 1})
    EXPECT_EQ(std::to_integer<int>(block.begin[offset]), poisonByte);
  block.begin[size / 2] = std::byte{1};
  EXPECT_EQ(std::to_integer<int>(block.begin[size / 2 + (std::size_t{32} << 20)]), poisonByte);
  releaseRaw(block);
}

TEST(Memory, DeviceMemoryEndsAtItsCapacity) {
  Memory memory(1000, true);
  EXPECT_EQ(memory.allocate(MemoryKind::Device, 1001, "cudaMalloc"), nullptr);
  void* const first = memory.allocate(MemoryKind::Device, 600, "cudaMalloc");
  EXPECT_EQ(memory.used(), 600U);
  EXPECT_EQ(memory.allocate(MemoryKind::Managed, 401, "cudaMallocManaged"), nullptr);
  EXPECT_NE(memory.allocate(MemoryKind::Pinned, 5000, "cudaMallocHost"), nullptr);
  EXPECT_TRUE(memory.release(first, MemoryKind::Device));
  EXPECT_EQ(memory.used(), 0U);
  EXPECT_NE(memory.allocate(MemoryKind::Managed, 401, "cudaMallocManaged"), nullptr);
}

TEST(Memory, ARangeIsKnownOnlyInsideOneRegion) {
  Memory memory(capacity, true);
  auto* const begin =
      static_cast<std::byte*>(memory.allocate(MemoryKind::Device, 100, "cudaMalloc"));
  int host = 0;
  EXPECT_EQ(memory.classify(begin, 100), RangeKind::Known);
  EXPECT_EQ(memory.classify(begin + 99, 1), RangeKind::Known);
  EXPECT_EQ(memory.classify(begin, 101), RangeKind::Outside);
  EXPECT_EQ(memory.classify(begin + 100, 1), RangeKind::Outside);
  EXPECT_EQ(memory.classify(&host, sizeof host), RangeKind::Pageable);
  EXPECT_TRUE(memory.release(begin, MemoryKind::Device));
  EXPECT_EQ(memory.classify(begin, 100), RangeKind::Pageable);
}

TEST(Memory, OnlyTheBeginningAndTheRightKindAreReleased) {
  Memory memory(capacity, true);
  auto* const begin =
      static_cast<std::byte*>(memory.allocate(MemoryKind::Device, 100, "cudaMalloc"));
  EXPECT_FALSE(memory.release(begin + 1, MemoryKind::Device));
  EXPECT_FALSE(memory.release(begin, MemoryKind::Pinned));
  EXPECT_TRUE(memory.release(begin, MemoryKind::Device));
  EXPECT_FALSE(memory.release(begin, MemoryKind::Device));
}

TEST(Memory, KernelsSeeWhatIsLive) {
  Memory memory(capacity, true);
  memory.allocate(MemoryKind::Device, 100, "cudaMalloc");
  void* const second = memory.allocate(MemoryKind::Device, 1000, "cudaMalloc");
  const engine::Allocation* allocation = memory.live().find(addressOf(second), 1000);
  ASSERT_NE(allocation, nullptr);
  EXPECT_EQ(allocation->what, "cudaMalloc #2 (1000 bytes)");
  EXPECT_EQ(memory.live().find(addressOf(second), 1001), nullptr);
  memory.release(second, MemoryKind::Device);
  EXPECT_EQ(memory.live().find(addressOf(second), 1), nullptr);
}

TEST(Memory, RegisteredRangesDoNotOverlap) {
  Memory memory(capacity, true);
  std::byte host[100] = {};
  EXPECT_TRUE(memory.addRegistered(host + 10, 50, 0));
  EXPECT_FALSE(memory.addRegistered(host, 11, 0));
  EXPECT_FALSE(memory.addRegistered(host + 59, 1, 0));
  EXPECT_TRUE(memory.addRegistered(host, 10, 0));
  EXPECT_TRUE(memory.addRegistered(host + 60, 40, 0));
  EXPECT_TRUE(memory.release(host + 10, MemoryKind::Registered));
  EXPECT_TRUE(memory.addRegistered(host + 10, 50, 0));
}

} // namespace
} // namespace heddle::cudart
