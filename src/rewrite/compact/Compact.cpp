// SPDX-License-Identifier: Apache-2.0
//
//   1. The block: of one known size, whose list fits into shared memory.
//   2. A plan for each instance of a template: the cut, what stays in front, which way is the work,
//      how items are known, what each function needs. All must agree, and be legal.
//   3. The call in place of the guard and the work, and a launch of fewer blocks where that is
//   found.
#include "rewrite/compact/Compact.h"

#include "rewrite/code/FormNumbers.h"
#include "rewrite/code/SharedBytes.h"
#include "rewrite/compact/GuardText.h"
#include "rewrite/compact/Price.h"
#include "rewrite/compact/Refusals.h"
#include "rewrite/items/ItemBlocks.h"
#include "rewrite/items/ItemIndex.h"
#include "rewrite/items/ItemText.h"
#include "rewrite/ways/WayCosts.h"

#include <algorithm>
#include <numeric>

namespace heddle::rewrite::compact {
namespace {

using clang::Stmt;

constexpr int mostItems = 65536;
constexpr int bytesOfItem = 2, bytesOfTile = 12, bytesOfList = 8;

class Compactor {
public:
  Compactor(const Source& source, const Target& target) : source_(source), target_(target) {}

  Legal<std::vector<Proposal>> propose();

private:
  Legal<std::vector<int>> tiles() const;
  Legal<void> chooseWork();
  Legal<void> makePlans();
  void planItems(Plan& plan) const;
  void agree();
  std::string call(int tiles, const std::string& blocks, const GuardText& text) const;
  Edits editsFor(int tiles, const GuardText& text) const;

