// SPDX-License-Identifier: Apache-2.0
#include "rewrite/items/ItemCode.h"

#include "rewrite/code/BlockValues.h"
#include "rewrite/code/CommonRefusals.h"
#include "rewrite/code/Communication.h"
#include "rewrite/code/Effects.h"
#include "rewrite/code/ThreadIndex.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>

namespace heddle::rewrite {
namespace {

using clang::Stmt;

class ItemCutter {
public:
  ItemCutter(const Source& source, const Stmt& core, const std::vector<const Stmt*>& around)
      : source_(source), core_(core), around_(around) {}

  Legal<ItemCode> cut();

private:
  Legal<void> findItem();
  Legal<void> addAround();
  Legal<void> addBlock(const clang::CompoundStmt& block, const Stmt* inner);

  const Source& source_;
  const Stmt& core_;
  const std::vector<const Stmt*>& around_;
  std::size_t item_ = 0; ///< of those: behind the last that is part of what is done for an item
  ItemCode code_;
};

/// The outermost block, or the body of a loop that stands in it.
Legal<void> ItemCutter::findItem() {
  code_.kernel = llvm::dyn_cast<clang::CompoundStmt>(around_.back());
  if (code_.kernel == nullptr)
    return refuse(common["not-top-level"], "the kernel has no body of its own");
  item_ = around_.size();
  for (std::size_t i = around_.size(); i-- > 0;)
    if (isLoop(*around_[i])) {
      code_.loop = llvm::dyn_cast<clang::ForStmt>(around_[i]);
      const bool isOwn =
          i + 2 == around_.size() ||
          (i + 3 == around_.size() && llvm::isa<clang::AttributedStmt>(around_[i + 1]));
      if (code_.loop == nullptr || !isOwn)
        return refuse(common["not-top-level"], "the branch stands in the loop of line {}",
                      source_.lineOf(around_[i]->getBeginLoc()));
      item_ = i;
      const auto top = std::find(code_.kernel->body_begin(), code_.kernel->body_end(),
                                 around_[around_.size() - 2]);
      code_.front.assign(code_.kernel->body_begin(), top);
      code_.last = code_.loop;
      break;
    }
  if (code_.loop == nullptr)
    code_.last = code_.kernel->body_back();
  return {};
}

/// From the outside in.
Legal<void> ItemCutter::addAround() {
  for (std::size_t i = item_; i-- > 0;) {
    const Stmt* around = around_[i];
    const Stmt* inner = i == 0 ? &core_ : around_[i - 1];
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(around)) {
      if (auto added = addBlock(*block, inner); !added)
        return added;
      continue;
    }
    const auto* entered = llvm::dyn_cast<clang::IfStmt>(around);
    if (entered == nullptr || entered->isConstexpr() || entered->hasInitStorage() ||
        entered->getConditionVariable() != nullptr)
      return refuse(common["not-top-level"], "the branch stands inside the statement of line {}",
                    source_.lineOf(around->getBeginLoc()));
    if (entered->getElse() != nullptr)
      return refuse(common["code-behind"],
                    "the if of line {} has an else, for threads that do not reach the branch",
                    source_.lineOf(around->getBeginLoc()));
    code_.steps.push_back({nullptr, entered->getCond(), entered});
  }
  return {};
}

Legal<void> ItemCutter::addBlock(const clang::CompoundStmt& block, const Stmt* inner) {
  const auto at = std::find(block.body_begin(), block.body_end(), inner);
  for (auto each = block.body_begin(); each != at; ++each)
    code_.steps.push_back({*each});
  if (at + 1 == block.body_end())
    return {};
  if (inner == &core_) {
    code_.behind.assign(at + 1, block.body_end());
    return {};
  }
  return refuse(common["code-behind"], "line {} runs also for threads that do not reach the branch",
                source_.lineOf((*(at + 1))->getBeginLoc()));
}

Legal<ItemCode> ItemCutter::cut() {
  if (auto found = findItem(); !found)
    return tl::unexpected(found.error());
  if (auto added = addAround(); !added)
    return tl::unexpected(added.error());
  return std::move(code_);
}

bool hasBarrier(const Source& source, const Stmt& statement) {
  const auto talks = refuseCommunication(source, statement);
  return !talks && talks.error().kind->id == communication["barrier-inside"].id;
}

/// A type, shared memory, or variables with values that all threads of the grid have.
bool isForAll(const Stmt& statement, const BlockValues& values) {
  const auto* declares = llvm::dyn_cast<clang::DeclStmt>(&statement);
  if (declares == nullptr)
    return false;
  const ThreadIndexUses uses = findItemIndex(statement);
  return uses.names.empty() && uses.calls.empty() &&
         std::ranges::all_of(declares->decls(), [&](const clang::Decl* each) {
           const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
           return variable == nullptr || variable->hasAttr<clang::CUDASharedAttr>() ||
                  (!llvm::isa<clang::DecompositionDecl>(variable) && values.isUniform(*variable) &&
                   variable->hasInit());
         });
}

/// Built-in variables, local ones and numbers, and operators that touch no memory.
bool isArithmetic(const Stmt& code) {
  if (llvm::isa<clang::PseudoObjectExpr>(code))
    return true;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&code)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    return variable == nullptr || variable->hasLocalStorage();
  }
  const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&code);
  const bool isOperator =
      (unary != nullptr && unary->getOpcode() != clang::UO_Deref) ||
      llvm::isa<clang::DeclStmt, clang::BinaryOperator, clang::ConditionalOperator, clang::CastExpr,
                clang::ParenExpr, clang::IntegerLiteral, clang::FloatingLiteral,
                clang::CXXBoolLiteralExpr, clang::SubstNonTypeTemplateParmExpr>(code);
  return isOperator && std::ranges::all_of(code.children(), [](const Stmt* child) {
           return child == nullptr || isArithmetic(*child);
         });
}

