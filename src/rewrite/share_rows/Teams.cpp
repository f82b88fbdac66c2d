// SPDX-License-Identifier: Apache-2.0
//
//   1. The loops that teams run: the one at the place, and others of the kernel that are legal.
//   2. The rest of the kernel (TeamRest.h), which talks to no other thread.
//   3. The launches: blocks of whole warps, and a grid whose text can be multiplied.
#include "rewrite/share_rows/Teams.h"

#include "rewrite/code/Communication.h"
#include "rewrite/code/Indentation.h"
#include "rewrite/code/LoopPieces.h"
#include "rewrite/launches/HostValues.h"
#include "rewrite/launches/KernelLaunches.h"
#include "rewrite/share_rows/Refusals.h"
#include "rewrite/share_rows/TeamRest.h"
#include "support/LaneMask.h"

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>

namespace heddle::rewrite::share_rows {
namespace {

using clang::Expr;

bool joinsMemory(const SharedLoop& shared) {
  return std::ranges::any_of(shared.body.places, &JoinedPlace::isMemory);
}

/// Bounds that are numbers make a short loop, which each lane may run for itself.
bool isConstant(const Source& source, const RowLoop& loop) {
  const auto isNumber = [&](const Expr* bound) {
    return bound != nullptr && !bound->isValueDependent() && bound->isEvaluatable(source.ast());
  };
  return isNumber(loop.begin) && isNumber(loop.end);
}

/// Step 1.
std::vector<SharedLoop> loopsOfTeam(const Source& source, const SharedLoop& asked) {
  std::vector<SharedLoop> loops = {asked};
  for (const BranchStatement& each : allBranches(source)) {
    if (each.function != asked.placed.function || !isLoop(*each.statement))
      continue;
    auto shared = findSharedLoop(source, each);
    if (!shared || joinsMemory(*shared) || isConstant(source, shared->loop))
      continue;
    const bool isApart = std::ranges::none_of(loops, [&](const SharedLoop& known) {
      return known.loop.range.contains(shared->loop.range) ||
             shared->loop.range.contains(known.loop.range);
    });
    if (isApart)
      loops.push_back(*std::move(shared));
  }
  return loops;
}

/// A launch as it is written.
struct Grid {
  Range range; ///< of the number of blocks along x, or of the name of a dim3
  std::string text;
  bool isObject = false; ///< a dim3
  bool isReal = false;   ///< a floating-point number
};

/// Step 3.
std::optional<Grid> gridOf(const Source& source, const HostValues& values, const Launch& launch) {
  const auto* call = llvm::dyn_cast<clang::CUDAKernelCallExpr>(launch.call);
  if (call == nullptr)
    return std::nullopt;
  const Expr &grid = *call->getConfig()->getArg(0), &block = *call->getConfig()->getArg(1);
  const auto size = values.dim3Of(block);
  const auto threads = size && size->axes[0] != nullptr ? values.numberOf(*size->axes[0]) : 0;
  if (!threads || *threads <= 0 || *threads % warpSize != 0)
    return std::nullopt;
  const Expr& bare = withoutCopies(grid);
  const bool isObject = llvm::isa<clang::DeclRefExpr>(bare) && isDim3(bare.getType());
  const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(&bare);
  const Expr* blocks = isObject                                    ? &bare
                       : made != nullptr && made->getNumArgs() > 0 ? made->getArg(0)
                                                                   : nullptr;
  const auto range = blocks != nullptr ? source.rangeOf(blocks->getSourceRange()) : std::nullopt;
  if (!range)
    return std::nullopt;
  return Grid{*range, source.textOf(*range), isObject,
              blocks->IgnoreImpCasts()->getType()->isRealFloatingType()};
}

std::string largerGrid(const Grid& grid, int team) {
  if (grid.isObject)
    return fmt::format("dim3({0} * {1}.x, {1}.y, {1}.z)", team, grid.text);
  if (grid.isReal)
    return fmt::format("{} * int({})", team, grid.text);
  const bool isWord = grid.text.find_first_of(" (){}+-*/?.,<>=") == std::string::npos;
  return fmt::format("{} * {}", team, isWord ? grid.text : "(" + grid.text + ")");
}

Legal<std::vector<Grid>> gridsOf(const Source& source, const clang::FunctionDecl& kernel) {
  const auto launches = findLaunches(source, kernel);
  if (!launches)
    return refuse(refusals["no-team"], "{}", launches.error().reason);
  if (const auto declared = declarationsOf(source, kernel); !declared)
    return refuse(refusals["no-team"], "{}", declared.error().reason);
  const HostValues values(source.ast());
  std::vector<Grid> grids;
  for (const Launch& launch : *launches) {
    const auto grid = gridOf(source, values, launch);
    if (!grid)
      return refuse(refusals["no-team"],
                    "line {} launches {} with blocks of no constant number of warps, or in a way "
                    "that cannot be made larger",
                    source.lineOf(launch.call->getBeginLoc()), kernel.getNameAsString());
    grids.push_back(*grid);
  }
  return grids;
}

class TeamWriter {
public:
  TeamWriter(const Source& source, const std::vector<SharedLoop>& loops,
             const std::vector<FirstLanes>& firsts, const RowNumbers& numbers,
             const std::vector<Grid>& grids)
      : source_(source), loops_(loops), firsts_(firsts), numbers_(numbers), grids_(grids) {}

