// SPDX-License-Identifier: Apache-2.0
//
// The body of a kernel as a function that each thread calls: once, so that threads which return are
// there at the kernel's end; or for several blocks one after the other, so that fewer blocks have
// something to hand in.
//
//   if (i >= n)                      heddle::for_tiles<8>([&](uint3 blockIdx) {
//     return;               ==>        if (i >= n)
//   ...                                  return;
//                                      ...
//                                    });
#pragma once

#include "rewrite/Rewrite.h"
#include "rewrite/launches/FewerBlocks.h"

#include <optional>
#include <string>

namespace heddle::rewrite::aggregate {

struct TiledBody {
  int tiles = 1;
  bool isWrapped = false; ///< also where there is one tile
  std::string blocks{};   ///< says how many there were; empty: the launch has them all

  /// In front of the body; behind it.
  std::string begin() const;
  std::string end() const;
};

/// Whether the body may be a function at all: its threads do not wait for one another.
bool mayBeWrapped(const Source& source, const clang::FunctionDecl& kernel);
/// Whether a block may do what several do: the kernel alone asks which block it is, and changes no
/// parameter.
bool mayHaveTiles(const Source& source, const clang::FunctionDecl& kernel);

/// A launch of that many blocks fewer, where nobody asks for the grid; nothing for one tile.
std::optional<FewerBlocks> fewerBlocksFor(const Source& source, const clang::FunctionDecl& kernel,
                                          int tiles);
/// Where the launch has all its blocks, those whose tiles another block does leave at once.
std::string leaveWithoutTiles(int tiles, const std::string& indent, const std::string& unit);

/// As many as leave enough blocks for all multiprocessors; 0: none.
int tilesWorthTrying(const Measured& measured);

} // namespace heddle::rewrite::aggregate
