// SPDX-License-Identifier: Apache-2.0
//
//   1. The loop that ends sooner or later, and the block that runs it.
//   2. For each instance of a template what is done for an item around that loop: what stays in
//      front, which steps lead to it, how items are known. All must agree, and be legal.
//   3. The call in place of all that.
#include "rewrite/refill/Refill.h"

#include "rewrite/code/Declarations.h"
#include "rewrite/code/FormNumbers.h"
#include "rewrite/code/ThreadIndex.h"
#include "rewrite/items/ItemBlocks.h"
#include "rewrite/items/ItemIndex.h"
#include "rewrite/items/ItemText.h"
#include "rewrite/refill/PartsText.h"
#include "rewrite/refill/Price.h"
#include "rewrite/refill/Refusals.h"
#include "rewrite/ways/WayCosts.h"
#include "support/LaneMask.h"

#include <algorithm>

namespace heddle::rewrite::refill {
namespace {

using clang::Stmt;

constexpr int mostTiles = 1024;
constexpr int dryLanes = 8;
constexpr int mostTurns = 16, someTurns = 4; ///< between two votes, where turns are short

struct Form {
  int tiles = 0;
  int lanes = dryLanes; ///< that are refilled at once
  int turns = 1;

  /// "4, 8"
  std::string numbers() const {
    return turns == 1 ? fmt::format("{}, {}", tiles, lanes)
                      : fmt::format("{}, {}, {}", tiles, lanes, turns);
  }
};

class Refiller {
public:
  Refiller(const Source& source, const Target& target, const BranchStatement& loop)
      : source_(source), target_(target), loop_(loop) {}

  Legal<std::vector<Proposal>> propose();

private:
  Legal<void> cut();
  void planItems(ItemLoop& loop) const;
  void agree();
  Legal<std::vector<Form>> forms() const;
  std::string call(Form form, const std::string& blocks, const PartsText& text) const;
  Edits editsFor(Form form, const PartsText& text) const;