  const Source& source_;
  const Target& target_;
  int threads_ = 0; ///< of a block
  Guard written_;   ///< as it stands in the file
  std::size_t work_ = 0;
  std::vector<double> lengths_; ///< of the work, and of the other ways
  std::vector<Plan> plans_;     ///< for each instance
  bool anyBlock_ = true;        ///< may do any item
};

/// Those that were asked for, or are worth a try, and fit.
Legal<std::vector<int>> Compactor::tiles() const {
  const double turns = turnsOfLoop(source_, written_, target_.measured);
  std::vector<int> wanted = tilesWorthTrying(target_.measured, turns, anyBlock_);
  if (const auto asked = numbersOf(target_.form, "tiles of ", "");
      asked && asked->size() == 1 && asked->front() > 0 &&
      (asked->front() & (asked->front() - 1)) == 0)
    wanted = {asked->front()};
  if (wanted.empty() && written_.loop != nullptr && !anyBlock_)
    return refuse(refusals["too-few-blocks"],
                  "threads go around the loop in line {} only {:.1f} times",
                  source_.lineOf(written_.loop->getBeginLoc()), turns);
  if (wanted.empty())
    return refuse(refusals["too-few-blocks"],
                  "{:.0f} blocks in groups would be less than two for each of {} multiprocessors",
                  target_.measured.blocks, target_.measured.multiprocessors);
  const std::int64_t own =
      sharedBytesOf(source_.ast(), *target_.branch->instances.front().around.back());
  const int limit = target_.measured.limits.sharedPerBlock;
  const auto bytes = [&](int tiles) {
    return std::int64_t(tiles) * (threads_ * bytesOfItem + bytesOfTile) + bytesOfList;
  };
  const int least = wanted.front();
  std::erase_if(wanted, [&](int tiles) {
    return tiles * threads_ > mostItems || (limit > 0 && own + bytes(tiles) > limit);
  });
  if (wanted.empty())
    return refuse(refusals["list-too-large"],
                  "the list's {} bytes and the kernel's own {} of shared memory are more than {}",
                  bytes(least), own, limit);
  return wanted;
}

/// The way that is longest, and seldom taken.
Legal<void> Compactor::chooseWork() {
  std::vector<Range> ranges;
  for (const Way& way : written_.ways)
    ranges.push_back(way.range.value_or(Range{}));
  const Placed& first = target_.branch->instances.front();
  const std::vector<double> lengths =
      wayLengths(source_, *first.around.back(), ranges, target_.measured.loops);
  const std::vector<double>& shares = target_.measured.shares;
  double best = 0;
  for (std::size_t i = 0; i < written_.ways.size(); ++i) {
    const Way& way = written_.ways[i];
    if (std::ranges::all_of(way.code, [&](const Stmt* each) { return written_.isExit(*each); }))
      continue;
    const double rarity = shares.size() == lengths.size() ? 1.01 - shares[i] : 1;
    if (rarity * lengths[i] > best) {
      best = rarity * lengths[i];
      work_ = i;
    }
  }
  if (best == 0)
    return refuse(refusals["no-work"], "line {} has nothing to do",
                  source_.lineOf(written_.choice->getBeginLoc()));
  const double all = std::accumulate(lengths.begin(), lengths.end(), 0.0);
  lengths_ = {lengths[work_], std::max(1.0, all - lengths[work_])};
  return {};
}

/// How the functions know their item: by its number where that is all they ask for.
void Compactor::planItems(Plan& plan) const {
  if (plan.guard.loop != nullptr) {
    const auto loop = findStridedLoop(*plan.guard.kernel, *plan.guard.loop, threads_);
    plan.travels = Travels::InLoop;
    plan.number = loop->variable;
    plan.bound = loop->bound;
    plan.needs = findNeeds(plan.guard, work_, plan.number);
    return;
  }
  const auto index =
      target_.measured.block[0] == threads_ ? findItemNumber(plan.guard, threads_) : std::nullopt;
  if (index) {
    plan.number = index->variable;
    plan.needs = findNeeds(plan.guard, work_, plan.number);
    plan.travels = Travels::ByNumber;
    if (numberIsEnough(plan))
      return;
  }
  plan.number = nullptr;
  plan.travels = Travels::ByCoordinates;
  plan.needs = findNeeds(plan.guard, work_, nullptr);
  return;
}

/// Instances of a template have one text.
void Compactor::agree() {
  const auto byCoordinates = [](const Plan& plan) {
    return plan.travels == Travels::ByCoordinates;
  };
  const bool all = std::ranges::any_of(plans_, byCoordinates);
  Needs needs;
  for (Plan& plan : plans_) {
    if (all && plan.travels != Travels::ByCoordinates) {
      plan.travels = Travels::ByCoordinates;
      plan.number = nullptr;
      plan.needs = findNeeds(plan.guard, work_, nullptr);
    }
    needs.test.insert(plan.needs.test.begin(), plan.needs.test.end());
    needs.work.insert(plan.needs.work.begin(), plan.needs.work.end());
  }
  for (Plan& plan : plans_) {
    plan.needs = needs;
    plan.taken = takenFromFront(plan.guard);
  }
}

/// Step 2.
Legal<void> Compactor::makePlans() {
  std::size_t front = written_.steps.size();
  for (const Placed& instance : target_.branch->instances) {
    auto guard = cutGuard(source_, instance);
    if (!guard)
      return tl::unexpected(guard.error());
    front = std::min(front, stepsForFront(source_, *guard));
    plans_.push_back({.guard = std::move(*guard), .worker = work_});
  }
  written_.moveToFront(front);
  for (Plan& plan : plans_)
    plan.guard.moveToFront(front);
  const std::vector<std::size_t> copies = declarationsToCopy(plans_.front().guard);
  written_.copyFromFront(copies);
  for (Plan& plan : plans_) {
    plan.guard.copyFromFront(copies);
    planItems(plan);
  }
  agree();
  for (const Plan& plan : plans_)
    if (auto legal = checkPlan(source_, plan); !legal)
      return legal;
  anyBlock_ = std::ranges::all_of(
      plans_, [&](const Plan& plan) { return anyBlockMayDo(source_, plan.items()); });
  return {};
}

/// Step 3.
std::string Compactor::call(int tiles, const std::string& blocks, const GuardText& text) const {
  const std::string& unit = source_.indentUnit();
  const std::string indent = source_.indentAt(text.moved.begin), argument = indent + unit + unit;
  const auto& block = target_.measured.block;
  std::string name = fmt::format("heddle::compact_tiles<{}, {}>(", threads_, tiles);
  if (plans_.front().travels == Travels::ByCoordinates)
    name = fmt::format("heddle::compact_tiles_at<{}, {}, {}, {}>(", block[0], block[1], block[2],
                       tiles);
  if (plans_.front().travels == Travels::InLoop)
    name =
        fmt::format("heddle::compact_{}<{}, {}>(\n{}{},", anyBlock_ ? "items" : "range", threads_,
                    tiles, argument, source_.textOf(plans_.front().bound->getSourceRange()));
  if (!blocks.empty())
    name += "\n" + argument + blocks + ",";
  const std::string parameters = parametersOfItem(source_, plans_.front().items(), written_);
  return fmt::format("{}\n{},\n{});", name,
                     functionOfItem(source_, argument, parameters, text.test),
                     functionOfItem(source_, argument, parameters, text.work));
}

Edits Compactor::editsFor(int tiles, const GuardText& text) const {
  Edits edits = source_.include("heddle/compact.cuh");
  std::vector<ItemPlan> plans;
  for (const Plan& each : plans_)
    plans.push_back(each.items());
  edits.add(withoutTaken(source_, plans.front(), written_));
  const auto fewer =
      fewerBlocksFor(source_, *target_.branch->function, plans,
                     turnsOfLoop(source_, written_, target_.measured), anyBlock_, tiles);
  if (fewer)
    edits.add(fewer->edits);
  edits.replace(text.moved, call(tiles, fewer ? fewer->parameter : "", text));
  return edits;
}

Legal<std::vector<Proposal>> Compactor::propose() {
  // Step 1.
  const auto threads = threadsOfBlock(target_);
  if (!threads)
    return tl::unexpected(threads.error());
  threads_ = *threads;
  for (const Placed& instance : target_.branch->instances)
    if (auto checked = checkLoopsAround(source_, instance.around, target_, threads_); !checked)
      return tl::unexpected(checked.error());
  auto cut = cutGuard(source_, *target_.branch);
  if (!cut)
    return tl::unexpected(cut.error());
  written_ = std::move(*cut);
  if (auto chosen = chooseWork(); !chosen)
    return tl::unexpected(chosen.error());
  if (auto planned = makePlans(); !planned)
    return tl::unexpected(planned.error());
  const auto text = writeFunctions(source_, written_, plans_.front());
  if (!text)
    return tl::unexpected(text.error());
  const auto wanted = tiles();
  if (!wanted)
    return tl::unexpected(wanted.error());
  std::vector<Proposal> proposals;
  for (const int each : *wanted)
    proposals.push_back({fmt::format("tiles of {}", each), editsFor(each, *text), lengths_});
  return proposals;
}

constexpr std::string_view forms[] = {"tiles"};

} // namespace

Legal<std::vector<Proposal>> proposeCompaction(const Source& source, const Target& target) {
  return Compactor(source, target).propose();
}

const Rewrite room{
    .name = "compact",
    .summary = "pack the items that a guard lets pass, so that all lanes have work",
    .forms = forms,
    .formsAreAlike = true,
    .needsIndependence = true,
    .needs = {3, 0},
    .refusals = refusals,
    .refusesCommunication = true,
    .propose = proposeCompaction,
    .price = priceCompaction,
};

} // namespace heddle::rewrite::compact
