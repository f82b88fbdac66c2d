// SPDX-License-Identifier: Apache-2.0
#include "engine/DeviceMemory.h"

#include "profile/KernelTrace.h"

#include <gtest/gtest.h>

namespace heddle::engine {
namespace {

TEST(DevicePlaces, DoNotDependOnTheHostsAddresses) {
  DevicePlaces one, other;
  for (const std::uint64_t size : {1, 256, 300, 5000})
    EXPECT_EQ(one.take(0x7f00'0000'1000 - size * 4096, size), other.take(size * 4096, size));
}

TEST(DevicePlaces, AreApartAndLieToLinesAsTheAddressesDo) {
  DevicePlaces places;
  EXPECT_EQ(places.take(0x1000, 10), 0U);
  EXPECT_EQ(places.take(0x2010, 250), 256U + 16);
  EXPECT_EQ(places.take(0x3000, 1), 768U);
}

TEST(DevicePlaces, AreUsedAgain) {
  DevicePlaces places;
  const std::uint64_t first = places.take(0, 256), second = places.take(0, 256),
                      third = places.take(0, 256);
  places.giveBack(second, 256);
  places.giveBack(first, 256);
  EXPECT_EQ(places.take(0, 512), first) << "two that lie side by side are one";
  places.giveBack(third, 256);
  EXPECT_EQ(places.take(0, 4096), third);
}

TEST(DeviceHeap, PiecesShareNoLineOfTheCaches) {
  DeviceHeap heap;
  for (const std::size_t size : {1, 16, 128, 200})
    EXPECT_EQ(reinterpret_cast<std::uint64_t>(heap.allocate(size)) % profile::lineBytes, 0U);
}

} // namespace
} // namespace heddle::engine
