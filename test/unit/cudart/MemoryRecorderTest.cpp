// SPDX-License-Identifier: Apache-2.0
#include "cudart/MemoryRecorder.h"

#include "profile/CompareRecords.h"
#include "support/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

namespace heddle::cudart {
namespace {

constexpr std::size_t plenty = std::size_t{1} << 30;

class RecordedMemory : public testing::Test {
protected:
  RecordedMemory() : folder_(*TemporaryFolder::make()) {}

  using Program = std::function<void(Memory&, MemoryRecorder&)>;

  std::filesystem::path run(const std::string& name, const Program& program) const {
    const std::filesystem::path path = folder_.path() / name;
    auto recorder = MemoryRecorder::create(path);
    EXPECT_TRUE(recorder) << recorder.error().message;
    Memory memory(plenty, true);
    memory.observe(**recorder);
    program(memory, **recorder);
    EXPECT_TRUE((*recorder)->end(memory, ""));
    memory.releaseAll();
    return path;
  }

  static std::optional<profile::RecordDifference> compare(const std::filesystem::path& before,
                                                          const std::filesystem::path& after) {
    const auto result = profile::compareRecords(before, after);
    EXPECT_TRUE(result) << result.error().message;
    return result ? result->difference : std::nullopt;
  }

  TemporaryFolder folder_;
};

TEST_F(RecordedMemory, WhatIsLeftCounts) {
  const auto leave = [](int value) {
    return [value](Memory& memory, MemoryRecorder&) {
      memory.allocate(MemoryKind::Device, 100, "cudaMalloc");
      void* const second = memory.allocate(MemoryKind::Device, 100, "cudaMalloc");
      std::memset(static_cast<char*>(second) + 40, value, 4);
    };
  };
  const auto before = run("before", leave(1));
  EXPECT_FALSE(compare(before, run("same", leave(1))));
  const auto difference = compare(before, run("other", leave(2)));
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->beforeRegion, "cudaMalloc #2");
  EXPECT_EQ(difference->offset, 40U);
}

TEST_F(RecordedMemory, FreedDeviceMemoryDoesNotCountAndManagedMemoryDoes) {
  const auto freeOne = [](MemoryKind kind, int value) {
    return [kind, value](Memory& memory, MemoryRecorder&) {
      void* const one = memory.allocate(kind, 64, "some");
      std::memset(one, value, 64);
      memory.release(one, kind);
    };
  };
  EXPECT_FALSE(
      compare(run("a", freeOne(MemoryKind::Device, 1)), run("b", freeOne(MemoryKind::Device, 2))));
  EXPECT_TRUE(compare(run("a", freeOne(MemoryKind::Managed, 1)),
                      run("b", freeOne(MemoryKind::Managed, 2))));
  EXPECT_TRUE(
      compare(run("a", freeOne(MemoryKind::Pinned, 1)), run("b", freeOne(MemoryKind::Pinned, 2))));
}

TEST_F(RecordedMemory, TheTenthIsLeftBehindTheSecond) {
  const auto path = run("one", [](Memory& memory, MemoryRecorder&) {
    for (int i = 0; i < 11; ++i)
      memory.allocate(MemoryKind::Device, 8, "cudaMalloc");
  });
  auto reader = profile::RecordReader::open(path);
  ASSERT_TRUE(reader);
  int expected = 0;
  for (;;) {
    const auto entry = reader->next();
    ASSERT_TRUE(entry && *entry);
    if ((*entry)->kind == profile::RecordKind::Ended)
      break;
    if ((*entry)->kind == profile::RecordKind::Left) {
      EXPECT_EQ((*entry)->region, fmt::format("cudaMalloc #{}", ++expected));
    }
  }
  EXPECT_EQ(expected, 11);
}

TEST_F(RecordedMemory, ConstantsAreNotKept) {
  const auto hold = [](char value, bool constant) {
    return [value, constant](Memory& memory, MemoryRecorder& recorder) {
      static std::byte variable{};
      variable = std::byte(value);
      memory.addVariable(&variable, 1, "v", constant);
      recorder.leave(memory);
    };
  };
  EXPECT_FALSE(compare(run("a", hold(1, true)), run("b", hold(2, true))));
  EXPECT_TRUE(compare(run("a", hold(1, false)), run("b", hold(2, false))));
}

} // namespace
} // namespace heddle::cudart
