// SPDX-License-Identifier: Apache-2.0
//
//   1. What moves talks to no other thread, ends no loop, and changes nothing outside of it.
//   2. What it uses from outside is the same for all items that the block takes.
//   3. Who asks which thread this is gets the answer of the item's own.
//   4. What the work needs from the steps can be computed again.
//   5. Each name means one variable once scopes are joined.
#include "rewrite/compact/Legality.h"

#include "rewrite/code/BlockValues.h"
#include "rewrite/code/Communication.h"
#include "rewrite/code/Declarations.h"
#include "rewrite/code/Flow.h"
#include "rewrite/code/ThreadIndex.h"
#include "rewrite/compact/Refusals.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>

#include <algorithm>
#include <map>

namespace heddle::rewrite::compact {
namespace {

using clang::Stmt;
using clang::VarDecl;

bool isBlockIndex(const clang::Expr& name) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&name);
  return reference == nullptr || reference->getDecl()->getName() == "blockIdx";
}

bool isBuiltin(const VarDecl& variable) {
  return variable.getName() == "gridDim" || variable.getName() == "blockDim";
}

/// Memory behind a pointer through which it may be written, too.
bool readsWritable(const Stmt& code) {
  const clang::Expr* pointer = nullptr;
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&code);
      unary != nullptr && unary->getOpcode() == clang::UO_Deref)
    pointer = unary->getSubExpr();
  else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&code))
    pointer = element->getBase();
  else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&code);
           member != nullptr && member->isArrow())
    pointer = member->getBase();
  if (pointer != nullptr && !pointer->getType()->getPointeeType().isConstQualified())
    return true;
  return std::ranges::any_of(code.children(), [](const Stmt* child) {
    return child != nullptr && !llvm::isa<clang::PseudoObjectExpr>(child) && readsWritable(*child);
  });
}

class Checker {
public:
  Checker(const Source& source, const Plan& plan)
      : source_(source), plan_(plan), guard_(plan.guard), kept_(plan.keptCode()),
        values_(*plan.guard.kernel) {
    for (const Stmt* code : kept_)
      for (const VarDecl* variable : declaredIn(*code))
        own_.insert(variable);
    own_.insert(plan.number);
  }

  Legal<void> check() const;

private:
  Legal<void> checkTalks() const;
  Legal<void> checkExits() const;
  Legal<void> checkChanges() const;
  Legal<void> checkFront() const;
  Legal<void> checkOutside() const;
  Legal<void> checkIndices() const;
  Legal<void> checkConditions() const;
  Legal<void> checkBound() const;
  Legal<void> checkRepeated() const;
  Legal<void> checkDeclarations() const;
  Legal<void> checkNames() const;
  Legal<void> refuseSameNames(const std::vector<const VarDecl*>& variables) const;

  int lineOf(const Stmt& code) const { return source_.lineOf(code.getBeginLoc()); }
  /// The first step of the test that stores, and goes on.
  const Stmt* storingStep() const;

  const Source& source_;
  const Plan& plan_;
  const Guard& guard_;
  std::vector<const Stmt*> kept_; ///< all that is in one of the functions
  BlockValues values_;
  std::set<const VarDecl*> own_; ///< of what is kept
};

/// Step 1.
Legal<void> Checker::checkTalks() const {
  for (const Stmt* code : guard_.moved())
    if (auto talks = refuseCommunication(source_, *code); !talks)
      return talks;
  return {};
}

Legal<void> Checker::checkExits() const {
  if (guard_.loop == nullptr)
    return {};
  const Exits exits = findExits(*guard_.loop->getBody());
  const Stmt* end = !exits.breaks.empty() ? exits.breaks.front() : nullptr;
  if (!exits.returns.empty())
    end = exits.returns.front();
  if (end != nullptr)
    return refuse(refusals["ends-loop"], "line {} ends the loop over items", lineOf(*end));
  return {};
}

Legal<void> Checker::checkChanges() const {
  for (const Stmt* code : kept_)
    for (const VarDecl* variable : effectsOf(*code).changes) {
      const std::string name = variable->getNameAsString();
      if (variable->hasAttr<clang::CUDASharedAttr>())
        return refuse(communication["shared-memory-inside"],
                      "line {} may write {}, which is shared by the block", lineOf(*code), name);
      const clang::QualType element = variable->getType()->isArrayType()
                                          ? source_.ast().getBaseElementType(variable->getType())
                                          : variable->getType();
      if (variable->hasLocalStorage() && !own_.contains(variable) && !element.isConstQualified())
        return refuse(refusals["changes-outside"], "line {} may change {}, declared in line {}",
                      lineOf(*code), name, source_.lineOf(variable->getLocation()));
    }
  return {};
}

