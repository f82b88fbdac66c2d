// SPDX-License-Identifier: Apache-2.0
#include "rewrite/LoopPieces.h"

#include "rewrite/Communication.h"
#include "rewrite/Indentation.h"
#include "rewrite/Pragmas.h"

#include <algorithm>

namespace heddle::rewrite {
namespace {

Edits removePragmas(const Source& source, const Placed& branch) {
  const auto at = std::ranges::find(branch.around, branch.loop());
  Edits edits;
  for (const Range& line : pragmaLines(source, {*at, {at + 1, branch.around.end()}}))
    edits.remove(line);
  return edits;
}

/// A variable that the loop's condition declares.
const clang::VarDecl* conditionVariable(const clang::Stmt& loop) {
  if (const auto* tested = llvm::dyn_cast<clang::WhileStmt>(&loop))
    return tested->getConditionVariable();
  const auto* counted = llvm::dyn_cast<clang::ForStmt>(&loop);
  return counted != nullptr ? counted->getConditionVariable() : nullptr;
}

} // namespace

LoopHeader headerOf(const clang::Stmt& loop) {
  if (const auto* counted = llvm::dyn_cast<clang::ForStmt>(&loop))
    return {counted->getInit(), counted->getCond(), counted->getInc(), counted->getBody(), false};
  if (const auto* tested = llvm::dyn_cast<clang::WhileStmt>(&loop))
    return {nullptr, tested->getCond(), nullptr, tested->getBody(), false};
  const auto* last = llvm::cast<clang::DoStmt>(&loop);
  return {nullptr, last->getCond(), nullptr, last->getBody(), true};
}

bool alwaysHolds(const clang::Expr* condition, const clang::ASTContext& ast) {
  bool value = false;
  return condition == nullptr || (!condition->isValueDependent() &&
                                  condition->EvaluateAsBooleanCondition(value, ast) && value);
}

Legal<CutPlace> placeLoop(const Source& source, const BranchStatement& branch) {
  const clang::Stmt* loop = branch.loop();
  if (loop == nullptr)
    return refuse("no-loop", "the branch is in no loop");
  const LoopHeader header = headerOf(*loop);
  const auto isText = [&](const clang::Expr* part) {
    return part == nullptr || source.rangeOf(part->getSourceRange());
  };
  const auto range = source.rangeOf(*loop);
  if (!range || !source.rangeOf(*header.body) || !isText(header.condition) || !isText(header.step))
    return refuse("macro-in-the-way", "the loop in line {} begins or ends in a macro",
                  source.lineOf(loop->getBeginLoc()));
  if (const clang::VarDecl* declared = conditionVariable(*loop))
    return refuse("unhoistable-declaration", "the loop's condition declares {}",
                  declared->getNameAsString());
  for (const Placed& instance : branch.instances)
    if (auto talks = refuseCommunication(source, *instance.loop()); !talks)
      return tl::unexpected(talks.error());
  return CutPlace{header, *range, removePragmas(source, branch)};
}

std::string operandText(const Source& source, const clang::Expr& expression) {
  const std::string text = source.textOf(expression.getSourceRange());
  const clang::Expr* bare = expression.IgnoreImplicit();
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(bare);
  const bool loose = llvm::isa<clang::ConditionalOperator>(bare) ||
                     (binary != nullptr && (binary->isAssignmentOp() || binary->isCommaOp()));
  return loose ? "(" + text + ")" : text;
}

std::string linesOf(const Source& source, Range range, const Edits& edits) {
  const std::size_t line = source.lineBegin(range.begin);
  const std::size_t code = source.text().find_first_not_of(" \t", line);
  const std::string lead =
      code < range.begin || source.text()[range.begin] != '\n' ? source.indentAt(range.begin) : "";
  std::string text = edits.apply(source.text(), range);
  if (text.find_first_not_of(" \t") != std::string::npos && text.front() != '\n')
    text.erase(0, text.find_first_not_of(" \t"));
  return indented(lead + text, "");
}

} // namespace heddle::rewrite
