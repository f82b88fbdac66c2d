// SPDX-License-Identifier: Apache-2.0
#include "tune/Space.h"

#include "support/Parse.h"

#include <algorithm>
#include <cassert>

namespace heddle::tune {
namespace {

constexpr int flat[] = {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024};
constexpr int shapes[][2] = {{8, 8},   {8, 16},  {8, 32},  {16, 4}, {16, 8},  {16, 16},
                             {16, 32}, {32, 2},  {32, 4},  {32, 8}, {32, 16}, {32, 32},
                             {64, 1},  {64, 2},  {64, 4},  {64, 8}, {128, 1}, {128, 2},
                             {128, 4}, {256, 1}, {256, 2}, {512, 1}};

} // namespace

std::size_t Space::size() const {
  std::size_t count = 1;
  for (const Parameter& parameter : parameters)
    count *= parameter.values.size();
  return count;
}

profile::Extent Space::blockOf(const Point& point) const {
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].kind == ParameterKind::Block && point[i] > 0)
      return profile::parseExtent(parameters[i].values[point[i]]).value_or(ownBlock);
  const auto learned = blockByMacros.find(macrosOf(point));
  return learned == blockByMacros.end() ? ownBlock : learned->second;
}

Point Space::macrosOf(const Point& point) const {
  Point values = point;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].kind != ParameterKind::Macro)
      values[i] = 0;
  return values;
}

void Space::learnBlock(const Point& point, const profile::Extent& block) {
  const bool isOwn = std::ranges::none_of(parameters, [&](const Parameter& parameter) {
    return parameter.kind == ParameterKind::Block &&
           point[std::size_t(&parameter - parameters.data())] > 0;
  });
  if (isOwn)
    blockByMacros[macrosOf(point)] = block;
}

int Space::residentOf(const Point& point) const {
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].kind == ParameterKind::Resident)
      return static_cast<int>(parseInteger(parameters[i].values[point[i]]).value_or(0));
  return 0;
}

Configuration Space::configurationOf(const Point& point) const {
  assert(point.size() == parameters.size() && "a point has a value of each parameter");
  Configuration result;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (point[i] == 0)
      continue;
    const std::string& value = parameters[i].values[point[i]];
    switch (parameters[i].kind) {
    case ParameterKind::Block:
      result.block = blockOf(point);
      break;
    case ParameterKind::Resident:
      result.bounds = residentOf(point) / static_cast<int>(profile::threadsOf(blockOf(point)));
      break;
    case ParameterKind::Macro:
      result.macros[parameters[i].name] = value;
      break;
    default:
      result.values[parameters[i].name] = value;
    }
  }
  return result;
}

std::vector<Point> Space::all() const {
  std::vector<Point> points = {own()};
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::size_t known = points.size();
    for (std::size_t value = 1; value < parameters[i].values.size(); ++value)
      for (std::size_t at = 0; at < known; ++at) {
        Point point = points[at];
        point[i] = value;
        points.push_back(std::move(point));
      }
  }
  return points;
}

std::vector<profile::Extent> usualBlocks(const profile::Extent& own, int mostThreads) {
  std::vector<profile::Extent> blocks;
  if (own[2] > 1)
    return blocks;
  if (own[1] == 1)
    for (const int threads : flat)
      blocks.push_back({threads, 1, 1});
  else
    for (const auto& [x, y] : shapes)
      blocks.push_back({x, y, 1});
  std::erase_if(blocks, [&](const profile::Extent& block) {
    return block == own || profile::threadsOf(block) > std::uint64_t(mostThreads);
  });
  return blocks;
}

} // namespace heddle::tune
