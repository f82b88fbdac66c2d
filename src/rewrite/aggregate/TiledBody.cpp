// SPDX-License-Identifier: Apache-2.0
#include "rewrite/aggregate/TiledBody.h"

#include "rewrite/aggregate/KeptWords.h"
#include "rewrite/code/Communication.h"
#include "rewrite/code/ThreadIndex.h"

#include <algorithm>

namespace heddle::rewrite::aggregate {
namespace {

constexpr double enoughBlocks = 8; ///< that work, for each multiprocessor

bool callsReadIndex(const clang::FunctionDecl& kernel) {
  return !findItemIndex(*kernel.getBody()).calls.empty();
}

} // namespace

std::string TiledBody::begin() const {
  if (tiles > 1)
    return fmt::format("heddle::for_tiles<{}>({}[&](uint3 blockIdx) {{", tiles,
                       blocks.empty() ? "" : blocks + ", ");
  return isWrapped ? "[&] {" : "";
}

std::string TiledBody::end() const {
  if (tiles > 1)
    return "});";
  return isWrapped ? "}();" : "";
}

bool mayBeWrapped(const Source& source, const clang::FunctionDecl& kernel) {
  return std::ranges::all_of(instancesOf(kernel), [&](const clang::FunctionDecl* each) {
    return refuseCommunication(source, *each->getBody()).has_value();
  });
}

bool mayHaveTiles(const Source& source, const clang::FunctionDecl& kernel) {
  return mayBeWrapped(source, kernel) && modifiedParameters(kernel).empty() &&
         std::ranges::none_of(instancesOf(kernel), [](const clang::FunctionDecl* each) {
           return callsReadIndex(*each);
         });
}

std::optional<FewerBlocks> fewerBlocksFor(const Source& source, const clang::FunctionDecl& kernel,
                                          int tiles) {
  if (tiles == 1 || asksForGrid(*kernel.getBody()))
    return std::nullopt;
  return fewerBlocks(source, kernel, tiles, Told::Shape);
}

std::string leaveWithoutTiles(int tiles, const std::string& indent, const std::string& unit) {
  return fmt::format("if (!heddle::has_tiles<{}>())\n{}{}return;\n{}", tiles, indent, unit, indent);
}

int tilesWorthTrying(const Measured& measured) {
  constexpr int most = 16;
  if (measured.blocks == 0 || measured.multiprocessors == 0)
    return most / 2;
  for (int tiles = most; tiles > 2; tiles /= 2)
    if (measured.blocks >= enoughBlocks * tiles * measured.multiprocessors)
      return tiles;
  return 0;
}

} // namespace heddle::rewrite::aggregate
