// SPDX-License-Identifier: Apache-2.0
#include "sassrun/PrivateMemory.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <map>

namespace heddle::sassrun {
namespace {

constexpr std::size_t page = PrivateMemory::pageBytes;

/// Three pages of which some ranges are live.
class SassrunPrivateMemory : public testing::Test {
protected:
  SassrunPrivateMemory() {
    for (std::size_t i = 0; i < bytes_.size(); ++i)
      bytes_[i] = std::uint8_t(i * 7);
  }
  std::uint64_t at(std::size_t offset) const {
    return reinterpret_cast<std::uint64_t>(bytes_.data()) + offset;
  }
  std::uint32_t word(std::size_t offset) const {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  std::uint32_t read(std::size_t offset) {
    std::uint32_t value = 0;
    EXPECT_TRUE(memory_.read(at(offset), &value, sizeof value)) << offset;
    return value;
  }
  bool write(std::size_t offset, std::uint32_t value) {
    return memory_.write(at(offset), &value, sizeof value);
  }

  alignas(page) std::array<std::uint8_t, 3 * page> bytes_ = {};
  std::map<std::size_t, std::size_t> live_ = {{0, 64}, {128, 256}, {1024, 3 * page - 8}};
  MemoryView view_ = [this](std::uint64_t address) {
    for (const auto& [begin, end] : live_)
      if (address >= at(begin) && address < at(end))
        return LiveRange{at(begin), at(end)};
    return LiveRange{};
  };
  PrivateMemory memory_{view_};
};

TEST_F(SassrunPrivateMemory, ReadsThrough) {
  EXPECT_EQ(read(8), word(8));
  bytes_[8] = 200;
  EXPECT_EQ(read(8), word(8));
}

TEST_F(SassrunPrivateMemory, KeepsWritesForItself) {
  const auto before = bytes_;
  ASSERT_TRUE(write(8, 0x12345678));
  EXPECT_EQ(read(8), 0x12345678U);
  EXPECT_EQ(read(12), word(12));
  EXPECT_EQ(bytes_, before);
  memory_.clear();
  EXPECT_EQ(read(8), word(8));
}

TEST_F(SassrunPrivateMemory, AnAccessMayCrossPages) {
  const std::uint64_t value = 0x1122334455667788;
  ASSERT_TRUE(memory_.write(at(page - 4), &value, sizeof value));
  std::uint64_t found = 0;
  ASSERT_TRUE(memory_.read(at(page - 4), &found, sizeof found));
  EXPECT_EQ(found, value);
  EXPECT_EQ(read(page - 8), word(page - 8));
  EXPECT_EQ(read(page + 4), word(page + 4));
}

TEST_F(SassrunPrivateMemory, NotesWhichBytesWereWritten) {
  EXPECT_TRUE(memory_.written().empty());
  PrivateMemory memory(view_, Writes::Noted);
  const std::array<std::uint8_t, 8> bytes = {1, 2, 3, 4, 5, 6, 7, 8};
  ASSERT_TRUE(memory.write(at(page + 12), bytes.data(), 4));
  ASSERT_TRUE(memory.write(at(16), bytes.data(), 2));
  ASSERT_TRUE(memory.write(at(18), bytes.data() + 2, 6));
  const std::vector<WrittenBytes> written = memory.written();
  ASSERT_EQ(written.size(), 2U);
  EXPECT_EQ(written[0].address, at(16));
  ASSERT_EQ(written[0].bytes.size(), 8U);
  EXPECT_EQ(std::memcmp(written[0].bytes.data(), bytes.data(), 8), 0);
  EXPECT_EQ(written[1].address, at(page + 12));
  EXPECT_EQ(written[1].bytes.size(), 4U);
}

/// What lies between two ranges belongs to nobody, and is never touched.
TEST_F(SassrunPrivateMemory, TwoRangesOfOnePageAreTwoParts) {
  ASSERT_TRUE(write(0, 1));
  EXPECT_EQ(read(128), word(128));
  ASSERT_TRUE(write(128, 2));
  EXPECT_EQ(read(0), 1U);
  EXPECT_EQ(read(128), 2U);
  EXPECT_EQ(read(132), word(132));
  std::map<std::uint64_t, std::size_t> parts;
  memory_.forEachPage([&](std::uint64_t address, const std::byte*, std::size_t size) {
    parts[address - at(0)] = size;
  });
  EXPECT_EQ(parts, (std::map<std::uint64_t, std::size_t>{{0, 64}, {128, 128}}));
}

TEST_F(SassrunPrivateMemory, WhatIsNotLiveIsRefused) {
  std::uint64_t value = 0;
  EXPECT_FALSE(memory_.read(at(64), &value, 4));
  EXPECT_FALSE(memory_.write(at(127), &value, 1));
  EXPECT_FALSE(memory_.read(at(60), &value, 8)) << "its end is not live";
  EXPECT_FALSE(memory_.write(at(60), &value, 8));
  EXPECT_FALSE(memory_.read(at(3 * page - 8), &value, 1));
  EXPECT_TRUE(memory_.read(at(56), &value, 8));
  ASSERT_TRUE(write(0, 1));
  EXPECT_FALSE(memory_.read(at(60), &value, 8)) << "also where a page was written";
}

} // namespace
} // namespace heddle::sassrun
