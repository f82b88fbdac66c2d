// SPDX-License-Identifier: Apache-2.0
//
//   1. The branch must be a statement of the loop's body, and the loop must not talk.
//   2. The choice: its ways, and the statements that return a way's number.
//   3. Declarations in front of the branch that later parts use move in front of the loop.
//   4. Texts of the parts, with what break, continue and return become there.
#include "rewrite/ways/WayLoop.h"

#include "rewrite/code/CommonRefusals.h"
#include "rewrite/code/ConditionText.h"
#include "rewrite/code/Flow.h"
#include "rewrite/code/FreshNames.h"
#include "rewrite/code/Indentation.h"
#include "rewrite/code/LoopPieces.h"
#include "rewrite/code/Words.h"

#include <algorithm>

namespace heddle::rewrite {
namespace {

constexpr std::size_t mostWays = 8;
using clang::Stmt;

/// A statement in braces of its own is that statement.
const Stmt* unwrapped(const Stmt* statement) {
  const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(statement);
  return block != nullptr && block->size() == 1 ? block->body_front() : statement;
}

Exits exitsOf(const std::vector<const Stmt*>& statements) {
  Exits exits;
  for (const Stmt* statement : statements) {
    const Exits found = findExits(*statement);
    exits.breaks.insert(exits.breaks.end(), found.breaks.begin(), found.breaks.end());
    exits.continues.insert(exits.continues.end(), found.continues.begin(), found.continues.end());
    exits.returns.insert(exits.returns.end(), found.returns.begin(), found.returns.end());
  }
  return exits;
}

/// Of a label, which may stand for a range of values.
clang::SourceRange valuesOf(const clang::CaseStmt& label) {
  const clang::Expr* last = label.getRHS() != nullptr ? label.getRHS() : label.getLHS();
  return {label.getLHS()->getBeginLoc(), last->getEndLoc()};
}

/// Whether code always ends in a statement that leaves the turn.
bool isLeaving(const Stmt* code) {
  if (const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(code))
    return !block->body_empty() && isLeaving(block->body_back());
  return llvm::isa_and_nonnull<clang::ReturnStmt, clang::ContinueStmt, clang::BreakStmt>(code);
}

bool returnsFlow(const std::string& text) {
  return text.find("heddle::flow::") != std::string::npos;
}

class Cutter {
public:
  Cutter(const Source& source, const BranchStatement& branch) : source_(source), branch_(branch) {}

  Legal<WayLoop> cut();

private:
  Legal<void> placeBranch();
  Legal<void> checkExits() const;
  Legal<void> findChoice();
  Legal<std::string> choose(const clang::IfStmt& branch);
  Legal<std::string> arm(const Stmt* statement);
  Legal<std::string> switchOver(const clang::SwitchStmt& choice);
  Legal<void> hoist();
  void write();
  void writeWays();
  void writeAfter();
  std::string nextText() const;
  std::string partText(Range range, const Exits& exits, bool ends) const;
  std::string stepThen(const std::string& end) const;
  std::string conditionText() const { return source_.textOf(header_.condition->getSourceRange()); }

