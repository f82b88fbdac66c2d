// SPDX-License-Identifier: Apache-2.0
#include "rewrite/aggregate/Aggregate.h"

#include "rewrite/aggregate/Atomics.h"
#include "rewrite/aggregate/BlockPlaces.h"
#include "rewrite/aggregate/BlockTally.h"
#include "rewrite/aggregate/Refusals.h"
#include "rewrite/code/CallFollower.h"
#include "rewrite/code/FormNumbers.h"

#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <array>

namespace heddle::rewrite::aggregate {
namespace {

using clang::CallExpr;

/// Looks for what orders memory between threads of different blocks.
class Fences final : public CallFollower {
public:
  bool VisitCallExpr(CallExpr* call) override {
    const std::string name = calledName(*call);
    if (llvm::StringRef(name).contains("threadfence") || name == "__nanosleep")
      return stop(call, name);
    return CallFollower::VisitCallExpr(call);
  }
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* call) override {
    const auto* method = call->getMethodDecl();
    return method == nullptr || method->getNameAsString() != "sync" || stop(call, "sync()");
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    return !cast->getSubExpr()->getType().isVolatileQualified() || stop(cast, "volatile memory");
  }

  const clang::Expr* found = nullptr;
  std::string what;

private:
  bool stop(const clang::Expr* where, std::string name) {
    found = where;
    what = std::move(name);
    return false;
  }
};

constexpr std::string_view byWarp = "by warp", byThread = "by thread", byBlock = "by block";

/// One lane of a warp does it for those of its word.
Legal<Edits> joinInWarp(const Source& source, const std::vector<const CallExpr*>& atomics) {
  Edits edits = source.include("heddle/aggregate.cuh");
  for (const CallExpr* call : atomics) {
    const auto range = source.rangeOf(call->getCallee()->getSourceRange());
    if (!range)
      return refuse(refusals["macro-in-the-way"], "the atomic in line {} comes from a macro",
                    source.lineOf(call->getBeginLoc()));
    edits.replace(*range, "heddle::" + aggregatedName(*call));
  }
  return edits;
}

/// A counter's old values, too: those that the lanes would get if they came one after the other.
Edits withPlaces(const Source& source, Edits edits, const std::vector<const CallExpr*>& places) {
  for (const CallExpr* call : places)
    edits.replace(*source.rangeOf(call->getSourceRange()),
                  fmt::format("heddle::aggregate_next({})",
                              source.textOf(call->getArg(0)->getSourceRange())));
  return edits;
}

std::string tilesOf(const TallySize& size) {
  return size.tiles > 1 ? fmt::format("tiles of {}", size.tiles) : "";
}

std::string formOf(const TallySize& size, const Keepable& keepable) {
  const std::string tiles = tilesOf(size);
  if (!keepable.tallies)
    return tiles.empty() ? std::string(byThread) : fmt::format("{} ({})", byThread, tiles);
  return fmt::format("{} ({} words{}{})", byBlock, size.words,
                     size.copies > 1 ? fmt::format(", {} copies", size.copies) : "",
                     tiles.empty() ? "" : ", " + tiles);
}

/// Of few words many lanes want the same, and wait for one another: as many copies as keep the work
/// at the block's ends small. Fewer blocks have fewer ends.
std::vector<TallySize> sizesToTry(const Target& target, const Keepable& keepable) {
  const auto words = numbersOf(target.form, "by block (", " words)");
  if (keepable.tallies && words && words->size() == 1 && words->front() > 0)
    return {{words->front(), 1}};
  const int tiles = std::max(tilesWorthTrying(target.measured), 1);
  std::vector<TallySize> sizes = {{64, 8, tiles}, {64, 8}};
  if (keepable.tallies)
    sizes.insert(sizes.end(), {{1024, 1, tiles}, {1024, 1}});
  return sizes;
}

/// Those of which there is one already are left out.
void addKept(const Source& source, const Target& target,
             const std::vector<const CallExpr*>& atomics, std::vector<Proposal>& proposals) {
  const Keepable keepable = findKeepable(source, *target.kernel, atomics);
  if (!keepable.tallies && !keepable.totals)
    return;
  for (const TallySize& size : sizesToTry(target, keepable)) {
    std::string form = formOf(size, keepable);
    if (std::ranges::find(proposals, form, &Proposal::form) != proposals.end())
      continue;
    if (auto kept = keepInBlock(source, *target.kernel, atomics, size))
      proposals.push_back({std::move(form), std::move(*kept)});
  }
}

/// Each thread comes twice for each tile, so that many would make long code.
void addPlaces(const Source& source, const Target& target,
               const std::vector<const CallExpr*>& places, std::vector<Proposal>& proposals) {
  constexpr int fewTiles = 4;
  if (places.empty())
    return;
  if (auto taken = takePlacesByBlock(source, *target.kernel, places, 1))
    proposals.push_back({"by block (places)", std::move(*taken)});
  if (tilesWorthTrying(target.measured) >= fewTiles)
    if (auto taken = takePlacesByBlock(source, *target.kernel, places, fewTiles))
      proposals.push_back(
          {fmt::format("by block (places, tiles of {})", fewTiles), std::move(*taken)});
}

} // namespace

Legal<std::vector<Proposal>> proposeAggregatedAtomics(const Source& source, const Target& target) {
  const clang::FunctionDecl& kernel = *target.kernel;
  const std::vector<const CallExpr*> atomics = findAtomics(*kernel.getBody());
  const std::vector<const CallExpr*> places = findPlaces(source, *kernel.getBody());
  if (atomics.empty() && places.empty())
    return refuse(refusals["no-atomic"], "{} has no atomic on the device's memory alone",
                  kernel.getNameAsString());
  Fences fences;
  fences.TraverseStmt(kernel.getBody());
  if (fences.found != nullptr)
    return refuse(refusals["orders-memory"], "line {} has {}",
                  source.lineOf(fences.found->getBeginLoc()), fences.what);
  auto joined = joinInWarp(source, atomics);
  if (!joined)
    return tl::unexpected(joined.error());
  std::vector<Proposal> proposals;
  if (!atomics.empty())
    proposals.push_back({std::string(byWarp), *joined});
  if (!places.empty())
    proposals.push_back(
        {atomics.empty() ? std::string(byWarp) : fmt::format("{} (and places)", byWarp),
         withPlaces(source, std::move(*joined), places)});
  addKept(source, target, atomics, proposals);
  addPlaces(source, target, places, proposals);
  return proposals;
}

constexpr std::array forms = {byWarp, byThread, byBlock};

const Rewrite room{
    .name = "aggregate",
    .summary = "let one lane, or one block, change a word for all its threads that do",
    .forms = forms,
    .ofKernel = true,
    .needsIndependence = true,
    .needs = {7, 0},
    .refusals = refusals,
    .propose = proposeAggregatedAtomics,
};

} // namespace heddle::rewrite::aggregate