  Edits write(int team) const {
    Edits edits;
    for (SharedLoop loop : loops_) {
      loop.own.clear(); // all lanes of a team have the same
      const std::string text =
          callText(source_, loop, "heddle::team_rows", fmt::format("{}", team));
      edits.addOnce(callEdits(source_, loop, text));
    }
    for (const FirstLanes& first : firsts_)
      edits.replace(first.range, firstText(first, team));
    edits.add(numberEdits(team, [&](Range place) {
      return std::ranges::none_of(
          firsts_, [&](const FirstLanes& first) { return first.range.contains(place); });
    }));
    for (const Grid& grid : grids_)
      edits.replace(grid.range, largerGrid(grid, team));
    return edits;
  }

  /// Whether no name of the row's number is in a loop.
  bool fits() const {
    return std::ranges::none_of(loops_, [&](const SharedLoop& each) {
      const auto isInside = [&](Range place) { return each.loop.range.contains(place); };
      return std::ranges::any_of(numbers_.threads, isInside) ||
             std::ranges::any_of(numbers_.sizes, isInside);
    });
  }

private:
  template <class IsMeant> Edits numberEdits(int team, const IsMeant& isMeant) const {
    Edits edits;
    for (const Range& each : numbers_.threads)
      if (isMeant(each))
        edits.replace(each, fmt::format("threadIdx.x / {}", team));
    for (const Range& each : numbers_.sizes)
      if (isMeant(each))
        edits.replace(each, fmt::format("(blockDim.x / {})", team));
    return edits;
  }

  std::string firstText(const FirstLanes& first, int team) const {
    const Edits inside =
        numberEdits(team, [&](Range place) { return first.range.contains(place); });
    const std::string lines = indented(linesOf(source_, first.range, inside), source_.indentUnit());
    const bool isLine = first.statements == 1 && lines.find('\n') == std::string::npos;
    std::string text = fmt::format("if (threadIdx.x % {} == 0){}\n{}{}", team, isLine ? "" : " {",
                                   lines, isLine ? "" : "\n}");
    if (!first.inBlock)
      text = "{\n" + indented(text, source_.indentUnit()) + "\n}";
    const std::string indent = source_.indentAt(first.range.begin);
    return indented(text, indent).substr(indent.size());
  }

  const Source& source_;
  const std::vector<SharedLoop>& loops_;
  const std::vector<FirstLanes>& firsts_;
  const RowNumbers& numbers_;
  const std::vector<Grid>& grids_;
};

} // namespace

Legal<std::vector<Proposal>> proposeTeams(const Source& source, const Target& target,
                                          const SharedLoop& asked, std::span<const int> sizes) {
  const clang::FunctionDecl& kernel = *asked.placed.function;
  const int line = source.lineOf(asked.loop.loop->getBeginLoc());
  if (!kernel.hasAttr<clang::CUDAGlobalAttr>() || target.kernel == nullptr)
    return refuse(refusals["no-team"], "the loop in line {} is in a function", line);
  if (asked.placed.instances.size() != 1)
    return refuse(refusals["no-team"], "{} has several instances", kernel.getNameAsString());
  if (joinsMemory(asked))
    return refuse(refusals["no-team"], "the loop in line {} changes memory from item to item",
                  line);
  const std::vector<SharedLoop> loops = loopsOfTeam(source, asked);
  const clang::Stmt& body = *asked.loop.function;
  if (auto legal = refuseCommunication(source, body); !legal) // step 2
    return tl::unexpected(legal.error());
  const auto firsts = findFirstLanes(source, loops);
  if (!firsts)
    return tl::unexpected(firsts.error());
  const auto numbers = findRowNumbers(source, body);
  if (!numbers)
    return tl::unexpected(numbers.error());
  const auto grids = gridsOf(source, *target.kernel);
  if (!grids)
    return tl::unexpected(grids.error());
  const TeamWriter writer(source, loops, *firsts, *numbers, *grids);
  if (!writer.fits())
    return refuse(refusals["no-team"], "the loop in line {} asks for its thread", line);
  std::vector<Proposal> proposals;
  for (const int team : sizes) {
    Proposal proposal{.form = fmt::format("team of {}", team), .edits = writer.write(team)};
    proposal.reorders =
        std::ranges::any_of(loops, [](const SharedLoop& each) { return each.body.rounds; });
    proposals.push_back(std::move(proposal));
  }
  return proposals;
}

} // namespace heddle::rewrite::share_rows
