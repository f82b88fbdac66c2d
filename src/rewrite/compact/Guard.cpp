// SPDX-License-Identifier: Apache-2.0
#include "rewrite/compact/Guard.h"

#include "rewrite/code/BlockValues.h"
#include "rewrite/code/Communication.h"
#include "rewrite/code/Declarations.h"
#include "rewrite/code/Effects.h"
#include "rewrite/code/FloatSums.h"
#include "rewrite/code/ThreadIndex.h"
#include "rewrite/compact/Refusals.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>

namespace heddle::rewrite::compact {
namespace {

using clang::Stmt;

constexpr int longestTail = 6; ///< lines: both functions have them

/// A block's only statement, or the statement itself.
const Stmt& only(const Stmt& statement) {
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(&statement);
  return block != nullptr && block->size() == 1 ? only(*block->body_front()) : statement;
}

std::vector<const Stmt*> statementsOf(const Stmt* arm) {
  if (arm == nullptr || llvm::isa<clang::NullStmt>(arm))
    return {};
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(arm))
    return {block->body_begin(), block->body_end()};
  return {arm};
}

class Cutter {
public:
  Cutter(const Source& source, const Placed& branch) : source_(source), branch_(branch) {}

  Legal<Guard> cut();

private:
  Legal<void> findItem();
  Legal<void> addAround();
  Legal<void> addBlock(const clang::CompoundStmt& block, const Stmt* inner);
  Legal<void> addWays(const clang::IfStmt& choice);
  Legal<void> addBehind(const clang::CompoundStmt& block);

  const Source& source_;
  const Placed& branch_;
  std::size_t head_ = 0; ///< of the statements around the branch: the first that is no else-if
  std::size_t item_ = 0; ///< of those: behind the last that is part of what is done for an item
  Guard guard_;
};

/// The outermost block, or the body of a loop that stands in it.
Legal<void> Cutter::findItem() {
  const auto& around = branch_.around;
  guard_.kernel = llvm::dyn_cast<clang::CompoundStmt>(around.back());
  if (guard_.kernel == nullptr)
    return refuse(refusals["not-top-level"], "the kernel has no body of its own");
  item_ = around.size();
  for (std::size_t i = around.size(); i-- > head_;)
    if (isLoop(*around[i])) {
      guard_.loop = llvm::dyn_cast<clang::ForStmt>(around[i]);
      const bool isOwn =
          i + 2 == around.size() ||
          (i + 3 == around.size() && llvm::isa<clang::AttributedStmt>(around[i + 1]));
      if (guard_.loop == nullptr || !isOwn)
        return refuse(refusals["not-top-level"], "the branch stands in the loop of line {}",
                      source_.lineOf(around[i]->getBeginLoc()));
      item_ = i;
      const auto top = std::find(guard_.kernel->body_begin(), guard_.kernel->body_end(),
                                 around[around.size() - 2]);
      guard_.front.assign(guard_.kernel->body_begin(), top);
      guard_.last = guard_.loop;
      break;
    }
  if (guard_.loop == nullptr)
    guard_.last = guard_.kernel->body_back();
  return {};
}

/// From the outside in.
Legal<void> Cutter::addAround() {
  for (std::size_t i = item_; i-- > head_;) {
    const Stmt* around = branch_.around[i];
    const Stmt* inner = i == head_ ? guard_.choice : branch_.around[i - 1];
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(around)) {
      if (auto added = addBlock(*block, inner); !added)
        return added;
      continue;
    }
    const auto* entered = llvm::dyn_cast<clang::IfStmt>(around);
    if (entered == nullptr || entered->isConstexpr() || entered->hasInitStorage() ||
        entered->getConditionVariable() != nullptr)
      return refuse(refusals["not-top-level"], "the branch stands inside the statement of line {}",
                    source_.lineOf(around->getBeginLoc()));
    if (entered->getElse() != nullptr)
      return refuse(refusals["code-behind"],
                    "the if of line {} has an else, for threads that do not reach the branch",
                    source_.lineOf(around->getBeginLoc()));
    guard_.steps.push_back({nullptr, entered->getCond(), entered});
  }
  return {};
}