  const Source& source_;
  const BranchStatement& branch_;
  LoopHeader header_;
  Range before_, after_; ///< of the body, around the branch
  std::vector<const Stmt*> beforeStatements_, afterStatements_;
  std::string choice_;
  std::vector<bool> leaves_; ///< of each way: it always ends by leaving the turn
  bool isSwitch_ = false;
  Edits moved_; ///< what hoisting changes in the body
  WayLoop result_;
};

/// Step 1.
Legal<void> Cutter::placeBranch() {
  auto place = placeLoop(source_, branch_);
  if (!place)
    return tl::unexpected(place.error());
  result_.loop = branch_.loop();
  result_.range = place->range;
  result_.pragmas = std::move(place->pragmas);
  header_ = place->header;
  const auto alone = [] {
    return refuse(common["not-alone"], "the branch is not a statement of the loop's own body");
  };
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(header_.body);
  if (body == nullptr)
    return header_.body == branch_.statement ? checkExits() : alone();
  const auto at = std::find(body->body_begin(), body->body_end(), branch_.statement);
  if (at == body->body_end())
    return alone();
  const auto bodyRange = source_.rangeOf(*body);
  const auto branchRange = source_.rangeOf(*branch_.statement);
  if (!branchRange)
    return refuse(common["macro-in-the-way"], "the branch in line {} begins or ends in a macro",
                  source_.lineOf(branch_.statement->getBeginLoc()));
  beforeStatements_.assign(body->body_begin(), at);
  afterStatements_.assign(at + 1, body->body_end());
  before_ = {bodyRange->begin + 1, branchRange->begin};
  after_ = {branchRange->end, bodyRange->end - 1};
  return checkExits();
}

/// Those of a switch leave the way, and are replaced too.
Legal<void> Cutter::checkExits() const {
  Exits exits = findExits(*header_.body);
  if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(branch_.statement))
    exits.switchBreaks = findExits(*choice->getBody(), true).switchBreaks;
  return refuseExits(source_, exits);
}

Legal<std::string> Cutter::arm(const Stmt* statement) {
  if (const auto* inner = llvm::dyn_cast_or_null<clang::IfStmt>(unwrapped(statement));
      inner != nullptr && inner->getConditionVariable() == nullptr && !inner->hasInitStorage() &&
      !inner->isConstexpr())
    return choose(*inner);
  if (result_.arms.size() == mostWays)
    return refuse(common["too-many-ways"], "the branch takes more than {} ways", mostWays);
  Range range;
  if (statement != nullptr) {
    const auto found = source_.insideOf(*statement);
    if (!found)
      return refuse(common["macro-in-the-way"], "a path of the branch begins or ends in a macro");
    range = *found;
  }
  leaves_.push_back(isLeaving(statement));
  result_.arms.push_back(statement);
  result_.armRanges.push_back(range);
  return fmt::format("{}", result_.arms.size() - 1);
}

Legal<std::string> Cutter::choose(const clang::IfStmt& branch) {
  if (branch.isConstexpr())
    return refuse(common["not-a-choice"], "line {} is decided when the kernel is compiled",
                  source_.lineOf(branch.getBeginLoc()));
  if (branch.getConditionVariable() != nullptr || branch.hasInitStorage())
    return refuse(common["unhoistable-declaration"],
                  "the branch declares a variable in its condition");
  if (!source_.rangeOf(branch.getCond()->getSourceRange()))
    return refuse(common["macro-in-the-way"],
                  "the condition of the branch begins or ends in a macro");
  auto taken = arm(branch.getThen());
  if (!taken)
    return taken;
  auto other = arm(branch.getElse());
  if (!other)
    return other;
  const bool nested = taken->find('?') != std::string::npos;
  return fmt::format("{} ? {} : {}", operandText(source_, *branch.getCond()),
                     nested ? "(" + *taken + ")" : *taken, *other);
}

/// Step 2: a switch whose cases all end in a break.
Legal<std::string> Cutter::switchOver(const clang::SwitchStmt& choice) {
  isSwitch_ = true;
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(choice.getBody());
  if (body == nullptr || choice.getConditionVariable() != nullptr || choice.hasInitStorage())
    return refuse(common["unhoistable-declaration"],
                  "the switch has no body in braces or declares");
  std::string text = "switch (" + source_.textOf(choice.getCond()->getSourceRange()) + ") {\n";
  bool hasDefault = false;
  const std::vector<const Stmt*> statements(body->body_begin(), body->body_end());
  for (std::size_t i = 0; i < statements.size();) {
    const auto* label = llvm::dyn_cast<clang::SwitchCase>(statements[i]);
    if (label == nullptr)
      return refuse(common["fallthrough"], "the switch has statements in front of its first case");
    const Stmt* inside = label;
    while (const auto* next = llvm::dyn_cast<clang::SwitchCase>(inside)) {
      const auto* value = llvm::dyn_cast<clang::CaseStmt>(next);
      hasDefault = hasDefault || value == nullptr;
      text += value == nullptr ? "default:\n" : "case " + source_.textOf(valuesOf(*value)) + ":\n";
      inside = next->getSubStmt();
    }
    std::size_t end = i + 1;
    while (end < statements.size() && !llvm::isa<clang::SwitchCase>(statements[end]))
      ++end;
    const Stmt* last = end == i + 1 ? inside : statements[end - 1];
    const auto* block = llvm::dyn_cast<clang::CompoundStmt>(inside);
    const bool blockEnds = end == i + 1 && block != nullptr && !block->body_empty() &&
                           llvm::isa<clang::BreakStmt>(block->body_back());
    const bool ends = blockEnds || llvm::isa<clang::BreakStmt>(last) ||
                      llvm::isa<clang::ContinueStmt>(last) || llvm::isa<clang::ReturnStmt>(last);
    if (!ends && end != statements.size())
      return refuse(common["fallthrough"], "the case in line {} falls through into the next",
                    source_.lineOf(label->getBeginLoc()));
    if (result_.arms.size() == mostWays)
      return refuse(common["too-many-ways"], "the switch takes more than {} ways", mostWays);
    const auto first = blockEnds ? source_.insideOf(*inside) : source_.rangeOf(*inside);
    const auto whole = source_.rangeOf(*last);
    if (!first || !whole)
      return refuse(common["macro-in-the-way"], "a case of the switch begins or ends in a macro");
    Range range{first->begin, blockEnds ? first->end : whole->end};
    const Stmt* closing = blockEnds ? block->body_back() : last;
    if (llvm::isa<clang::BreakStmt>(closing))
      moved_.remove(*source_.rangeOf(*closing));
    text += fmt::format("{}return {};\n", source_.indentUnit(), result_.arms.size());
    leaves_.push_back(isLeaving(closing) && !llvm::isa<clang::BreakStmt>(closing));
    result_.arms.push_back(label);
    result_.armRanges.push_back(range);
    i = end;
  }
  if (!hasDefault) {
    text += fmt::format("default:\n{}return {};\n", source_.indentUnit(), result_.arms.size());
    leaves_.push_back(false);
    result_.arms.push_back(nullptr);
    result_.armRanges.emplace_back();
  }
  if (result_.arms.size() > mostWays)
    return refuse(common["too-many-ways"], "the switch takes more than {} ways", mostWays);
  return text + "}";
}

Legal<void> Cutter::findChoice() {
  Legal<std::string> choice;
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(branch_.statement))
    choice = choose(*branch);
  else if (const auto* over = llvm::dyn_cast<clang::SwitchStmt>(branch_.statement))
    choice = switchOver(*over);
  else
    return refuse(common["not-alone"], "the branch is no if and no switch");
  if (!choice)
    return tl::unexpected(choice.error());
  choice_ = isSwitch_ ? *choice : "return " + *choice + ";";
  return {};
}

