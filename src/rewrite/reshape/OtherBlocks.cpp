// SPDX-License-Identifier: Apache-2.0
//
//   1. All that the kernel knows of its thread is its place, and it has a bound for that.
//   2. At each launch there are as many threads as the bound, and a few more: the grid is
//      (n + 47) / 48, or a number, and n is what the bound gets.
//   3. A grid of other blocks for the same n.
#include "rewrite/reshape/OtherBlocks.h"

#include "rewrite/launches/GridText.h"
#include "rewrite/reshape/OwnBounds.h"
#include "rewrite/reshape/OwnVariables.h"
#include "rewrite/reshape/Packs.h"

#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <array>
#include <map>

namespace heddle::rewrite::reshape {
namespace {

using clang::Expr;

constexpr std::array<Block, 2> rows = {{{128, 1, 1}, {256, 1, 1}}};
constexpr std::array<Block, 2> tiles = {{{32, 4, 1}, {32, 8, 1}}};

/// How many items there are along an axis.
struct Items {
  const Expr* value = nullptr; ///< what the kernel gets, or
  std::int64_t number = 0;
  const Expr* by = nullptr; ///< the name that says the size of a block
};

/// What the launch gives for the bound; nullptr: it is a number of the kernel's text.
const Expr* argumentFor(const Bound& bound, const LaunchShape& shape) {
  if (bound.parameter == nullptr)
    return nullptr;
  const unsigned index = bound.parameter->getFunctionScopeIndex();
  return index < shape.call->getNumArgs() ? shape.call->getArg(index) : nullptr;
}

/// Step 2, of one axis.
std::optional<Items> itemsOf(const HostValues& values, const LaunchShape& shape, std::size_t axis,
                             const Bound& bound) {
  const Expr* grid = shape.grid->axes[axis];
  const Expr* argument = argumentFor(bound, shape);
  if (bound.parameter != nullptr && argument == nullptr)
    return std::nullopt;
  if (grid != nullptr && argument != nullptr)
    if (const auto pieces = values.piecesOf(*grid, *argument, shape.block[axis])) {
      const auto since = pieces->since.isValid() ? pieces->since : shape.grid->since;
      if (since.isInvalid() || values.keeps(*argument, since))
        return Items{argument, 0, pieces->by};
    }
  const auto blocks = grid != nullptr ? values.numberOf(*grid) : 1;
  const auto items = argument != nullptr ? values.numberOf(*argument) : bound.number;
  return blocks && items && *items > 0 && *items <= *blocks * shape.block[axis]
             ? std::optional(Items{nullptr, *items, nullptr})
             : std::nullopt;
}

/// Step 3, of one axis; nothing where a macro has the text.
std::optional<std::string> gridText(const Source& source, const Items& items, int size) {
  if (items.value == nullptr)
    return std::to_string((items.number + size - 1) / size);
  const auto range = source.rangeOf(items.value->getSourceRange());
  if (!range)
    return std::nullopt;
  return piecesText(*items.value, source.textOf(*range), size);
}

/// Whether an expression is the block's size along the axis: `threads`, `block.y`.
bool saysSize(const Expr& expression, const clang::VarDecl& block, std::size_t axis) {
  const Expr* object = &expression;
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(object)) {
    if (member->isArrow() || member->getMemberDecl()->getName() != std::string(1, char('x' + axis)))
      return false;
    object = member->getBase()->IgnoreParenImpCasts();
  } else if (axis > 0)
    return false;
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(object);
  return name != nullptr && name->getDecl() == &block;
}

/// A text that is put at a place of the file, once.
class Places {
public:
  void put(Range range, const std::string& text) { texts_[range] = text; }
  Edits edits() const {
    Edits all;
    for (const auto& [range, text] : texts_)
      all.replace(range, text);
    return all;
  }

private:
  std::map<Range, std::string> texts_;
};

class Relauncher {
public:
  Relauncher(const Source& source, const HostValues& values, const OwnBounds& bounds,
             const std::vector<LaunchShape>& shapes, std::size_t axes)
      : source_(source), values_(values), bounds_(bounds), shapes_(shapes), axes_(axes) {}

  /// Nothing where a launch does not fit.
  std::optional<Edits> change(const Block& block) const {
    Places places;
    for (const LaunchShape& shape : shapes_)
      if (!changeOne(shape, block, places))
        return std::nullopt;
    return places.edits();
  }

private:
  bool changeOne(const LaunchShape& shape, const Block& block, Places& places) const {
    const OwnVariables own = findOwnVariables(source_, values_, shapes_, shape);
    const auto blockParts = values_.dim3Of(*shape.call->getConfig()->getArg(1));
    const bool atBlock = putParts(own.block, *blockParts, places, [&](std::size_t axis) {
      return std::optional(std::to_string(block[axis]));
    });
    std::array<std::string, 2> grid;
    for (std::size_t axis = 0; axis < axes_; ++axis) {
      const auto items = itemsOf(values_, shape, axis, *bounds_.of[axis]);
      auto text = items ? gridText(source_, *items, block[axis]) : std::nullopt;
      if (!text)
        return false;
      const bool adapts = atBlock && items->by != nullptr && saysSize(*items->by, *own.block, axis);
      grid[axis] = adapts ? "" : *std::move(text);
    }
    const bool atGrid = putParts(own.grid, *shape.grid, places, [&](std::size_t axis) {
      return grid[axis].empty() ? std::nullopt : std::optional(grid[axis]);
    });
    if (!atGrid && !(axes_ == 1 && grid[0].empty()))
      places.put(shape.gridRange, wholeGrid(shape, block));
    if (!atBlock)
      places.put(shape.blockRange, axes_ == 1 ? std::to_string(block[0])
                                              : fmt::format("dim3({}, {})", block[0], block[1]));
    return true;
  }