Legal<void> Cutter::addBlock(const clang::CompoundStmt& block, const Stmt* inner) {
  const auto at = std::find(block.body_begin(), block.body_end(), inner);
  for (auto each = block.body_begin(); each != at; ++each)
    guard_.steps.push_back({*each});
  if (at + 1 == block.body_end())
    return {};
  if (inner == guard_.choice)
    return addBehind(block);
  return refuse(refusals["code-behind"],
                "line {} runs also for threads that do not reach the branch",
                source_.lineOf((*(at + 1))->getBeginLoc()));
}

/// Behind a choice that some threads leave at is the way of the others; else it ends all ways.
Legal<void> Cutter::addBehind(const clang::CompoundStmt& block) {
  const auto at = std::find(block.body_begin(), block.body_end(), guard_.choice);
  const std::vector<const Stmt*> behind(at + 1, block.body_end());
  const auto first = source_.rangeOf(*guard_.choice), last = source_.rangeOf(*block.body_back());
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
  const int to = source_.lineOf(block.body_back()->getEndLoc());
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
  guard_.choice = llvm::dyn_cast<clang::IfStmt>(chainOf(branch_));
  if (guard_.choice == nullptr)
    return refuse(refusals["not-a-choice"], "the branch is no if");
  if (guard_.choice != branch_.statement)
    head_ =
        std::size_t(std::ranges::find(branch_.around, guard_.choice) - branch_.around.begin()) + 1;
  if (auto found = findItem(); !found)
    return tl::unexpected(found.error());
  if (auto added = addWays(*guard_.choice); !added)
    return tl::unexpected(added.error());
  if (auto added = addAround(); !added)
    return tl::unexpected(added.error());
  return std::move(guard_);
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

bool Guard::leaves(const Way& way) const {
  return !way.code.empty() && isExit(only(*way.code.back()));
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

bool Guard::isExit(const Stmt& statement) const {
  return loop != nullptr ? llvm::isa<clang::ContinueStmt>(statement)
                         : llvm::isa<clang::ReturnStmt>(statement);
}

const clang::IfStmt* Guard::asExit(const Step& step) const {
  const auto* test = llvm::dyn_cast_or_null<clang::IfStmt>(step.statement);
  const bool isPlain = test != nullptr && test->getElse() == nullptr && !test->isConstexpr() &&
                       !test->hasInitStorage() && test->getConditionVariable() == nullptr;
  return isPlain && isExit(only(*test->getThen())) ? test : nullptr;
}

bool Guard::leaves(const clang::IfStmt& test) const {
  const std::vector<const Stmt*> code = statementsOf(test.getThen());
  return test.getElse() == nullptr && !code.empty() && isExit(only(*code.back()));
}

void Guard::moveToFront(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    front.push_back(steps[i].statement);
  steps.erase(steps.begin(), steps.begin() + std::ptrdiff_t(count));
}

void Guard::copyFromFront(const std::vector<std::size_t>& declarations) {
  std::vector<Step> copies;
  for (const std::size_t i : declarations)
    copies.push_back({.statement = front[i], .isCopy = true});
  steps.insert(steps.begin(), copies.begin(), copies.end());
}

std::vector<std::size_t> declarationsToCopy(const Guard& guard) {
  std::vector<std::size_t> found;
  if (guard.loop != nullptr)
    return found;
  const BlockValues values(*guard.kernel);
  const auto differs = [&](const clang::Decl* each) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
    return variable != nullptr && variable->hasLocalStorage() && !values.isUniform(*variable);
  };
  for (std::size_t i = 0; i < guard.front.size(); ++i) {
    const auto* declares = llvm::dyn_cast<clang::DeclStmt>(guard.front[i]);
    if (declares != nullptr && llvm::any_of(declares->decls(), differs) &&
        isAlwaysTheSame(*declares, guard.front))
      found.push_back(i);
  }
  return found;
}

Legal<Guard> cutGuard(const Source& source, const Placed& branch) {
  return Cutter(source, branch).cut();
}

std::size_t stepsForFront(const Source& source, const Guard& guard) {
  if (guard.loop != nullptr)
    return 0;
  const BlockValues values(*guard.kernel);
  std::size_t count = 0, own = 0;
  while (own < guard.steps.size() && guard.steps[own].statement != nullptr)
    ++own;
  for (std::size_t i = 0; i < own; ++i)
    if (hasBarrier(source, *guard.steps[i].statement))
      count = i + 1;
  while (count < own && isForAll(*guard.steps[count].statement, values))
    ++count;
  return count;
}

} // namespace heddle::rewrite::compact
