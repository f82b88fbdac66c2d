// SPDX-License-Identifier: Apache-2.0
//
// The grid of a launch, as the host writes it, and what it writes in place of it for fewer blocks.
#pragma once

#include "rewrite/code/Source.h"
#include "rewrite/launches/HostValues.h"

#include <clang/AST/ExprCXX.h>

#include <optional>
#include <string>

namespace heddle::rewrite {

struct WrittenGrid {
  Range gridRange;                       ///< of the text
  const clang::Expr* gridText = nullptr; ///< as it stands there
  std::optional<HostValues::Dim3> grid;  ///< nothing: not known by axis

  /// Whether the grid has one axis.
  bool isRow() const { return grid && grid->axes[1] == nullptr && grid->axes[2] == nullptr; }
};

/// Nothing where a macro or another file has it.
std::optional<WrittenGrid> writtenGrid(const Source& source, const HostValues& values,
                                       const clang::CUDAKernelCallExpr& launch);

struct DividedGrid {
  std::string text;
  std::string blocks; ///< how many there were along x
};

/// A block for each `count` of them along x. Nothing where the text cannot be taken apart.
std::optional<DividedGrid> dividedGrid(const Source& source, const WrittenGrid& grid, int count);

/// The dim3 that is named; nullptr: it is no name.
const clang::Expr* namedDim3(const clang::Expr& value);

/// "(n + 127) / 128", of an expression's text.
std::string piecesText(const clang::Expr& expression, const std::string& text, int size);

} // namespace heddle::rewrite