/// Step 3.
Legal<void> Cutter::hoist() {
  std::vector<const Stmt*> later = afterStatements_;
  later.push_back(branch_.statement);
  if (header_.testsLast)
    later.push_back(header_.condition);
  if (header_.step != nullptr)
    later.push_back(header_.step);
  auto hoisted = hoistDeclarations(source_, beforeStatements_, later);
  if (!hoisted)
    return tl::unexpected(hoisted.error());
  for (const clang::VarDecl* variable : hoisted->variables)
    if (hidesOther(*result_.loop, *variable))
      return refuse(common["unhoistable-declaration"],
                    "line {} declares {}, and the loop uses another variable of that name",
                    source_.lineOf(variable->getLocation()), variable->getNameAsString());
  moved_.add(hoisted->edits);
  result_.init = header_.init;
  if (header_.init != nullptr) {
    const auto range = source_.rangeOf(*header_.init);
    if (!range)
      return refuse(common["macro-in-the-way"], "the loop's first part begins or ends in a macro");
    std::string text = source_.textOf(*range);
    result_.setUp.push_back(text.ends_with(';') ? text : text + ";");
  }
  result_.setUp.insert(result_.setUp.end(), hoisted->declarations.begin(),
                       hoisted->declarations.end());
  result_.hoisted = std::move(*hoisted);
  std::vector<const Stmt*> named = beforeStatements_;
  if (header_.init != nullptr)
    named.push_back(header_.init);
  result_.needsBraces =
      needsScope(loopAround(branch_)) || namesStandForMore(*branch_.function, *result_.loop, named);
  return {};
}

/// The loop's step, where it has one, and then a statement: one statement for a place that takes
/// one.
std::string Cutter::stepThen(const std::string& end) const {
  if (header_.step == nullptr)
    return end;
  return fmt::format("{{ {}; {} }}", source_.textOf(header_.step->getSourceRange()), end);
}

/// Step 4.
/// `ends`: nothing needs to be said behind the text.
std::string Cutter::partText(Range range, const Exits& exits, bool ends) const {
  Edits edits = moved_;
  const std::string skip =
      header_.testsLast ? fmt::format("return {} ? heddle::flow::skip : heddle::flow::leave;",
                                      operandText(source_, *header_.condition))
                        : stepThen("return heddle::flow::skip;");
  const auto put = [&](const Stmt* exit, const std::string& text) {
    if (const auto at = source_.rangeOf(*exit); at && range.contains(*at))
      edits.replace(*at, text);
  };
  for (const Stmt* exit : exits.continues)
    put(exit, skip);
  for (const Stmt* exit : exits.breaks)
    put(exit, "return heddle::flow::leave;");
  for (const Stmt* exit : exits.switchBreaks)
    if (!edits.touches(*source_.rangeOf(*exit)))
      put(exit, "return heddle::flow::proceed;");
  for (const Stmt* exit : exits.returns)
    put(exit, "{ hasReturned = true; return heddle::flow::leave; }");
  std::string text = linesOf(source_, range, edits);
  if (returnsFlow(text) && !ends)
    text += "\nreturn heddle::flow::proceed;";
  return text;
}

