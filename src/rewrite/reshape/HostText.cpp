// SPDX-License-Identifier: Apache-2.0
#include "rewrite/reshape/HostText.h"

#include <clang/AST/ExprCXX.h>

namespace heddle::rewrite::reshape {
namespace {

using clang::Expr;

/// Whether it binds less than a sum.
bool isLoose(const Expr& expression) {
  const Expr* bare = expression.IgnoreImplicit();
  if (const auto* both = llvm::dyn_cast<clang::BinaryOperator>(bare))
    return !both->isAdditiveOp() && !both->isMultiplicativeOp();
  return llvm::isa<clang::AbstractConditionalOperator>(bare);
}

/// The dim3 that is named; nullptr: it is no name.
const Expr* namedObject(const Expr& value) {
  const Expr& bare = withoutCopies(value);
  return llvm::isa<clang::DeclRefExpr>(bare) && isDim3(bare.getType()) ? &bare : nullptr;
}

} // namespace

std::string piecesText(const Expr& expression, const std::string& text, int size) {
  return fmt::format("({} + {}) / {}", isLoose(expression) ? "(" + text + ")" : text, size - 1,
                     size);
}

std::optional<DividedGrid> dividedGrid(const Source& source, const LaunchShape& shape, int count) {
  const std::string all = source.textOf(shape.gridRange);
  if (namedObject(*shape.gridText) != nullptr) {
    const std::string x = piecesText(*namedObject(*shape.gridText), all + ".x", count);
    return DividedGrid{shape.isRow() ? x : fmt::format("dim3({}, {}.y, {}.z)", x, all, all),
                       all + ".x"};
  }
  const Expr* first = shape.grid ? shape.grid->axes[0] : nullptr;
  const auto part = first != nullptr ? source.rangeOf(first->getSourceRange()) : std::nullopt;
  if (!part || shape.grid->since.isValid() || !shape.gridRange.contains(*part))
    return std::nullopt;
  const std::string blocks = source.textOf(*part);
  const std::string divided = piecesText(*first, blocks, count);
  if (shape.isRow())
    return DividedGrid{divided, blocks};
  Edits edits;
  edits.replace(*part, divided);
  return DividedGrid{edits.apply(source.text(), shape.gridRange), blocks};
}

std::string packedBlock(const Source& source, const LaunchShape& shape, std::size_t axis,
                        int count) {
  const auto& [x, y, z] = shape.block;
  if (axis == 0)
    return y * z == 1 ? std::to_string(count) : fmt::format("dim3({}, {}, {})", count, y, z);
  if (axis == 2)
    return fmt::format("dim3({}, {}, {})", x, y, count);
  const std::string written = source.textOf(shape.blockRange);
  const bool isWord = written.find_first_of(" (){}+-*/?.") == std::string::npos;
  const clang::Expr& block = *shape.call->getConfig()->getArg(1);
  const std::string first = isWord && namedObject(block) == nullptr ? written : std::to_string(x);
  return z == 1 ? fmt::format("dim3({}, {})", first, count)
                : fmt::format("dim3({}, {}, {})", first, count, z);
}

} // namespace heddle::rewrite::reshape
