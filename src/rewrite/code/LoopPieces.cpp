// SPDX-License-Identifier: Apache-2.0
#include "rewrite/code/LoopPieces.h"

#include "rewrite/code/CommonRefusals.h"
#include "rewrite/code/Communication.h"
#include "rewrite/code/Indentation.h"
#include "rewrite/code/Pragmas.h"

#include <algorithm>

namespace heddle::rewrite {

const clang::VarDecl* conditionVariable(const clang::Stmt& loop) {
  if (const auto* tested = llvm::dyn_cast<clang::WhileStmt>(&loop))
    return tested->getConditionVariable();
  const auto* counted = llvm::dyn_cast<clang::ForStmt>(&loop);
  return counted != nullptr ? counted->getConditionVariable() : nullptr;
}

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
    return refuse(common["no-loop"], "the branch is in no loop");
  const LoopHeader header = headerOf(*loop);
  const auto isText = [&](const clang::Expr* part) {
    return part == nullptr || source.rangeOf(part->getSourceRange());
  };
  const auto range = source.rangeOf(*loop);
  if (!range || !source.rangeOf(*header.body) || !isText(header.condition) || !isText(header.step))
    return refuse(common["macro-in-the-way"], "the loop in line {} begins or ends in a macro",
                  source.lineOf(loop->getBeginLoc()));
  if (const clang::VarDecl* declared = conditionVariable(*loop))
    return refuse(common["unhoistable-declaration"], "the loop's condition declares {}",
                  declared->getNameAsString());
  for (const Placed& instance : branch.instances)
    if (auto talks = refuseCommunication(source, *instance.loop()); !talks)
      return tl::unexpected(talks.error());
  CutPlace place{header, *range, {}};
  for (const Range& line : pragmaLines(source, loopAround(branch)))
    place.pragmas.remove(line);
  return place;
}

Placed loopAround(const Placed& branch) {
  const auto loop = std::ranges::find(branch.around, branch.loop());
  return {*loop, {loop + 1, branch.around.end()}};
}

Legal<void> refuseExits(const Source& source, const Exits& exits) {
  std::vector<const clang::Stmt*> all(exits.returns.begin(), exits.returns.end());
  for (const auto* more : {&exits.breaks, &exits.continues, &exits.switchBreaks})
    all.insert(all.end(), more->begin(), more->end());
  for (const clang::Stmt* exit : all)
    if (!source.rangeOf(*exit))
      return refuse(common["macro-in-the-way"], "line {} leaves the loop's body in a macro",
                    source.lineOf(exit->getBeginLoc()));
  for (const clang::ReturnStmt* exit : exits.returns)
    if (exit->getRetValue() != nullptr)
      return refuse(common["value-returned"], "line {} returns a value from inside the loop",
                    source.lineOf(exit->getBeginLoc()));
  return {};
}

std::string linesOf(const Source& source, Range range, const Edits& edits) {
  const std::size_t line = source.lineBegin(range.begin);
  const std::size_t code = source.text().find_first_not_of(" \t", line);
  const std::string lead =
      code < range.begin || source.text()[range.begin] != '\n' ? source.indentAt(range.begin) : "";
  std::string text = edits.apply(source.text(), range);
  text.erase(text.find_last_not_of(" \t") + 1);
  if (text.find_first_not_of(" \t") != std::string::npos && text.front() != '\n')
    text.erase(0, text.find_first_not_of(" \t"));
  return indented(lead + text, "");
}

} // namespace heddle::rewrite