std::string Cutter::nextText() const {
  const Exits exits = exitsOf(beforeStatements_);
  const bool tests = !header_.testsLast && !alwaysHolds(header_.condition, source_.ast());
  Edits edits = moved_;
  for (const clang::ReturnStmt* exit : exits.returns)
    edits.replace(*source_.rangeOf(*exit), "{ hasReturned = true; return heddle::done; }");
  if (exits.continues.empty()) {
    for (const Stmt* exit : exits.breaks)
      edits.replace(*source_.rangeOf(*exit), "return heddle::done;");
    const std::string test =
        tests ? fmt::format("if ({})\n{}return heddle::done;\n",
                            negation(source_, *header_.condition), source_.indentUnit())
              : "";
    const std::string lines = before_.end > before_.begin ? linesOf(source_, before_, edits) : "";
    return test + lines + (lines.empty() ? "" : "\n") + choice_;
  }
  // A turn that goes on to the next one before it has a way: the loop's own header stays.
  const std::string step =
      header_.step != nullptr ? " " + source_.textOf(header_.step->getSourceRange()) : "";
  const std::string head =
      header_.testsLast
          ? "do {\n"
          : fmt::format("for (;{};{}) {{\n", tests ? " " + conditionText() : "", step);
  const std::string foot =
      header_.testsLast ? fmt::format("\n}} while ({});\n", conditionText()) : "\n}\n";
  return head + indented(linesOf(source_, before_, edits) + "\n" + choice_, source_.indentUnit()) +
         foot + "return heddle::done;";
}

void Cutter::writeWays() {
  for (std::size_t i = 0; i < result_.arms.size(); ++i) {
    const Stmt* path = result_.arms[i];
    Exits exits;
    if (isSwitch_) { // its statements lie beside the label
      exits = findExits(*llvm::cast<clang::SwitchStmt>(branch_.statement)->getBody(), true);
      exits.breaks.clear();
    } else if (path != nullptr) {
      exits = findExits(*path);
    }
    result_.ways.push_back(path == nullptr ? ""
                                           : partText(result_.armRanges[i], exits, leaves_[i]));
  }
}

void Cutter::writeAfter() {
  const bool leaves = !afterStatements_.empty() && isLeaving(afterStatements_.back());
  std::string& text = result_.after;
  if (after_.end > after_.begin)
    text = partText(after_, exitsOf(afterStatements_), true);
  if (leaves)
    return;
  const bool mayLeave = !text.empty() && returnsFlow(text);
  const auto add = [&](const std::string& line) { text += (text.empty() ? "" : "\n") + line; };
  if (header_.step != nullptr)
    add(source_.textOf(header_.step->getSourceRange()) + ";");
  if (header_.testsLast && !alwaysHolds(header_.condition, source_.ast()))
    add(fmt::format("return {} ? heddle::flow::proceed : heddle::flow::leave;",
                    operandText(source_, *header_.condition)));
  else if (mayLeave)
    add("return heddle::flow::proceed;");
}

void Cutter::write() {
  writeWays();
  writeAfter();
  result_.next = nextText();
  if (findExits(*header_.body).returns.empty())
    return;
  result_.setUp.insert(result_.setUp.begin(), "bool hasReturned = false;");
  result_.leaving = "if (hasReturned)\n" + source_.indentUnit() + "return;";
  result_.needsBraces = result_.needsBraces ||
                        hasWord(source_.textOf(branch_.function->getSourceRange()), "hasReturned");
}

Legal<WayLoop> Cutter::cut() {
  if (auto placed = placeBranch(); !placed)
    return tl::unexpected(placed.error());
  if (auto found = findChoice(); !found)
    return tl::unexpected(found.error());
  if (auto hoisted = hoist(); !hoisted)
    return tl::unexpected(hoisted.error());
  write();
  return std::move(result_);
}

} // namespace

Legal<WayLoop> cutLoop(const Source& source, const BranchStatement& branch) {
  return Cutter(source, branch).cut();
}

} // namespace heddle::rewrite
