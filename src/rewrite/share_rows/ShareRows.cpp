// SPDX-License-Identifier: Apache-2.0
//
//   1. The loop, what its items join and what they need of their thread (rows/).
//   2. How many lanes may share a row, from the longest one that was counted.
//   3. The call, in the launch as it is and in one with a team for each row.
#include "rewrite/share_rows/ShareRows.h"

#include "rewrite/code/BlockValues.h"
#include "rewrite/code/FormNumbers.h"
#include "rewrite/code/LoopPieces.h"
#include "rewrite/rows/RowCall.h"
#include "rewrite/share_rows/Price.h"
#include "rewrite/share_rows/Refusals.h"
#include "rewrite/share_rows/Teams.h"
#include "rewrite/ways/WayCosts.h"

#include <clang/AST/Attr.h>

#include <algorithm>
#include <optional>

namespace heddle::rewrite::share_rows {
namespace {

/// Rows of one length lose no lanes, unless an item ends them.
Legal<void> refuseSameLength(const Source& source, const SharedLoop& shared) {
  const RowLoop& loop = shared.loop;
  if (!shared.placed.function->hasAttr<clang::CUDAGlobalAttr>() ||
      !shared.body.exits.breaks.empty())
    return {};
  const BlockValues values(*loop.function, loop.loop, Returned::Ignored);
  const clang::Expr* begin = loop.begin;
  if (begin == nullptr || !values.isUniform(*begin) || !values.isUniform(*loop.end))
    return {};
  return refuse(refusals["same-length"], "the loop in line {} has {} to {} for all threads",
                source.lineOf(loop.loop->getBeginLoc()), loop.beginText, loop.endText);
}

/// A compiler may make several loops of one, the first of which takes some items a turn.
constexpr double itemsOfTurn = 4;

/// Items of the longest row, or more; nothing where no such loop was counted.
std::optional<double> longestRow(const Source& source, const SharedLoop& shared,
                                 const std::vector<MeasuredLoop>& loops) {
  const int line = source.lineOf(shared.loop.loop->getBeginLoc());
  std::optional<double> longest;
  for (const MeasuredLoop& each : loops)
    if (each.lines.front() == line)
      longest = std::max(longest.value_or(0), itemsOfTurn * double(each.counts.most));
  return longest;
}

constexpr std::string_view forms[] = {"4 lanes", "8 lanes", "16 lanes", "32 lanes", "team"};

} // namespace

Legal<std::vector<Proposal>> proposeShared(const Source& source, const Target& target) {
  const auto shared = findSharedLoop(source, *target.branch);
  if (!shared)
    return tl::unexpected(shared.error());
  if (auto legal = refuseSameLength(source, *shared); !legal)
    return tl::unexpected(legal.error());
  const Range body = shared->loop.bodyRange;
  const std::vector<double> lengths =
      wayLengths(source, *shared->loop.loop, {body}, target.measured.loops);
  constexpr double anyLength = 32; // loops with two exits are not counted
  const std::vector<int> groups = sizesFor(
      target.form.empty() ? longestRow(source, *shared, target.measured.loops).value_or(anyLength)
                          : anyLength);
  auto teams = proposeTeams(source, target, *shared, groups);
  if (!teams && target.form.starts_with("team"))
    return teams;
  std::vector<Proposal> proposals;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (teams)
      proposals.push_back(std::move((*teams)[i]));
    Proposal proposal{.form = fmt::format("{} lanes", groups[i])};
    proposal.reorders = shared->body.rounds;
    proposal.edits =
        callEdits(source, *shared,
                  callText(source, *shared, "heddle::share_rows", fmt::format("{}", groups[i])));
    proposals.push_back(std::move(proposal));
  }
  for (Proposal& each : proposals)
    each.wayLengths = lengths;
  return proposals;
}

const Rewrite room{
    .name = "share-rows",
    .summary = "several lanes for each thread's row of items, where rows are of different lengths",
    .forms = forms,
    .formsAreAlike = true,
    .ofIdiom = true, // lanes of a row read items beside each other
    .needsIndependence = true,
    .needs = {3, 0},
    .refusals = refusals,
    .refusesCommunication = true,
    .propose = proposeShared,
    .price = priceSharing,
};

} // namespace heddle::rewrite::share_rows
