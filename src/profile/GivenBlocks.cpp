// SPDX-License-Identifier: Apache-2.0
#include "profile/GivenBlocks.h"

#include "support/Parse.h"

#include <cmath>
#include <limits>

namespace heddle::profile {

Expected<Extent> parseExtent(std::string_view text) {
  Extent extent = {1, 1, 1};
  const std::vector<std::string_view> parts = splitText(text, 'x');
  if (parts.size() > extent.size())
    return fail(ErrorKind::BadInput, "'{}' has {} numbers: expected 1 to 3", text, parts.size());
  for (std::size_t axis = 0; axis < parts.size(); ++axis) {
    const auto number = parseInteger(parts[axis]);
    if (!number || *number < 1 || *number > std::numeric_limits<int>::max())
      return fail(ErrorKind::BadInput, "'{}' is no size such as 128 or 16x8", text);
    extent[axis] = static_cast<int>(*number);
  }
  return extent;
}

std::string writeExtent(const Extent& extent) {
  if (extent[2] > 1)
    return fmt::format("{}x{}x{}", extent[0], extent[1], extent[2]);
  return extent[1] > 1 ? fmt::format("{}x{}", extent[0], extent[1]) : fmt::format("{}", extent[0]);
}

Expected<GivenBlocks> parseGivenBlocks(std::string_view text) {
  GivenBlocks given;
  if (text.empty())
    return given;
  for (const std::string_view part : splitText(text, ';')) {
    const std::size_t equals = part.rfind('='), at = part.rfind('@', equals);
    if (equals == std::string_view::npos || at == std::string_view::npos || at == 0)
      return fail(ErrorKind::BadInput, "'{}' is not KERNEL@SIZE=BLOCK", part);
    const auto size = parseInteger(part.substr(at + 1, equals - at - 1));
    if (!size || *size < 0)
      return fail(ErrorKind::BadInput, "'{}': its size is no whole number", part);
    HEDDLE_TRY(const Extent block, parseExtent(part.substr(equals + 1)));
    given.push_back({std::string(part.substr(0, at)), std::uint64_t(*size), block});
  }
  return given;
}

std::string writeGivenBlocks(const GivenBlocks& given) {
  std::string text;
  for (const GivenBlock& each : given)
    text += fmt::format("{}{}@{}={}", text.empty() ? "" : ";", each.kernel, each.size,
                        writeExtent(each.block));
  return text;
}

const GivenBlock* nearestBlock(const GivenBlocks& given, std::string_view kernel,
                               std::uint64_t size) {
  const auto logarithm = [](std::uint64_t number) { return std::log(double(number) + 1); };
  const GivenBlock* nearest = nullptr;
  double least = 0;
  for (const GivenBlock& each : given) {
    const double away = std::abs(logarithm(each.size) - logarithm(size));
    if (each.kernel == kernel && (nearest == nullptr || away < least)) {
      nearest = &each;
      least = away;
    }
  }
  return nearest;
}

Extent coveringGrid(const Extent& grid, const Extent& block, const Extent& wanted) {
  Extent blocks = {1, 1, 1};
  for (std::size_t axis = 0; axis < blocks.size(); ++axis) {
    const std::int64_t threads = std::int64_t{grid[axis]} * block[axis];
    blocks[axis] = static_cast<int>((threads + wanted[axis] - 1) / wanted[axis]);
  }
  return blocks;
}

std::uint64_t threadsOf(const Extent& extent) {
  return std::uint64_t(extent[0]) * std::uint64_t(extent[1]) * std::uint64_t(extent[2]);
}

} // namespace heddle::profile
