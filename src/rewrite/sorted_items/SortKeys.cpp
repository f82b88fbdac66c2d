// SPDX-License-Identifier: Apache-2.0
//
//   1. A branch that leaves a loop is part of what ends the loop.
//   2. Where its values come from: memory that is read by the item's number, or what was computed.
//   3. In a loop around it, other than one over items, it must come from what the loop does not
//      change.
#include "rewrite/sorted_items/SortKeys.h"

#include "rewrite/code/Effects.h"
#include "rewrite/code/LoopPieces.h"
#include "rewrite/code/Modified.h"
#include "rewrite/code/TreeVisitor.h"
#include "rewrite/rows/RowLoop.h"

#include <algorithm>
#include <set>
#include <vector>

namespace heddle::rewrite::sorted_items {
namespace {

using clang::Expr;
using clang::Stmt;
using clang::VarDecl;

/// The first value of a local variable that is never changed; nullptr: it is none.
const Expr* onlyValueOf(const Expr& value, const std::set<const VarDecl*>& changed) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value.IgnoreParenImpCasts());
  const auto* variable = name != nullptr ? llvm::dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  const bool isFixed = variable != nullptr && variable->hasLocalStorage() && variable->hasInit() &&
                       !changed.contains(variable);
  return isFixed ? variable->getInit() : nullptr;
}

/// Step 2.
class Origins final : public TreeVisitor {
public:
  Origins(const ItemNumbers& items, const std::set<const VarDecl*>& changed)
      : items_(items), changed_(changed) {}

  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr*) override { return loads = true; }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) override {
    loads |= operation->getOpcode() == clang::UO_Deref;
    computed |= operation->isIncrementDecrementOp();
    return true;
  }
  bool VisitCallExpr(clang::CallExpr*) override { return computed = true; }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto* variable = llvm::dyn_cast<VarDecl>(name->getDecl());
    if (variable == nullptr || variable->isStaticLocal() || !seen_.insert(variable).second)
      return true;
    if (items_.contains(*variable)) {
      byItem = true;
    } else if (const Expr* value = onlyValueOf(*name, changed_)) {
      TraverseStmt(const_cast<Expr*>(value));
    } else if (variable->isLocalVarDecl() || changed_.contains(variable)) {
      computed = true;
    }
    return true;
  }

  bool loads = false, computed = false, byItem = false;

  bool isKnown() const { return loads && byItem && !computed; }

private:
  const ItemNumbers& items_;
  const std::set<const VarDecl*>& changed_;
  std::set<const VarDecl*> seen_;
};

/// Of the loop, of all that leaves it, or of the choice.
const Expr* conditionOf(const Stmt& decided) {
  if (isLoop(decided))
    return headerOf(decided).condition;
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(&decided))
    return branch->getCond();
  if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(&decided))
    return choice->getCond();
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(&decided))
    return choice->getCond();
  return nullptr;
}

/// Step 1.
Placed decidedBy(const Placed& branch) {
  if (isLoop(*branch.statement) || branch.loop() == nullptr)
    return branch;
  const Exits exits = findExits(*branch.statement);
  return exits.breaks.empty() && exits.returns.empty() ? branch : loopAround(branch);
}

class KeyFinder {
public:
  KeyFinder(const Source& source, const Placed& decided, const ItemNumbers& items)
      : source_(source), decided_(decided), items_(items),
        changed_(modifiedIn(*decided.around.back())) {}

  std::optional<SortKey> find() const {
    SortKey key{decided_.statement, {}, false};
    const Expr* condition = conditionOf(*decided_.statement);
    if (isLoop(*decided_.statement)) {
      if (items_.isItemLoop(*decided_.statement))
        return std::nullopt;
      readLength(key);
    } else if (condition != nullptr) {
      readChoice(*condition, key);
    }
    const bool isByItem = key.isKnown || isComputed(condition);
    return isByItem && isSameEachTurn(key) ? std::optional(key) : std::nullopt;
  }

private:
  Origins originsOf(const Expr& value) const {
    Origins origins(items_, changed_);
    origins.TraverseStmt(const_cast<Expr*>(&value));
    return origins;
  }

  /// What leaves a loop from inside it is taken to be so, too.
  bool isComputed(const Expr* condition) const {
    return endsEarly() || (condition != nullptr && originsOf(*condition).computed);
  }

  bool endsEarly() const {
    if (!isLoop(*decided_.statement))
      return false;
    const Exits exits = findExits(*headerOf(*decided_.statement).body);
    return !exits.breaks.empty() || !exits.returns.empty();
  }

  std::string textOf(const Expr& value) const {
    const Expr* first = onlyValueOf(value, changed_);
    return source_.textOf((first != nullptr ? *first : value).getSourceRange());
  }

  /// Of a loop over consecutive items that nothing ends early.
  void readLength(SortKey& key) const {
    const auto row = readRowLoop(source_, decided_);
    if (!row || endsEarly() || row->begin == nullptr)
      return;
    const Origins begin = originsOf(*row->begin), end = originsOf(*row->end);
    key.isKnown = (begin.isKnown() || end.isKnown()) && !begin.computed && !end.computed;
    if (!key.isKnown)
      return;
    const bool fromStart = !begin.loads && !begin.byItem;
    key.text = fromStart ? textOf(*row->end) : textOf(*row->end) + " - " + textOf(*row->begin);
  }

  void readChoice(const Expr& condition, SortKey& key) const {
    key.isKnown = originsOf(condition).isKnown();
    key.text = textOf(condition);
  }

  /// Step 3.
  bool isSameEachTurn(const SortKey& key) const {
    return std::ranges::all_of(decided_.around, [&](const Stmt* around) {
      return !isLoop(*around) || items_.isItemLoop(*around) ||
             (key.isKnown && !effectsOf(*around).stores);
    });
  }

  const Source& source_;
  const Placed& decided_;
  const ItemNumbers& items_;
  std::set<const VarDecl*> changed_;
};

/// Where code calls a function.
class Calls final : public TreeVisitor {
public:
  explicit Calls(const clang::FunctionDecl& function) : function_(*function.getCanonicalDecl()) {}

  bool aroundStatement(Stmt* statement, Walk inside) override {
    const bool entersLoop = isLoop(*statement);
    if (entersLoop)
      loops_.push_back(statement);
    const bool goOn = inside();
    if (entersLoop)
      loops_.pop_back();
    return goOn;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee != nullptr && callee->getCanonicalDecl() == &function_) {
      ++count;
      around = loops_;
    }
    return true;
  }

  int count = 0;
  std::vector<const Stmt*> around; ///< loops, of the last one

private:
  const clang::FunctionDecl& function_;
  std::vector<const Stmt*> loops_;
};

} // namespace

std::optional<SortKey> findSortKeyOfCall(const BranchStatement& branch, const Stmt& kernel,
                                         const ItemNumbers& items) {
  const Placed decided = decidedBy(branch.instances.front());
  Calls calls(*branch.function);
  calls.TraverseStmt(const_cast<Stmt*>(&kernel));
  const bool isOnce = calls.count == 1 && std::ranges::all_of(calls.around, [&](const Stmt* loop) {
                        return items.isItemLoop(*loop);
                      });
  return isLoop(*decided.statement) && decided.loop() == nullptr && isOnce
             ? std::optional(SortKey{decided.statement, {}, false})
             : std::nullopt;
}

std::optional<SortKey> findSortKey(const Source& source, const Placed& branch,
                                   const ItemNumbers& items) {
  return KeyFinder(source, decidedBy(branch), items).find();
}

} // namespace heddle::rewrite::sorted_items