  const Source& source_;
  const Target& target_;
  const BranchStatement& loop_;
  int threads_ = 0;               ///< of a block
  ItemLoop written_;              ///< as it stands in the file
  std::vector<ItemLoop> plans_{}; ///< for each instance
};

/// How the parts know their item: by its number where that is all they ask for.
void Refiller::planItems(ItemLoop& loop) const {
  if (loop.code.loop != nullptr) {
    const auto strided = findStridedLoop(*loop.code.kernel, *loop.code.loop, threads_);
    loop.travels = Travels::InLoop;
    loop.number = strided->variable;
    loop.bound = strided->bound;
    loop.findNeeded();
    return;
  }
  const auto index =
      target_.measured.block[0] == threads_ ? findItemNumber(loop.code, threads_) : std::nullopt;
  if (index) {
    loop.number = index->variable;
    loop.travels = Travels::ByNumber;
    loop.findNeeded();
    const auto asks = [](const Stmt* code) { return !findItemIndex(*code).names.empty(); };
    if (std::ranges::none_of(loop.kept(), asks) && !loop.changesNumber())
      return;
  }
  loop.number = nullptr;
  loop.travels = Travels::ByCoordinates;
  loop.findNeeded();
}

/// Instances of a template have one text.
void Refiller::agree() {
  const bool byCoordinates = std::ranges::any_of(
      plans_, [](const ItemLoop& plan) { return plan.travels == Travels::ByCoordinates; });
  for (ItemLoop& plan : plans_)
    if (byCoordinates && plan.travels != Travels::ByCoordinates) {
      plan.number = nullptr;
      plan.travels = Travels::ByCoordinates;
      plan.findNeeded();
    }
  std::set<std::size_t> needed;
  for (const ItemLoop& plan : plans_)
    needed.insert(plan.needed.begin(), plan.needed.end());
  for (ItemLoop& plan : plans_)
    plan.needed = needed;
  written_.needed = needed;
}

/// Step 2.
Legal<void> Refiller::cut() {
  auto cut = cutItemLoop(source_, loop_);
  if (!cut)
    return tl::unexpected(cut.error());
  written_ = std::move(*cut);
  std::size_t front = written_.code.steps.size();
  for (const Placed& instance : loop_.instances) {
    auto plan = cutItemLoop(source_, instance);
    if (!plan)
      return tl::unexpected(plan.error());
    front = std::min(front, stepsForFront(source_, plan->code));
    plans_.push_back(std::move(*plan));
  }
  written_.code.moveToFront(front);
  for (ItemLoop& plan : plans_)
    plan.code.moveToFront(front);
  const std::vector<std::size_t> copies = declarationsToCopy(plans_.front().code);
  written_.code.copyFromFront(copies);
  for (ItemLoop& plan : plans_) {
    plan.code.copyFromFront(copies);
    planItems(plan);
  }
  agree();
  for (const ItemLoop& plan : plans_)
    if (auto legal = checkItemLoop(source_, plan, *loop_.function); !legal)
      return legal;
  return {};
}

/// Those that were asked for, or are worth a try.
Legal<std::vector<Form>> Refiller::forms() const {
  if (const auto asked = numbersOf(target_.form, "refilled<", ">")) {
    const int turns = asked->size() == 3 ? asked->back() : 1;
    if (asked->size() >= 2 && asked->size() <= 3 && (*asked)[0] > 0 && (*asked)[0] <= mostTiles &&
        (*asked)[1] > 0 && (*asked)[1] <= warpSize && turns > 0 && turns <= mostTurns)
      return std::vector<Form>{{(*asked)[0], (*asked)[1], turns}};
  }
  const double turns = turnsOfLoop(source_, written_.code, target_.measured);
  std::vector<Form> found;
  for (const int tiles : tilesWorthTrying(target_.measured, turns, true))
    found.push_back({tiles, dryLanes, someTurns});
  if (found.empty())
    return refuse(refusals["too-few-blocks"],
                  "{:.0f} blocks in groups would be less than two for each of {} multiprocessors",
                  target_.measured.blocks, target_.measured.multiprocessors);
  found.push_back({found.front().tiles, dryLanes}); // for long turns
  return found;
}

/// Step 3.
std::string Refiller::call(Form form, const std::string& blocks, const PartsText& text) const {
  const std::string& unit = source_.indentUnit();
  const std::string indent = source_.indentAt(text.moved.begin), argument = indent + unit + unit;
  const auto& block = target_.measured.block;
  std::string name = fmt::format("heddle::refill_tiles<{}, {}>(", threads_, form.numbers());
  if (plans_.front().travels == Travels::ByCoordinates)
    name = fmt::format("heddle::refill_tiles_at<{}, {}, {}, {}>(", block[0], block[1], block[2],
                       form.numbers());
  if (plans_.front().travels == Travels::InLoop)
    name = fmt::format("heddle::refill_items<{}, {}>(\n{}{},", threads_, form.numbers(), argument,
                       source_.textOf(plans_.front().bound->getSourceRange()));
  const auto function = [&](const std::string& body) {
    return functionOfItem(source_, argument,
                          parametersOfItem(source_, plans_.front().items(), written_.code), body);
  };
  if (!blocks.empty())
    name += "\n" + argument + blocks + ",";
  std::string declared;
  for (const std::string& each : text.declarations)
    declared += each + "\n" + indent;
  return fmt::format("{}{}\n{},\n{},\n{});", declared, name, function(text.setup),
                     function(text.turn), function(text.finish));
}

Edits Refiller::editsFor(Form form, const PartsText& text) const {
  Edits edits = source_.include("heddle/refill.cuh");
  std::vector<ItemPlan> plans;
  for (const ItemLoop& each : plans_)
    plans.push_back(each.items());
  edits.add(withoutTaken(source_, plans.front(), written_.code));
  const auto fewer =
      fewerBlocksFor(source_, *loop_.function, plans,
                     turnsOfLoop(source_, written_.code, target_.measured), true, form.tiles);
  if (fewer)
    edits.add(fewer->edits);
  edits.replace(text.moved, call(form, fewer ? fewer->parameter : "", text));
  return edits;
}

Legal<std::vector<Proposal>> Refiller::propose() {
  // Step 1.
  const auto threads = threadsOfBlock(target_);
  if (!threads)
    return tl::unexpected(threads.error());
  threads_ = *threads;
  for (const Placed& instance : loop_.instances) {
    if (auto checked = checkLoopsAround(source_, instance.around, target_, threads_); !checked)
      return tl::unexpected(checked.error());
    const auto* counted = llvm::dyn_cast<clang::ForStmt>(instance.statement);
    if (counted != nullptr && findStridedLoop(*instance.around.back(), *counted, threads_))
      return refuse(refusals["no-loop-of-item"], "the loop goes over items");
    if (const clang::VarDecl* declared = conditionVariable(*instance.statement))
      return refuse(refusals["unhoistable-declaration"], "the loop's condition declares {}",
                    declared->getNameAsString());
  }
  if (auto legal = cut(); !legal)
    return tl::unexpected(legal.error());
  const auto text = writeParts(source_, written_);
  if (!text)
    return tl::unexpected(text.error());
  const auto wanted = forms();
  if (!wanted)
    return tl::unexpected(wanted.error());
  const auto whole = source_.rangeOf(*written_.core);
  std::vector<double> lengths =
      wayLengths(source_, *loop_.statement, {*source_.insideOf(*written_.header.body)},
                 target_.measured.loops);
  for (const double around :
       wayLengths(source_, *loop_.around.back(),
                  {{text->moved.begin, whole->begin}, {whole->end, text->moved.end}}, {}))
    lengths.push_back(around);
  std::vector<Proposal> proposals;
  for (const Form form : *wanted)
    proposals.push_back(
        {fmt::format("refilled<{}>", form.numbers()), editsFor(form, *text), lengths});
  return proposals;
}

constexpr std::string_view formNames[] = {"refilled"};

} // namespace

Legal<std::vector<Proposal>> proposeRefilled(const Source& source, const Target& target) {
  const auto loop = loopOf(*target.branch);
  if (!loop)
    return tl::unexpected(loop.error());
  return Refiller(source, target, *loop).propose();
}

const Rewrite room{
    .name = "refill",
    .summary = "give lanes whose loop has ended the next item, while others are in theirs",
    .forms = formNames,
    .formsAreAlike = true,
    .needsIndependence = true,
    .needs = {3, 0},
    .refusals = refusals,
    .refusesCommunication = true,
    .propose = proposeRefilled,
    .price = priceRefilling,
};

} // namespace heddle::rewrite::refill
