// SPDX-License-Identifier: Apache-2.0
#include "rewrite/compact/Guard.h"

#include "rewrite/code/FloatSums.h"
#include "rewrite/compact/Refusals.h"

#include <algorithm>

namespace heddle::rewrite::compact {
namespace {

using clang::Stmt;

constexpr int longestTail = 6; ///< lines: both functions have them

class Cutter {
public:
  Cutter(const Source& source, const Placed& branch) : source_(source), branch_(branch) {}

  Legal<Guard> cut();

private:
  Legal<void> addWays(const clang::IfStmt& choice);
  Legal<void> addBehind();

  const Source& source_;
  const Placed& branch_;
  Guard guard_;
};

/// Behind a choice that some threads leave at is the way of the others; else it ends all ways.
Legal<void> Cutter::addBehind() {
  const std::vector<const Stmt*>& behind = guard_.behind;
  if (behind.empty())
    return {};
  const auto first = source_.rangeOf(*guard_.choice), last = source_.rangeOf(*behind.back());
  std::optional<Range> range;
  if (first && last)
    range = Range{first->end, last->end};
  if (guard_.ways.size() == 2 && guard_.leaves(*guard_.choice)) {
    guard_.ways.back().code = behind;
    guard_.ways.back().range = range;
    guard_.goesOn = true;
    return {};
  }
  const int from = source_.lineOf(behind.front()->getBeginLoc());
  const int to = source_.lineOf(behind.back()->getEndLoc());
  if (to - from >= longestTail)
    return refuse(
        refusals["code-behind"],
        "lines {} to {} run also for threads without work, and are too many to have twice", from,
        to);
  for (const Stmt* each : behind)
    if (addsFloats(*each))
      return refuse(refusals["code-behind"],
                    "line {} adds floating-point numbers behind the branch, which the compiler may "
                    "fuse with a product of a way once they stand together",
                    source_.lineOf(each->getBeginLoc()));
  guard_.tail = behind;
  guard_.tailRange = range;
  return {};
}

Legal<void> Cutter::addWays(const clang::IfStmt& choice) {
  if (choice.isConstexpr() || choice.isConsteval())
    return refuse(refusals["not-a-choice"], "line {} is decided when the kernel is compiled",
                  source_.lineOf(choice.getBeginLoc()));
  if (choice.hasInitStorage() || choice.getConditionVariable() != nullptr)
    return refuse(refusals["unhoistable-declaration"],
                  "the condition of line {} declares a variable",
                  source_.lineOf(choice.getBeginLoc()));
  const auto rangeOf = [&](const Stmt* arm) {
    return arm != nullptr ? source_.insideOf(*arm) : std::optional<Range>();
  };
  guard_.ways.push_back(
      {choice.getCond(), statementsOf(choice.getThen()), rangeOf(choice.getThen())});
  if (const auto* next = llvm::dyn_cast_or_null<clang::IfStmt>(choice.getElse()))
    return addWays(*next);
  guard_.ways.push_back({nullptr, statementsOf(choice.getElse()), rangeOf(choice.getElse())});
  return {};
}

Legal<Guard> Cutter::cut() {
  const auto* choice = llvm::dyn_cast<clang::IfStmt>(chainOf(branch_));
  if (choice == nullptr)
    return refuse(refusals["not-a-choice"], "the branch is no if");
  auto first = branch_.around.begin(); // that is no else-if
  if (choice != branch_.statement)
    first = std::ranges::find(branch_.around, choice) + 1;
  auto item = cutItem(source_, *choice, {first, branch_.around.end()});
  if (!item)
    return tl::unexpected(item.error());
  static_cast<ItemCode&>(guard_) = std::move(*item);
  guard_.choice = choice;
  if (auto added = addWays(*choice); !added)
    return tl::unexpected(added.error());
  if (auto added = addBehind(); !added)
    return tl::unexpected(added.error());
  return std::move(guard_);
}

} // namespace

bool Guard::leaves(const Way& way) const {
  return !way.code.empty() && isExit(onlyStatement(*way.code.back()));
}

std::vector<const Stmt*> Guard::codeOf(const Way& way) const {
  std::vector<const Stmt*> code = way.code;
  if (!leaves(way))
    code.insert(code.end(), tail.begin(), tail.end());
  return code;
}

std::vector<const Stmt*> Guard::moved() const {
  std::vector<const Stmt*> code;
  for (const Step& step : steps)
    code.push_back(&step.code());
  code.push_back(choice);
  if (goesOn)
    code.insert(code.end(), ways.back().code.begin(), ways.back().code.end());
  code.insert(code.end(), tail.begin(), tail.end());
  return code;
}

Legal<Guard> cutGuard(const Source& source, const Placed& branch) {
  return Cutter(source, branch).cut();
}

} // namespace heddle::rewrite::compact
