// SPDX-License-Identifier: Apache-2.0
#include "rewrite/launches/GridText.h"

namespace heddle::rewrite {
namespace {

using clang::Expr;

/// Whether it binds less than a sum.
bool isLoose(const Expr& expression) {
  const Expr* bare = expression.IgnoreImplicit();
  if (const auto* both = llvm::dyn_cast<clang::BinaryOperator>(bare))
    return !both->isAdditiveOp() && !both->isMultiplicativeOp();
  return llvm::isa<clang::AbstractConditionalOperator>(bare);
}

} // namespace

const Expr* namedDim3(const Expr& value) {
  const Expr& bare = withoutCopies(value);
  return llvm::isa<clang::DeclRefExpr>(bare) && isDim3(bare.getType()) ? &bare : nullptr;
}

std::optional<WrittenGrid> writtenGrid(const Source& source, const HostValues& values,
                                       const clang::CUDAKernelCallExpr& launch) {
  const Expr* text = launch.getConfig()->getArg(0);
  const auto range = source.rangeOf(text->getSourceRange());
  if (!range)
    return std::nullopt;
  return WrittenGrid{*range, text, values.dim3Of(*text)};
}

std::string piecesText(const Expr& expression, const std::string& text, int size) {
  return fmt::format("({} + {}) / {}", isLoose(expression) ? "(" + text + ")" : text, size - 1,
                     size);
}

std::optional<DividedGrid> dividedGrid(const Source& source, const WrittenGrid& grid, int count) {
  const std::string all = source.textOf(grid.gridRange);
  if (namedDim3(*grid.gridText) != nullptr) {
    const std::string x = piecesText(*namedDim3(*grid.gridText), all + ".x", count);
    return DividedGrid{grid.isRow() ? x : fmt::format("dim3({}, {}.y, {}.z)", x, all, all),
                       all + ".x"};
  }
  const Expr* first = grid.grid ? grid.grid->axes[0] : nullptr;
  const auto part = first != nullptr ? source.rangeOf(first->getSourceRange()) : std::nullopt;
  if (!part || grid.grid->since.isValid() || !grid.gridRange.contains(*part))
    return std::nullopt;
  const std::string blocks = source.textOf(*part);
  const std::string divided = piecesText(*first, blocks, count);
  if (grid.isRow())
    return DividedGrid{divided, blocks};
  Edits edits;
  edits.replace(*part, divided);
  return DividedGrid{edits.apply(source.text(), grid.gridRange), blocks};
}

} // namespace heddle::rewrite
