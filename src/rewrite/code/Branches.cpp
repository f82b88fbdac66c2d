// SPDX-License-Identifier: Apache-2.0
#include "rewrite/code/Branches.h"

#include "rewrite/code/TreeVisitor.h"

#include <clang/Basic/SourceManager.h>

#include <algorithm>

namespace heddle::rewrite {
namespace {

/// From the keyword to the end of the condition: where clang says that the branch is.
std::optional<Range> headOf(const Source& source, const clang::Stmt& statement) {
  const auto until = [&](const clang::Stmt* last) -> std::optional<Range> {
    if (last == nullptr)
      return std::nullopt;
    return source.rangeOf(clang::SourceRange(statement.getBeginLoc(), last->getEndLoc()));
  };
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(&statement))
    return until(branch->getCond());
  if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(&statement))
    return until(choice->getCond());
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(&statement))
    return until(loop->getCond());
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(&statement)) {
    const clang::Stmt* last = loop->getInc() != nullptr ? loop->getInc() : loop->getCond();
    return until(last);
  }
  if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(&statement))
    return source.rangeOf(clang::SourceRange(loop->getWhileLoc(), loop->getRParenLoc()));
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(&statement))
    return source.rangeOf(choice->getSourceRange());
  return std::nullopt;
}

/// A `do` is also named by its first word.
bool isDoAt(const Source& source, const clang::Stmt& statement, std::size_t offset) {
  const auto* loop = llvm::dyn_cast<clang::DoStmt>(&statement);
  if (loop == nullptr)
    return false;
  const auto word = source.rangeOf(clang::SourceRange(loop->getDoLoc(), loop->getDoLoc()));
  return word && word->begin <= offset && offset < word->end;
}

class Finder final : public TreeVisitor {
public:
  Finder(const Source& source, int line, int column)
      : source_(source), line_(line), column_(column) {}

  bool shouldVisitTemplateInstantiations() const override { return true; }

  bool aroundFunction(clang::FunctionDecl* function, Walk inside) override {
    if (!source_.isHere(function->getBeginLoc()))
      return true;
    const clang::FunctionDecl* outer = std::exchange(function_, function);
    std::vector<const clang::Stmt*> statements;
    std::swap(statements, around_);
    const bool goOn = inside();
    std::swap(statements, around_);
    function_ = outer;
    return goOn;
  }
  bool aroundStatement(clang::Stmt* statement, Walk inside) override {
    around_.push_back(statement);
    if (isThere(*statement))
      remember(*statement);
    const bool goOn = inside();
    around_.pop_back();
    return goOn;
  }

  std::vector<BranchStatement> found;

private:
  bool isThere(const clang::Stmt& statement) const {
    const auto head = headOf(source_, statement);
    if (!head || line_ == 0)
      return head.has_value();
    if (column_ == 0)
      return source_.lineOf(statement.getBeginLoc()) == line_;
    const clang::SourceManager& files = source_.ast().getSourceManager();
    const clang::SourceLocation asked =
        files.translateLineCol(source_.id(), unsigned(line_), unsigned(column_));
    const std::size_t offset = files.getFileOffset(asked);
    return (head->begin <= offset && offset < head->end) || isDoAt(source_, statement, offset);
  }

  void remember(const clang::Stmt& statement) {
    const Placed here{&statement, {around_.rbegin() + 1, around_.rend()}};
    if (function_ == nullptr || !function_->isTemplateInstantiation()) {
      found.push_back({{here}, function_, {}});
      return;
    }
    const auto pattern = std::ranges::find_if(found, [&](const BranchStatement& each) {
      return each.statement->getBeginLoc() == statement.getBeginLoc() &&
             each.statement->getStmtClass() == statement.getStmtClass();
    });
    if (pattern != found.end())
      pattern->instances.push_back(here);
  }

  const Source& source_;
  int line_, column_; ///< line 0: all
  const clang::FunctionDecl* function_ = nullptr;
  std::vector<const clang::Stmt*> around_;
};

std::vector<BranchStatement> findBranches(const Source& source, int line, int column) {
  Finder finder(source, line, column);
  finder.TraverseDecl(source.ast().getTranslationUnitDecl());
  for (BranchStatement& each : finder.found)
    if (each.instances.empty())
      each.instances.push_back(each);
  return std::move(finder.found);
}

} // namespace

bool isLoop(const clang::Stmt& statement) {
  return llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(statement);
}

const clang::Stmt* chainOf(const Placed& branch) {
  const clang::Stmt* first = branch.statement;
  for (const clang::Stmt* around : branch.around) {
    const auto* before = llvm::dyn_cast<clang::IfStmt>(around);
    if (before == nullptr || before->getElse() != first)
      break;
    first = before;
  }
  return first;
}

const clang::Stmt* Placed::loop() const {
  const auto found =
      std::ranges::find_if(around, [](const clang::Stmt* each) { return isLoop(*each); });
  return found != around.end() ? *found : nullptr;
}

std::vector<BranchStatement> allBranches(const Source& source) {
  return findBranches(source, 0, 0);
}

std::vector<BranchStatement> branchesOfLine(const Source& source, int line) {
  return findBranches(source, line, 0);
}

std::optional<BranchStatement> findBranch(const Source& source, int line, int column) {
  std::vector<BranchStatement> found = findBranches(source, line, column);
  if (found.empty())
    return std::nullopt;
  return std::move(found.back());
}

} // namespace heddle::rewrite
