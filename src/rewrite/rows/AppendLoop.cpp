// SPDX-License-Identifier: Apache-2.0
//
//   1. Declarations, then a branch without `else`, or what it would hold.
//   2. The count grows by 1 in the last statement: `++count;`, or as an index, `list[count++]`.
//   3. Every store is to an element that the count chooses, and the loop reads nothing of these
//      arrays: then no item needs what another one has done but for the count.
#include "rewrite/rows/AppendLoop.h"

#include "rewrite/code/Declarations.h"
#include "rewrite/code/Effects.h"
#include "rewrite/code/LoopPieces.h"
#include "rewrite/code/MemoryUse.h"
#include "rewrite/code/Modified.h"
#include "rewrite/code/TreeVisitor.h"
#include "rewrite/rows/JoinedPlaces.h"

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <map>
#include <set>

namespace heddle::rewrite {
namespace {

using clang::BinaryOperator;
using clang::Expr;
using clang::Stmt;
using clang::VarDecl;

std::vector<const Stmt*> statementsIn(const Stmt& code) {
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(&code))
    return {block->body_begin(), block->body_end()};
  return {&code};
}

const VarDecl* variableNamedBy(const Expr& expression) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParenImpCasts());
  return name != nullptr ? llvm::dyn_cast<VarDecl>(name->getDecl()) : nullptr;
}

/// The variable that a statement or an index counts up by 1.
const VarDecl* countedBy(const Expr& step, const clang::ASTContext& ast) {
  const Expr* bare = step.IgnoreParenImpCasts();
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(bare))
    return unary->isIncrementOp() ? variableNamedBy(*unary->getSubExpr()) : nullptr;
  const auto* sum = llvm::dyn_cast<BinaryOperator>(bare);
  Expr::EvalResult result;
  const bool isOne = sum != nullptr && sum->getOpcode() == clang::BO_AddAssign &&
                     !sum->getRHS()->isValueDependent() &&
                     sum->getRHS()->EvaluateAsInt(result, ast) && result.Val.getInt() == 1;
  return isOne ? variableNamedBy(*sum->getLHS()) : nullptr;
}

/// Names of a variable, stores, and calls.
class NamesAndStores final : public TreeVisitor {
public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    names.push_back(name);
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator* operation) override {
    if (operation->isAssignmentOp())
      places.push_back(operation->getLHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) override {
    if (operation->isIncrementDecrementOp())
      places.push_back(operation->getSubExpr());
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    calls.push_back(call);
    return true;
  }

  int countOf(const VarDecl& variable) const {
    return int(std::ranges::count_if(
        names, [&](const clang::DeclRefExpr* each) { return each->getDecl() == &variable; }));
  }

  std::vector<const clang::DeclRefExpr*> names;
  std::vector<const Expr*> places;
  std::vector<const clang::CallExpr*> calls;
};

NamesAndStores namesAndStoresIn(const Stmt& code) {
  NamesAndStores uses;
  uses.TraverseStmt(const_cast<Stmt*>(&code));
  return uses;
}

class AppendReader {
public:
  AppendReader(const Source& source, const RowLoop& loop) : source_(source), loop_(loop) {}

  std::optional<AppendLoop> read();

private:
  bool findStatements();
  bool findCount();
  bool isCountFit() const;
  bool isChosenByCount(const Expr& place) const;
  bool checkStores() const;
  AppendLoop write() const;
  bool isFixed(const Expr& value) const;

  const Source& source_;
  const RowLoop& loop_;
  std::vector<const Stmt*> front_, inner_;
  const clang::IfStmt* branch_ = nullptr;
  const VarDecl* count_ = nullptr;
  const Stmt* step_ = nullptr;  ///< the statement that counts
  const Expr* index_ = nullptr; ///< or the part of one that does
};