/// Has the same value behind the front: it reads no memory, and no variable that changes.
bool isAlwaysTheSame(const clang::DeclStmt& declares, const std::vector<const Stmt*>& front) {
  const Effects effects = effectsOf(declares);
  if (!isArithmetic(declares))
    return false;
  std::set<const clang::VarDecl*> used = effects.reads;
  used.insert(effects.declares.begin(), effects.declares.end());
  return std::ranges::none_of(front, [&](const Stmt* code) {
    const auto changed = effectsOf(*code).changes;
    return std::ranges::any_of(used, [&](auto* each) { return changed.contains(each); });
  });
}

} // namespace

const Stmt& onlyStatement(const Stmt& statement) {
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(&statement);
  return block != nullptr && block->size() == 1 ? onlyStatement(*block->body_front()) : statement;
}

std::vector<const Stmt*> statementsOf(const Stmt* arm) {
  if (arm == nullptr || llvm::isa<clang::NullStmt>(arm))
    return {};
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(arm))
    return {block->body_begin(), block->body_end()};
  return {arm};
}

bool ItemCode::isExit(const Stmt& statement) const {
  return loop != nullptr ? llvm::isa<clang::ContinueStmt>(statement)
                         : llvm::isa<clang::ReturnStmt>(statement);
}

const clang::IfStmt* ItemCode::asExit(const Step& step) const {
  const auto* test = llvm::dyn_cast_or_null<clang::IfStmt>(step.statement);
  const bool isPlain = test != nullptr && test->getElse() == nullptr && !test->isConstexpr() &&
                       !test->hasInitStorage() && test->getConditionVariable() == nullptr;
  return isPlain && isExit(onlyStatement(*test->getThen())) ? test : nullptr;
}

bool ItemCode::leaves(const clang::IfStmt& test) const {
  const std::vector<const Stmt*> code = statementsOf(test.getThen());
  return test.getElse() == nullptr && !code.empty() && isExit(onlyStatement(*code.back()));
}

void ItemCode::moveToFront(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    front.push_back(steps[i].statement);
  steps.erase(steps.begin(), steps.begin() + std::ptrdiff_t(count));
}

void ItemCode::copyFromFront(const std::vector<std::size_t>& declarations) {
  std::vector<Step> copies;
  for (const std::size_t i : declarations)
    copies.push_back({.statement = front[i], .isCopy = true});
  steps.insert(steps.begin(), copies.begin(), copies.end());
}

std::vector<std::size_t> declarationsToCopy(const ItemCode& code) {
  std::vector<std::size_t> found;
  if (code.loop != nullptr)
    return found;
  const BlockValues values(*code.kernel);
  const auto differs = [&](const clang::Decl* each) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
    return variable != nullptr && variable->hasLocalStorage() && !values.isUniform(*variable);
  };
  for (std::size_t i = 0; i < code.front.size(); ++i) {
    const auto* declares = llvm::dyn_cast<clang::DeclStmt>(code.front[i]);
    if (declares != nullptr && llvm::any_of(declares->decls(), differs) &&
        isAlwaysTheSame(*declares, code.front))
      found.push_back(i);
  }
  return found;
}

Legal<ItemCode> cutItem(const Source& source, const Stmt& core,
                        const std::vector<const Stmt*>& around) {
  return ItemCutter(source, core, around).cut();
}

std::size_t stepsForFront(const Source& source, const ItemCode& code) {
  if (code.loop != nullptr)
    return 0;
  const BlockValues values(*code.kernel);
  std::size_t count = 0, own = 0;
  while (own < code.steps.size() && code.steps[own].statement != nullptr)
    ++own;
  for (std::size_t i = 0; i < own; ++i)
    if (hasBarrier(source, *code.steps[i].statement))
      count = i + 1;
  while (count < own && isForAll(*code.steps[count].statement, values))
    ++count;
  return count;
}

} // namespace heddle::rewrite