  std::string wholeGrid(const LaunchShape& shape, const Block& block) const {
    std::array<std::string, 2> grid;
    for (std::size_t axis = 0; axis < axes_; ++axis)
      grid[axis] =
          *gridText(source_, *itemsOf(values_, shape, axis, *bounds_.of[axis]), block[axis]);
    return axes_ == 1 ? grid[0] : fmt::format("dim3({}, {})", grid[0], grid[1]);
  }

  /// Sets the parts of a variable where it is declared; false where they do not stand there. What
  /// has no new text stays.
  template <class Text>
  bool putParts(const clang::VarDecl* variable, const HostValues::Dim3& whole, Places& places,
                const Text& textOf) const {
    const auto initial =
        variable != nullptr ? source_.rangeOf(variable->getInit()->getSourceRange()) : std::nullopt;
    std::map<Range, std::string> parts;
    for (std::size_t axis = 0; initial && axis < axes_; ++axis) {
      const Expr* part = whole.axes[axis];
      const auto range = part != nullptr ? source_.rangeOf(part->getSourceRange()) : std::nullopt;
      if (!range)
        return false;
      Range place = *range;
      if (!isPartOf(*variable, *part, place, *initial))
        return false;
      if (const std::optional<std::string> text = textOf(axis))
        parts[place] = *text;
    }
    for (const auto& [range, text] : parts)
      places.put(range, text);
    return initial.has_value();
  }

  /// Of a number the part is its name at the launch; what it is set to takes its place.
  static bool isPartOf(const clang::VarDecl& variable, const Expr& part, Range& range,
                       Range initial) {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(part.IgnoreParenImpCasts());
    if (name != nullptr && name->getDecl() == &variable)
      range = initial;
    return initial.contains(range);
  }

  const Source& source_;
  const HostValues& values_;
  const OwnBounds& bounds_;
  const std::vector<LaunchShape>& shapes_;
  std::size_t axes_;
};

/// Step 1: no name of CUDA's but in the kernel's places, and nothing shared.
bool knowsOnlyPlaces(const BlockUses& uses, const clang::FunctionDecl& kernel,
                     const OwnBounds& bounds) {
  const clang::SourceManager& files = kernel.getASTContext().getSourceManager();
  const auto isInPlace = [&](const Expr* use) {
    return std::ranges::any_of(bounds.places, [&](const Expr* place) {
      const clang::SourceRange range = place->getSourceRange();
      return !files.isBeforeInTranslationUnit(use->getBeginLoc(), range.getBegin()) &&
             !files.isBeforeInTranslationUnit(range.getEnd(), use->getBeginLoc());
    });
  };
  return uses.shared.empty() && !uses.hasBarrier && !uses.inFunctions &&
         std::ranges::all_of(uses.places, isInPlace);
}

bool isOneBlock(const HostValues& values, const Expr* axis) {
  return axis == nullptr || values.numberOf(*axis) == 1;
}

/// Whether what is known of each launch is all of its grid.
bool hasOnlyAxes(const HostValues& values, const std::vector<LaunchShape>& shapes,
                 std::size_t axes) {
  return std::ranges::all_of(shapes, [&](const LaunchShape& shape) {
    return shape.grid && shape.block[2] == 1 && isOneBlock(values, shape.grid->axes[2]) &&
           (axes == 2 || isOneBlock(values, shape.grid->axes[1]));
  });
}

} // namespace

std::vector<Proposal> proposeOtherBlocks(const Source& source, const Target& target,
                                         const HostValues& values, const BlockUses& uses,
                                         const std::vector<LaunchShape>& shapes) {
  const std::size_t axes = shapes.front().block[1] > 1 ? 2 : 1;
  const auto bounds = findOwnBounds(*target.kernel, axes);
  if (!bounds || !knowsOnlyPlaces(uses, *target.kernel, *bounds) ||
      !hasOnlyAxes(values, shapes, axes))
    return {};
  const Relauncher relauncher(source, values, *bounds, shapes, axes);
  std::vector<Proposal> proposals;
  for (const Block& block : axes == 1 ? rows : tiles) {
    auto edits =
        boundsAllow(*target.kernel, threadsOf(block)) ? relauncher.change(block) : std::nullopt;
    if (edits)
      proposals.push_back({axes == 1 ? fmt::format("blocks of {}", block[0])
                                     : fmt::format("blocks of {}x{}", block[0], block[1]),
                           *std::move(edits)});
  }
  return proposals;
}

} // namespace heddle::rewrite::reshape
