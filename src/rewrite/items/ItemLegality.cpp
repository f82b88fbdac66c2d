// SPDX-License-Identifier: Apache-2.0
//
//   1. What moves talks to no other thread, ends no loop, and changes nothing outside of it.
//   2. What it uses from outside is the same for all items that the block takes.
//   3. Who asks which thread this is gets the answer of the item's own.
//   4. The bound of a loop stays as it is, and declarations can be made elsewhere.
#include "rewrite/items/ItemLegality.h"

#include "rewrite/code/BlockValues.h"
#include "rewrite/code/CommonRefusals.h"
#include "rewrite/code/Communication.h"
#include "rewrite/code/Declarations.h"
#include "rewrite/code/Effects.h"
#include "rewrite/code/Flow.h"
#include "rewrite/code/ThreadIndex.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>

#include <algorithm>

namespace heddle::rewrite {
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

class ItemChecker {
public:
  ItemChecker(const Source& source, const ItemPlan& plan)
      : source_(source), plan_(plan), values_(*plan.code.kernel) {
    for (const Stmt* code : plan.kept)
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
  Legal<void> checkBound() const;
  Legal<void> checkDeclarations() const;

  int lineOf(const Stmt& code) const { return source_.lineOf(code.getBeginLoc()); }

  const Source& source_;
  const ItemPlan& plan_;
  BlockValues values_;
  std::set<const VarDecl*> own_; ///< of what is kept
};

/// Step 1.
Legal<void> ItemChecker::checkTalks() const {
  for (const Stmt* code : plan_.moved)
    if (auto talks = refuseCommunication(source_, *code); !talks)
      return talks;
  return {};
}

Legal<void> ItemChecker::checkExits() const {
  if (plan_.code.loop == nullptr)
    return {};
  const Exits exits = findExits(*plan_.code.loop->getBody());
  const Stmt* end = !exits.breaks.empty() ? exits.breaks.front() : nullptr;
  if (!exits.returns.empty())
    end = exits.returns.front();
  if (end != nullptr)
    return refuse(common["ends-loop"], "line {} ends the loop over items", lineOf(*end));
  return {};
}

Legal<void> ItemChecker::checkChanges() const {
  for (const Stmt* code : plan_.kept)
    for (const VarDecl* variable : effectsOf(*code).changes) {
      const std::string name = variable->getNameAsString();
      if (variable->hasAttr<clang::CUDASharedAttr>())
        return refuse(communication["shared-memory-inside"],
                      "line {} may write {}, which is shared by the block", lineOf(*code), name);
      const clang::QualType element = variable->getType()->isArrayType()
                                          ? source_.ast().getBaseElementType(variable->getType())
                                          : variable->getType();
      if (variable->hasLocalStorage() && !own_.contains(variable) && !element.isConstQualified())
        return refuse(common["changes-outside"], "line {} may change {}, declared in line {}",
                      lineOf(*code), name, source_.lineOf(variable->getLocation()));
    }
  return {};
}

/// Step 2: each block does it as before, and what it leaves is for the items of others, too.
Legal<void> ItemChecker::checkFront() const {
  const auto& parting = values_.divergentReturns();
  for (const Stmt* code : plan_.code.front)
    for (const clang::ReturnStmt* each : findExits(*code).returns)
      if (std::ranges::find(parting, each) != parting.end())
        return refuse(
            common["divergent-entry"],
            "some threads of a block return in line {}, and would not come to its barrier",
            lineOf(*each));
  if (plan_.code.loop != nullptr)
    return {};
  for (const Stmt* code : plan_.code.front) {
    if (plan_.taken.contains(code))
      continue;
    if (auto talks = refuseWarpCommunication(source_, *code); !talks)
      return talks;
    const ThreadIndexUses uses = findItemIndex(*code);
    for (const clang::Expr* name : uses.names)
      if (isBlockIndex(*name))
        return refuse(common["value-of-block"],
                      "line {} uses blockIdx in front, and a block takes the items of others, too",
                      lineOf(*name));
    if (!uses.calls.empty())
      return refuse(common["value-of-block"], "line {} calls {}, which may use blockIdx",
                    lineOf(*uses.calls.front()),
                    uses.calls.front()->getDirectCallee()->getNameAsString());
  }
  return {};
}

Legal<void> ItemChecker::checkOutside() const {
  std::vector<const Stmt*> code = plan_.kept;
  if (plan_.bound != nullptr)
    code.push_back(plan_.bound);
  for (const Stmt* each : code)
    for (const VarDecl* variable : variablesIn(*each))
      if (variable->hasLocalStorage() && !own_.contains(variable) && !values_.isUniform(*variable))
        return refuse(common["value-of-thread"],
                      "line {} uses {}, which line {} sets, and which is not proven to be the same "
                      "for all threads of a block",
                      lineOf(*each), variable->getNameAsString(),
                      source_.lineOf(variable->getLocation()));
  return {};
}

/// Step 3.
Legal<void> ItemChecker::checkIndices() const {
  for (const Stmt* code : plan_.kept) {
    const ThreadIndexUses uses = findItemIndex(*code);
    if (!uses.calls.empty())
      return refuse(
          common["thread-index-inside"], "line {} calls {}, which uses threadIdx or blockIdx",
          lineOf(*uses.calls.front()), uses.calls.front()->getDirectCallee()->getNameAsString());
    if (plan_.travels == Travels::InLoop && !uses.names.empty())
      return refuse(common["thread-index-inside"],
                    "line {} asks for the thread or block, and another thread may run it",
                    lineOf(*uses.names.front()));
  }
  return {};
}

/// Step 4.
/// The bound of a loop is read once instead of in every turn.
Legal<void> ItemChecker::checkBound() const {
  if (plan_.bound == nullptr)
    return {};
  const ThreadIndexUses uses = findItemIndex(*plan_.bound);
  if (!uses.names.empty() || !uses.calls.empty())
    return refuse(common["thread-index-inside"],
                  "the bound in line {} may differ between the threads of a block",
                  lineOf(*plan_.bound));
  const auto mayChange = [&](const VarDecl* each) {
    const clang::QualType type = each->getType();
    const bool isGlobal = !each->hasLocalStorage() && !type.isConstQualified() &&
                          !each->hasAttr<clang::CUDAConstantAttr>();
    return each == plan_.number || (isGlobal && !isBuiltin(*each));
  };
  if (readsWritable(*plan_.bound))
    return refuse(common["changes-outside"],
                  "the bound in line {} reads memory that is not const, and may change",
                  lineOf(*plan_.bound));
  for (const VarDecl* variable : variablesIn(*plan_.bound))
    if (mayChange(variable))
      return refuse(common["changes-outside"], "the bound in line {} uses {}, which may change",
                    lineOf(*plan_.bound), variable->getNameAsString());
  return {};
}

Legal<void> ItemChecker::checkDeclarations() const {
  for (const Step& step : plan_.code.steps) {
    const auto* declares = llvm::dyn_cast_or_null<clang::DeclStmt>(step.statement);
    if (declares == nullptr || std::ranges::find(plan_.kept, declares) == plan_.kept.end())
      continue;
    for (const clang::Decl* each : declares->decls()) {
      const auto* variable = llvm::dyn_cast<VarDecl>(each);
      if (variable != nullptr &&
          (llvm::isa<clang::DecompositionDecl>(variable) || variable->hasGlobalStorage()))
        return refuse(common["unhoistable-declaration"],
                      "line {} declares {}, which is static, shared or a structured binding",
                      lineOf(*declares), variable->getNameAsString());
    }
  }
  return {};
}

Legal<void> ItemChecker::check() const {
  using Check = Legal<void> (ItemChecker::*)() const;
  for (const Check each :
       {&ItemChecker::checkTalks, &ItemChecker::checkExits, &ItemChecker::checkFront,
        &ItemChecker::checkChanges, &ItemChecker::checkIndices, &ItemChecker::checkOutside,
        &ItemChecker::checkBound, &ItemChecker::checkDeclarations})
    if (auto checked = (this->*each)(); !checked)
      return checked;
  return {};
}

} // namespace

Legal<void> checkItems(const Source& source, const ItemPlan& plan) {
  return ItemChecker(source, plan).check();
}

} // namespace heddle::rewrite
