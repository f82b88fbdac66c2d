// SPDX-License-Identifier: Apache-2.0
//
// What the host writes at a launch in place of a grid and a block.
#pragma once

#include "rewrite/reshape/LaunchShape.h"

#include <optional>
#include <string>

namespace heddle::rewrite::reshape {

struct DividedGrid {
  std::string text;
  std::string blocks; ///< how many there were along x
};

/// The grid for packs of that many blocks. Nothing where its text cannot be taken apart.
std::optional<DividedGrid> dividedGrid(const Source& source, const LaunchShape& shape, int count);

/// The block with one axis more.
std::string packedBlock(const Source& source, const LaunchShape& shape, std::size_t axis,
                        int count);

/// "(n + 127) / 128", of an expression's text.
std::string piecesText(const clang::Expr& expression, const std::string& text, int size);

} // namespace heddle::rewrite::reshape
