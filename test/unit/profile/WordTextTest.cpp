// SPDX-License-Identifier: Apache-2.0
#include "profile/WordText.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace heddle::profile {
namespace {

template <class T> WordType typeOf(const std::vector<T>& values) {
  return guessType(std::as_bytes(std::span(values)));
}

/// How often so many numbers are taken for what they are.
template <class T> int known(std::size_t count, WordType type) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> places(-25, 10);
  int right = 0;
  for (int i = 0; i < 1000; ++i) {
    std::vector<T> values(count);
    for (T& value : values)
      value = T(std::exp(places(random)));
    right += typeOf(values) == type ? 1 : 0;
  }
  return right;
}

TEST(WordText, FewNumbersAreTakenForWhatTheyAre) {
  // The lower half of a double looks like a usual float one time in three.
  EXPECT_GT(known<double>(16, WordType::Double), 990);
  EXPECT_EQ(known<double>(500, WordType::Double), 1000);
  EXPECT_EQ(known<float>(16, WordType::Float), 1000);
  EXPECT_EQ(known<float>(500, WordType::Float), 1000);
}

TEST(WordText, WholeNumbers) {
  EXPECT_EQ(typeOf(std::vector<int>{1, 2, 3, 400, -5, 6, 7, 8}), WordType::Integer);
  EXPECT_EQ(typeOf(std::vector<double>{1, 2, 3, 400, -5, 6, 7, 8}), WordType::Double);
}

} // namespace
} // namespace heddle::profile
