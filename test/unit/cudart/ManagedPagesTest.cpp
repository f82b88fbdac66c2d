// SPDX-License-Identifier: Apache-2.0
#include "cudart/ManagedPages.h"

#include "ApiFixture.h"
#include "cudart/Runtime.h"

#include <cstring>

namespace heddle::cudart {
namespace {

constexpr std::size_t pieceBytes = ManagedPages::pieceBytes;

class ManagedPagesTest : public testing::Test {
protected:
  ManagedPagesTest() {
    auto* const begin = memory_.allocate(MemoryKind::Managed, size, "cudaMallocManaged");
    data = static_cast<unsigned char*>(begin);
    pages.look(memory_);
  }

  /// What a kernel that touches a part finds elsewhere.
  ManagedPages::Moved launch(RegionPart part = {0, size}, std::uint64_t mostPieces = 1000) {
    pages.look(memory_);
    const ManagedPages::Moved moved =
        pages.touch(*memory_.find(data), part, mostPieces,
                    [&](const std::byte*, std::size_t) { return stays; });
    if (writes)
      ++data[part.first];
    pages.keep();
    return moved;
  }

  static constexpr std::size_t size = 4 * pieceBytes + 100;
  Memory memory_{std::uint64_t{8} << 30, true};
  ManagedPages pages{poisonByte};
  unsigned char* data = nullptr;
  bool writes = false, stays = false;
};

TEST_F(ManagedPagesTest, NewMemoryIsNobodysUntilItIsTouched) {
  const ManagedPages::Moved moved = launch();
  EXPECT_EQ(moved.fresh, size);
  EXPECT_EQ(moved.written, 0u);
  EXPECT_EQ(launch().bytes(), 0u);
}

TEST_F(ManagedPagesTest, WhatTheHostWroteIsItsOwn) {
  std::memset(data, 1, size);
  EXPECT_EQ(launch().written, size);
  EXPECT_EQ(launch().bytes(), 0u);
  data[pieceBytes + 5] = 9;
  EXPECT_EQ(launch().written, pieceBytes) << "one byte, one piece";
  data[size - 1] = 9;
  EXPECT_EQ(launch().written, 100u) << "the last one is short";
  EXPECT_EQ(launch().bytes(), 0u);
}

TEST_F(ManagedPagesTest, WhatAKernelWritesIsTheDevices) {
  writes = true;
  launch();
  EXPECT_EQ(launch().bytes(), 0u);
}

TEST_F(ManagedPagesTest, OnlyWhatIsTouchedMoves) {
  std::memset(data, 1, size);
  EXPECT_EQ(launch({pieceBytes + 10, pieceBytes + 20}).written, pieceBytes);
  EXPECT_EQ(launch({pieceBytes, pieceBytes + 1}).bytes(), 0u);
  EXPECT_EQ(launch({0, size}, 2).written, 2 * pieceBytes) << "as many pieces as there are accesses";
  EXPECT_EQ(launch().written, pieceBytes + 100);
}

TEST_F(ManagedPagesTest, APrefetchBringsItBefore) {
  std::memset(data, 1, size);
  pages.look(memory_);
  const Region& region = *memory_.find(data);
  EXPECT_EQ(pages.move(region, {0, 2 * pieceBytes}, PageSide::Device), 2 * pieceBytes);
  EXPECT_EQ(launch().written, size - 2 * pieceBytes);
  pages.look(memory_);
  EXPECT_EQ(pages.move(region, {0, pieceBytes}, PageSide::Host), pieceBytes);
  EXPECT_EQ(launch().written, pieceBytes);
}

TEST_F(ManagedPagesTest, WhatTheProgramWantsToStayDoesNotMove) {
  std::memset(data, 1, size);
  stays = true;
  EXPECT_EQ(launch().bytes(), 0u);
  stays = false;
  EXPECT_EQ(launch().written, size);
}

TEST_F(ManagedPagesTest, AnotherAllocationAtTheSamePlaceIsNew) {
  std::memset(data, 1, size);
  launch();
  memory_.release(data, MemoryKind::Managed);
  data =
      static_cast<unsigned char*>(memory_.allocate(MemoryKind::Managed, size, "cudaMallocManaged"));
  EXPECT_EQ(launch().fresh, size);
}

TEST_F(ManagedPagesTest, MoreIsNotComparedThanTheKernelsAreWorth) {
  launch();
  const std::uint64_t afforded = (std::uint64_t{4} << 30) / (2 * size); // and more than are left
  for (std::uint64_t i = 0; i < afforded; ++i)
    pages.look(memory_);
  pages.look(memory_);
  data[0] = 9;
  EXPECT_EQ(launch().bytes(), 0u) << "nobody has looked";
  pages.earn(std::uint64_t{1} << 30);
  EXPECT_EQ(launch().bytes(), 0u) << "what was there is not known";
  data[0] = 10;
  EXPECT_EQ(launch().written, pieceBytes);
}

TEST_F(ManagedPagesTest, WhatIsTooLargeToCompareKeepsNobodyElseFromIt) {
  const Region& large = *memory_.find(
      memory_.allocate(MemoryKind::Managed, std::size_t{5} << 30, "cudaMallocManaged"));
  launch();
  *large.begin = std::byte{1};
  data[0] = 1;
  EXPECT_EQ(launch().written, pieceBytes);
  const auto moved =
      pages.touch(large, {0, 1}, 1, [](const std::byte*, std::size_t) { return false; });
  EXPECT_EQ(moved.fresh, pieceBytes) << "nobody has looked";
}

using ManagedCopies = ApiTest;

TEST_F(ManagedCopies, CopiesAndFillsAreTheDevicesWrites) {
  void* memory = nullptr;
  std::vector<char> host(pieceBytes, 3);
  ASSERT_EQ(cudaMallocManaged(&memory, 2 * pieceBytes, cudaMemAttachGlobal), cudaSuccess);
  Runtime& runtime = Runtime::instance();
  const Region& region = *runtime.memory.find(memory);
  const auto touched = [&](RegionPart part) {
    runtime.managed.look(runtime.memory);
    const auto moved = runtime.managed.touch(region, part, 100,
                                             [](const std::byte*, std::size_t) { return false; });
    runtime.managed.keep();
    return moved;
  };
  ASSERT_EQ(cudaMemset(memory, 1, pieceBytes), cudaSuccess);
  EXPECT_EQ(touched({0, pieceBytes}).bytes(), 0u);
  EXPECT_EQ(touched({0, 2 * pieceBytes}).fresh, pieceBytes);
  ASSERT_EQ(cudaMemcpy(memory, host.data(), host.size(), cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(touched({0, pieceBytes}).bytes(), 0u);
  ASSERT_EQ(cudaMemcpy(memory, host.data(), 10, cudaMemcpyHostToHost), cudaSuccess);
  EXPECT_EQ(touched({0, pieceBytes}).bytes(), 0u) << "the same bytes as before";
  host[3] = 7;
  ASSERT_EQ(cudaMemcpy(memory, host.data(), 10, cudaMemcpyHostToHost), cudaSuccess);
  EXPECT_EQ(touched({0, pieceBytes}).written, pieceBytes);
}

TEST_F(ManagedCopies, APrefetchTakesTheTimeOfItsBytes) {
  void* memory = nullptr;
  cudaEvent_t before = nullptr, after = nullptr;
  float first = 0, second = 0;
  constexpr std::size_t size = 4 << 20;
  ASSERT_EQ(cudaMallocManaged(&memory, size, cudaMemAttachGlobal), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&before), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&after), cudaSuccess);
  std::memset(memory, 1, size);
  for (float* const milliseconds : {&first, &second}) {
    ASSERT_EQ(cudaEventRecord(before, nullptr), cudaSuccess);
    ASSERT_EQ(cudaMemPrefetchAsync(memory, size, 0, nullptr), cudaSuccess);
    ASSERT_EQ(cudaEventRecord(after, nullptr), cudaSuccess);
    ASSERT_EQ(cudaEventElapsedTime(milliseconds, before, after), cudaSuccess);
  }
  EXPECT_NEAR(first, 0.136, 0.001);
  EXPECT_EQ(second, 0) << "it is there";
}

} // namespace
} // namespace heddle::cudart
