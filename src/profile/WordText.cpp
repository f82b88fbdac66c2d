// SPDX-License-Identifier: Apache-2.0
#include "profile/WordText.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace heddle::profile {
namespace {

constexpr std::uint32_t freshWord = 0x7f7f7f7f; ///< device memory that nobody has written
constexpr std::size_t mostLookedAt = 4096;      ///< bytes
constexpr double smallestUsual = 1e-12, largestUsual = 1e12;
constexpr std::int64_t largestUsualInteger = 1 << 24;

template <class T> T valueAt(std::span<const std::byte> memory, std::size_t offset) {
  T value;
  std::memcpy(&value, memory.data() + offset, sizeof value);
  return value;
}

bool isUsual(double value) {
  return std::abs(value) >= smallestUsual && std::abs(value) <= largestUsual;
}

} // namespace

/// The lower half of a double is noise, unless it is zero: one in three looks like a usual float,
/// and hardly any like a usual int.
WordType guessType(std::span<const std::byte> memory) {
  int integers = 0, floats = 0, doubles = 0, rounded = 0;
  const std::size_t end = std::min(memory.size(), mostLookedAt) / 8 * 8;
  for (std::size_t offset = 0; offset < end; offset += 8) {
    const auto low = valueAt<std::uint32_t>(memory, offset);
    const auto high = valueAt<std::uint32_t>(memory, offset + 4);
    if (low == freshWord || high == freshWord)
      continue;
    if (low == 0)
      rounded += isUsual(valueAt<double>(memory, offset)) ? 1 : 0;
    else if (isUsual(double(valueAt<float>(memory, offset))))
      ++floats;
    else if (std::abs(std::int64_t(valueAt<std::int32_t>(memory, offset))) < largestUsualInteger)
      ++integers;
    else
      ++doubles;
  }
  if (2 * (doubles + rounded) > floats + integers)
    return WordType::Double;
  return floats > integers ? WordType::Float : WordType::Integer;
}

std::string wordText(std::span<const std::byte> memory, std::size_t offset, WordType type) {
  if (type == WordType::Double && offset / 8 * 8 + 8 <= memory.size()) {
    const auto bits = valueAt<std::uint64_t>(memory, offset / 8 * 8);
    return fmt::format("{} ({:#018x})", valueAt<double>(memory, offset / 8 * 8), bits);
  }
  std::array<std::byte, 4> word{};
  std::copy_n(memory.begin() + std::ptrdiff_t(offset),
              std::min(word.size(), memory.size() - offset), word.begin());
  const auto bits = valueAt<std::uint32_t>(word, 0);
  if (bits == freshWord)
    return fmt::format("never written ({:#010x})", bits);
  return type == WordType::Integer ? fmt::format("{} ({:#010x})", std::int32_t(bits), bits)
                                   : fmt::format("{} ({:#010x})", valueAt<float>(word, 0), bits);
}

} // namespace heddle::profile