/// Step 1.
bool AppendReader::findStatements() {
  std::vector<const Stmt*> all = statementsIn(*loop_.body);
  std::erase(all, loop_.lastStatement);
  const auto isDeclared = [](const Stmt* each) { return llvm::isa<clang::DeclStmt>(each); };
  const auto first = std::ranges::find_if_not(all, isDeclared);
  front_.assign(all.begin(), first);
  inner_.assign(first, all.end());
  branch_ = inner_.size() == 1 ? llvm::dyn_cast<clang::IfStmt>(inner_.front()) : nullptr;
  if (branch_ != nullptr) {
    if (branch_->getElse() != nullptr || branch_->hasInitStorage() || branch_->hasVarStorage() ||
        !effectsOf(*branch_->getCond()).pure())
      return false;
    inner_ = statementsIn(*branch_->getThen());
  }
  const bool isPlain = std::ranges::all_of(
      inner_, [&](const Stmt* each) { return isDeclared(each) || llvm::isa<Expr>(each); });
  return isPlain && !inner_.empty() &&
         std::ranges::all_of(front_, [](const Stmt* each) { return effectsOf(*each).pure(); });
}

/// Step 2.
bool AppendReader::findCount() {
  const auto* last = llvm::dyn_cast<Expr>(inner_.back());
  if (last == nullptr)
    return false;
  count_ = countedBy(*last, source_.ast());
  if (count_ != nullptr) {
    step_ = inner_.back();
    inner_.pop_back();
    return !inner_.empty();
  }
  const auto* set = llvm::dyn_cast<BinaryOperator>(JoinedPlaces::bare(last));
  const auto* place = set != nullptr && set->getOpcode() == clang::BO_Assign
                          ? llvm::dyn_cast<clang::ArraySubscriptExpr>(set->getLHS()->IgnoreParens())
                          : nullptr;
  index_ = place != nullptr ? place->getIdx()->IgnoreParenImpCasts() : nullptr;
  const auto* step = index_ != nullptr ? llvm::dyn_cast<clang::UnaryOperator>(index_) : nullptr;
  if (step == nullptr || step->getOpcode() != clang::UO_PostInc)
    return false;
  count_ = variableNamedBy(*step->getSubExpr());
  return count_ != nullptr && namesAndStoresIn(*last).countOf(*count_) == 1;
}

/// A whole number of the thread or the block that nobody changes by its address.
bool AppendReader::isCountFit() const {
  const clang::QualType type = count_->getType();
  const bool isOurs = count_->hasLocalStorage() || count_->hasAttr<clang::CUDASharedAttr>();
  const std::vector<const VarDecl*> declared = declaredIn(*loop_.body);
  const auto mentions = [&](const Stmt& code) {
    return namesAndStoresIn(code).countOf(*count_) > 0;
  };
  return isOurs && count_ != loop_.item && type->isIntegerType() && !type->isBooleanType() &&
         !type->isEnumeralType() && !type.isVolatileQualified() &&
         source_.ast().getTypeSize(type) >= 32 && !type->isReferenceType() &&
         std::ranges::find(declared, count_) == declared.end() &&
         !effectsOf(*loop_.function).exposed.contains(count_) &&
         std::ranges::none_of(front_, [&](const Stmt* each) { return mentions(*each); }) &&
         (branch_ == nullptr || !mentions(*branch_->getCond())) && !mentions(*loop_.end);
}

/// The same for all items, but for the count.
bool AppendReader::isFixed(const Expr& value) const {
  const Effects effects = effectsOf(value);
  const std::set<const VarDecl*> changed = modifiedIn(*loop_.body);
  const std::vector<const VarDecl*> declared = declaredIn(*loop_.body);
  return effects.pure() && readsNoMemory(value) &&
         std::ranges::none_of(effects.reads, [&](const VarDecl* each) {
           return each == loop_.item || changed.contains(each) ||
                  std::ranges::find(declared, each) != declared.end();
         });
}

