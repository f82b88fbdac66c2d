// SPDX-License-Identifier: Apache-2.0
//
//   1. Other threads may do the item.
//   2. What the work needs from the steps can be computed again.
//   3. Each name means one variable once scopes are joined.
#include "rewrite/compact/Legality.h"

#include "rewrite/code/Declarations.h"
#include "rewrite/code/ThreadIndex.h"
#include "rewrite/compact/Refusals.h"

#include <algorithm>
#include <map>

namespace heddle::rewrite::compact {
namespace {

using clang::Stmt;
using clang::VarDecl;

class Checker {
public:
  Checker(const Source& source, const Plan& plan)
      : source_(source), plan_(plan), guard_(plan.guard) {}

  Legal<void> check() const;

private:
  Legal<void> checkConditions() const;
  Legal<void> checkRepeated() const;
  Legal<void> checkNames() const;
  Legal<void> refuseSameNames(const std::vector<const VarDecl*>& variables) const;

  int lineOf(const Stmt& code) const { return source_.lineOf(code.getBeginLoc()); }
  /// The first step of the test that stores, and goes on.
  const Stmt* storingStep() const;

  const Source& source_;
  const Plan& plan_;
  const Guard& guard_;
};

/// Step 2.
Legal<void> Checker::checkConditions() const {
  std::vector<const Stmt*> conditions;
  for (const Step& step : guard_.steps)
    if (step.enters != nullptr)
      conditions.push_back(step.enters);
  for (const Way& way : guard_.ways)
    if (way.condition != nullptr)
      conditions.push_back(way.condition);
  if (plan_.bound != nullptr)
    conditions.push_back(plan_.bound);
  for (const Stmt* condition : conditions)
    if (!effectsOf(*condition).pure())
      return refuse(refusals["side-effects-before"], "the condition in line {} changes something",
                    lineOf(*condition));
  return {};
}

const Stmt* Checker::storingStep() const {
  for (const std::size_t i : plan_.needs.test) {
    const Stmt* step = guard_.steps[i].statement;
    if (step == nullptr || !effectsOf(*step).stores)
      continue;
    const auto* test = llvm::dyn_cast<clang::IfStmt>(step);
    if (test == nullptr || !guard_.leaves(*test) || !effectsOf(*test->getCond()).pure())
      return step;
  }
  return nullptr;
}

Legal<void> Checker::checkRepeated() const {
  const Stmt* storing = storingStep();
  for (const std::size_t i : plan_.needs.work) {
    const Stmt& step = guard_.steps[i].code();
    const Effects effects = effectsOf(step);
    if (effects.stores)
      return refuse(refusals["side-effects-before"],
                    "line {} may write memory, and the work needs it once more", lineOf(step));
    if (storing != nullptr && (effects.loads || !effects.exposed.empty()))
      return refuse(refusals["side-effects-before"],
                    "line {} may write what line {} reads, which the work needs once more",
                    lineOf(*storing), lineOf(step));
  }
  return {};
}

/// Step 3: those of the steps, with those of each way.
Legal<void> Checker::checkNames() const {
  std::vector<const VarDecl*> front;
  if (plan_.number != nullptr)
    front.push_back(plan_.number);
  const auto add = [](std::vector<const VarDecl*>& to, const Stmt* code) {
    if (llvm::isa_and_nonnull<clang::DeclStmt>(code))
      for (const VarDecl* variable : declaredIn(*code))
        to.push_back(variable);
  };
  for (std::size_t i = 0; i < guard_.steps.size(); ++i)
    if (plan_.needs.any(i))
      add(front, guard_.steps[i].statement);
  for (const Way& way : guard_.ways) {
    std::vector<const VarDecl*> all = front;
    for (const Stmt* code : guard_.codeOf(way))
      add(all, code);
    if (auto checked = refuseSameNames(all); !checked)
      return checked;
    for (const Stmt* code : guard_.tail) // it names what the way would hide
      for (const VarDecl* variable : variablesIn(*code))
        if (std::ranges::find(all, variable) == all.end())
          all.push_back(variable);
    if (auto checked = refuseSameNames(all); !checked)
      return checked;
  }
  return {};
}

Legal<void> Checker::refuseSameNames(const std::vector<const VarDecl*>& variables) const {
  std::map<llvm::StringRef, const VarDecl*> known;
  for (const VarDecl* variable : variables) {
    const auto [found, isNew] = known.emplace(variable->getName(), variable);
    if (!isNew && found->second != variable)
      return refuse(refusals["unhoistable-declaration"], "line {} and line {} both declare {}",
                    source_.lineOf(found->second->getLocation()),
                    source_.lineOf(variable->getLocation()), variable->getNameAsString());
  }
  return {};
}

Legal<void> Checker::check() const {
  // Step 1.
  if (auto checked = checkItems(source_, plan_.items()); !checked)
    return checked;
  using Check = Legal<void> (Checker::*)() const;
  for (const Check each :
       {&Checker::checkConditions, &Checker::checkRepeated, &Checker::checkNames})
    if (auto checked = (this->*each)(); !checked)
      return checked;
  return {};
}

} // namespace

Legal<void> checkPlan(const Source& source, const Plan& plan) {
  return Checker(source, plan).check();
}

std::vector<const Stmt*> Plan::keptCode() const {
  std::vector<const Stmt*> kept;
  for (std::size_t i = 0; i < guard.steps.size(); ++i)
    if (needs.any(i))
      kept.push_back(&guard.steps[i].code());
  kept.push_back(guard.choice);
  if (guard.goesOn)
    kept.insert(kept.end(), guard.ways.back().code.begin(), guard.ways.back().code.end());
  kept.insert(kept.end(), guard.tail.begin(), guard.tail.end());
  return kept;
}

bool numberIsEnough(const Plan& plan) {
  const auto asks = [](const Stmt* code) { return !findItemIndex(*code).names.empty(); };
  return plan.number != nullptr && std::ranges::none_of(plan.keptCode(), asks);
}

} // namespace heddle::rewrite::compact