/// Step 2: each block does it as before, and what it leaves is for the items of others, too.
Legal<void> Checker::checkFront() const {
  const auto& parting = values_.divergentReturns();
  for (const Stmt* code : guard_.front)
    for (const clang::ReturnStmt* each : findExits(*code).returns)
      if (std::ranges::find(parting, each) != parting.end())
        return refuse(
            refusals["divergent-entry"],
            "some threads of a block return in line {}, and would not come to its barrier",
            lineOf(*each));
  if (guard_.loop != nullptr)
    return {};
  for (const Stmt* code : guard_.front) {
    if (plan_.taken.contains(code))
      continue;
    if (auto talks = refuseWarpCommunication(source_, *code); !talks)
      return talks;
    const ThreadIndexUses uses = findItemIndex(*code);
    for (const clang::Expr* name : uses.names)
      if (isBlockIndex(*name))
        return refuse(refusals["value-of-block"],
                      "line {} uses blockIdx in front, and a block takes the items of others, too",
                      lineOf(*name));
    if (!uses.calls.empty())
      return refuse(refusals["value-of-block"], "line {} calls {}, which may use blockIdx",
                    lineOf(*uses.calls.front()),
                    uses.calls.front()->getDirectCallee()->getNameAsString());
  }
  return {};
}

Legal<void> Checker::checkOutside() const {
  std::vector<const Stmt*> code = kept_;
  if (plan_.bound != nullptr)
    code.push_back(plan_.bound);
  for (const Stmt* each : code)
    for (const VarDecl* variable : variablesIn(*each))
      if (variable->hasLocalStorage() && !own_.contains(variable) && !values_.isUniform(*variable))
        return refuse(refusals["value-of-thread"],
                      "line {} uses {}, which line {} sets, and which is not proven to be the same "
                      "for all threads of a block",
                      lineOf(*each), variable->getNameAsString(),
                      source_.lineOf(variable->getLocation()));
  return {};
}

/// Step 3.
Legal<void> Checker::checkIndices() const {
  for (const Stmt* code : kept_) {
    const ThreadIndexUses uses = findItemIndex(*code);
    if (!uses.calls.empty())
      return refuse(
          refusals["thread-index-inside"], "line {} calls {}, which uses threadIdx or blockIdx",
          lineOf(*uses.calls.front()), uses.calls.front()->getDirectCallee()->getNameAsString());
    if (plan_.travels == Travels::InLoop && !uses.names.empty())
      return refuse(refusals["thread-index-inside"],
                    "line {} asks for the thread or block, and another thread may run it",
                    lineOf(*uses.names.front()));
  }
  return {};
}

/// Step 4.
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

/// The bound of a loop is read once instead of in every turn.
Legal<void> Checker::checkBound() const {
  if (plan_.bound == nullptr)
    return {};
  const ThreadIndexUses uses = findItemIndex(*plan_.bound);
  if (!uses.names.empty() || !uses.calls.empty())
    return refuse(refusals["thread-index-inside"],
                  "the bound in line {} may differ between the threads of a block",
                  lineOf(*plan_.bound));
  const auto mayChange = [&](const VarDecl* each) {
    const clang::QualType type = each->getType();
    const bool isGlobal = !each->hasLocalStorage() && !type.isConstQualified() &&
                          !each->hasAttr<clang::CUDAConstantAttr>();
    return each == plan_.number || (isGlobal && !isBuiltin(*each));
  };
  if (readsWritable(*plan_.bound))
    return refuse(refusals["changes-outside"],
                  "the bound in line {} reads memory that is not const, and may change",
                  lineOf(*plan_.bound));
  for (const VarDecl* variable : variablesIn(*plan_.bound))
    if (mayChange(variable))
      return refuse(refusals["changes-outside"], "the bound in line {} uses {}, which may change",
                    lineOf(*plan_.bound), variable->getNameAsString());
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

Legal<void> Checker::checkDeclarations() const {
  for (std::size_t i = 0; i < guard_.steps.size(); ++i) {
    const auto* declares = llvm::dyn_cast_or_null<clang::DeclStmt>(guard_.steps[i].statement);
    if (declares == nullptr || !plan_.needs.any(i))
      continue;
    for (const clang::Decl* each : declares->decls()) {
      const auto* variable = llvm::dyn_cast<VarDecl>(each);
      if (variable != nullptr &&
          (llvm::isa<clang::DecompositionDecl>(variable) || variable->hasGlobalStorage()))
        return refuse(refusals["unhoistable-declaration"],
                      "line {} declares {}, which is static, shared or a structured binding",
                      lineOf(*declares), variable->getNameAsString());
    }
  }
  return {};
}

/// Step 5: those of the steps, with those of each way.
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
  using Check = Legal<void> (Checker::*)() const;
  for (const Check each : {&Checker::checkTalks, &Checker::checkExits, &Checker::checkFront,
                           &Checker::checkChanges, &Checker::checkIndices, &Checker::checkOutside,
                           &Checker::checkConditions, &Checker::checkBound, &Checker::checkRepeated,
                           &Checker::checkDeclarations, &Checker::checkNames})
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