/// `list[count]`, `list[base + count]`, and members of such an element.
bool AppendReader::isChosenByCount(const Expr& place) const {
  const Expr* bare = place.IgnoreParens();
  while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(bare)) {
    if (member->isArrow())
      return false;
    bare = member->getBase()->IgnoreParens();
  }
  const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(bare);
  if (element == nullptr)
    return false;
  const Expr* base = element->getBase()->IgnoreParenImpCasts();
  const bool isArray = llvm::isa<clang::DeclRefExpr>(base) && base->getType()->isArrayType();
  if (!isArray && !isFixed(*base))
    return false;
  const Expr* index = element->getIdx()->IgnoreParenImpCasts();
  if (index == index_)
    return true;
  for (;;) {
    if (variableNamedBy(*index) == count_)
      return true;
    const auto* sum = llvm::dyn_cast<BinaryOperator>(index);
    if (sum == nullptr || sum->getOpcode() != clang::BO_Add)
      return false;
    const Expr *left = sum->getLHS()->IgnoreParenImpCasts(),
               *right = sum->getRHS()->IgnoreParenImpCasts();
    const bool isLeft = namesAndStoresIn(*left).countOf(*count_) > 0;
    if (!isFixed(isLeft ? *right : *left))
      return false;
    index = isLeft ? left : right;
  }
}

/// Step 3.
bool AppendReader::checkStores() const {
  const MemoryUses uses(*loop_.function);
  const std::vector<const VarDecl*> declared = declaredIn(*loop_.body);
  std::map<Memory, std::string> known; // one place for each array
  const MemoryUse all = uses.of(*loop_.body);
  for (const Stmt* each : inner_) {
    const NamesAndStores found = namesAndStoresIn(*each);
    for (const Expr* place : found.places) {
      if (index_ != nullptr && variableNamedBy(*place) == count_)
        continue;
      const VarDecl* variable = variableNamedBy(*place);
      if (variable != nullptr && std::ranges::find(declared, variable) != declared.end())
        continue;
      if (!isChosenByCount(*place))
        return false;
      for (const auto& [memory, where] : uses.of(*each).written)
        if (const std::string text = source_.textOf(place->getSourceRange());
            memory.variable != count_ && known.emplace(memory, text).first->second != text)
          return false;
    }
    for (const clang::CallExpr* call : found.calls)
      if (effectsOf(*call).stores || !uses.of(*call).written.empty())
        return false;
  }
  for (const auto& [memory, where] : all.written)
    if (memory.variable != count_ && (memory == Memory{} || all.read.contains(memory)))
      return false;
  return !known.empty() && !all.read.contains(Memory{});
}

AppendLoop AppendReader::write() const {
  AppendLoop append{count_, "", ""};
  for (const Stmt* each : front_)
    if (branch_ != nullptr)
      append.value += linesOf(source_, *source_.rangeOf(*each), {}) + "\n";
  append.value +=
      branch_ == nullptr
          ? "return 1;"
          : "return " + source_.textOf(branch_->getCond()->getSourceRange()) + " ? 1 : 0;";
  Edits edits;
  if (step_ != nullptr)
    edits.remove(wholeLine(source_, *source_.rangeOf(*step_)));
  else
    edits.replace(*source_.rangeOf(index_->getSourceRange()), count_->getNameAsString());
  append.store = linesOf(source_, loop_.bodyRange, edits);
  return append;
}

std::optional<AppendLoop> AppendReader::read() {
  if (!findStatements() || !findCount() || !isCountFit() || !checkStores())
    return std::nullopt;
  const bool isText =
      (step_ == nullptr || source_.rangeOf(*step_)) &&
      (index_ == nullptr || source_.rangeOf(index_->getSourceRange())) &&
      (branch_ == nullptr || source_.rangeOf(branch_->getCond()->getSourceRange())) &&
      std::ranges::all_of(front_, [&](const Stmt* each) { return !!source_.rangeOf(*each); });
  return isText ? std::optional(write()) : std::nullopt;
}

} // namespace

std::optional<AppendLoop> readAppendLoop(const Source& source, const RowLoop& loop) {
  return AppendReader(source, loop).read();
}

} // namespace heddle::rewrite
