// SPDX-License-Identifier: Apache-2.0
//
//   1. The steps that the test needs, in order. Conditions in a row become one.
//   2. The end of the test: the condition alone, or the other ways and `return false;`.
//   3. The steps that the work needs, made again, and the work.
#include "rewrite/compact/GuardText.h"

#include "rewrite/code/ConditionText.h"
#include "rewrite/code/Declarations.h"
#include "rewrite/code/Flow.h"
#include "rewrite/code/Indentation.h"
#include "rewrite/code/LoopPieces.h"
#include "rewrite/compact/Refusals.h"

#include <algorithm>

namespace heddle::rewrite::compact {
namespace {

using clang::Stmt;

constexpr std::size_t conditionWidth = 80; ///< of a condition

/// The comments of a text without code, a line each.
std::string commentsOf(std::string_view text) {
  std::string comments;
  for (std::size_t at = text.find('/'); at < text.size(); at = text.find('/', at)) {
    const bool isLine = text.substr(at, 2) == "//", isBlock = text.substr(at, 2) == "/*";
    if (!isLine && !isBlock) {
      ++at;
      continue;
    }
    const std::size_t found = isLine ? text.find('\n', at) : text.find("*/", at + 2);
    const std::size_t end =
        std::min(text.size(), isLine || found == std::string_view::npos ? found : found + 2);
    comments += std::string(text.substr(at, end - at)) + "\n";
    at = end;
  }
  return comments;
}

/// A condition that is not followed by anything, or what must hold so that the next step runs.
struct Pending {
  std::string holds;
  std::string leaves;   ///< "if (i >= n)\n  return false;"
  std::string comments; ///< in front of it
  std::string remark;   ///< in its line, and part of `leaves`
};

/// With the comment behind it in its last line.
Range withRemark(const Source& source, Range range) {
  const std::string& text = source.text();
  const std::size_t next = text.find_first_not_of(" \t", range.end);
  if (next != std::string::npos && text.compare(next, 2, "//") == 0)
    range.end = std::min(text.find('\n', next), text.size());
  return range;
}

class Writer {
public:
  Writer(const Source& source, const Guard& written, const Plan& plan)
      : source_(source), guard_(written), plan_(plan) {}

  Legal<GuardText> write();

private:
  Legal<void> findRanges();
  Legal<void> checkText() const;
  void addStep(std::size_t i);
  void addPending(const clang::Expr& condition, bool holds, std::string leaves);
  void flush();
  void end();
  void endWithWays();
  std::string joined() const;
  bool isEmpty(const Way& way) const {
    if (!guard_.tail.empty() && !guard_.leaves(way))
      return false;
    return std::ranges::all_of(way.code, [&](const Stmt* each) { return guard_.isExit(*each); });
  }
  std::string rangeText(Range range, const char* exit) const;
  std::string wayText(std::size_t way, const char* exit) const;
  std::string workText() const;
  /// The comments between what was written last and this.
  std::string commentsBefore(std::size_t offset) const;

  const Source& source_;
  const Guard& guard_;
  const Plan& plan_;
  std::vector<Range> steps_; ///< of an entered if: up to its body
  Range choice_;
  std::vector<std::string> comments_; ///< in front of each step
  std::size_t at_ = 0;                ///< behind what was looked at last
  std::vector<Pending> pending_;
  GuardText text_;
};

Legal<void> Writer::findRanges() {
  const auto no = [&](const Stmt& code) {
    return refuse(refusals["macro-in-the-way"],
                  "the statement in line {} begins or ends in a macro",
                  source_.lineOf(code.getBeginLoc()));
  };
  for (const Step& step : guard_.steps) {
    const Stmt& whole = step.statement != nullptr ? *step.statement : *step.around;
    const auto range = source_.rangeOf(whole);
    if (!range || !source_.rangeOf(step.code().getSourceRange()))
      return no(whole);
    steps_.push_back(*range);
    if (step.enters == nullptr) {
      steps_.back() = withRemark(source_, *range);
      continue;
    }
    const auto body = source_.insideOf(*llvm::cast<clang::IfStmt>(step.around)->getThen());
    if (!body)
      return no(whole);
    steps_.back().end = body->begin;
  }
  const auto choice = source_.rangeOf(*guard_.choice);
  const auto last = source_.rangeOf(*guard_.last);
  if (!choice || !last)
    return no(*guard_.choice);
  choice_ = *choice;
  for (const Way& way : guard_.ways)
    if ((way.condition != nullptr && !source_.rangeOf(way.condition->getSourceRange())) ||
        (!way.code.empty() && !way.range) || (!guard_.tail.empty() && !guard_.tailRange))
      return no(*guard_.choice);
  text_.moved = {choice_.begin, last->end};
  if (guard_.loop != nullptr)
    text_.moved = *last;
  else
    for (std::size_t i = 0; i < steps_.size(); ++i)
      if (!guard_.steps[i].isCopy)
        text_.moved.begin = std::min(text_.moved.begin, steps_[i].begin);
  return {};
}

/// Lines of the preprocessor among the steps, and exits that no edit reaches.
Legal<void> Writer::checkText() const {
  const std::string guard = source_.textOf({text_.moved.begin, choice_.begin});
  for (std::size_t at = guard.find('#'); at != std::string::npos; at = guard.find('#', at + 1)) {
    const std::size_t line = guard.rfind('\n', at);
    if (guard.find_first_not_of(" \t", line + 1) == at)
      return refuse(refusals["macro-in-the-way"],
                    "there are lines for the preprocessor in front of the branch of line {}",
                    source_.lineOf(guard_.choice->getBeginLoc()));
  }
  std::vector<const Stmt*> edited; // where exits become others
  for (std::size_t i = 0; i < guard_.steps.size(); ++i)
    if (plan_.needs.any(i))
      edited.push_back(&guard_.steps[i].code());
  for (std::size_t i = 0; i < guard_.ways.size(); ++i)
    if (guard_.loop != nullptr || i != plan_.worker)
      edited.insert(edited.end(), guard_.ways[i].code.begin(), guard_.ways[i].code.end());
  edited.insert(edited.end(), guard_.tail.begin(), guard_.tail.end());
  for (const Stmt* code : edited)
    if (auto legal = refuseExits(source_, findExits(*code)); !legal)
      return legal;
  return {};
}

std::string Writer::commentsBefore(std::size_t offset) const {
  return at_ != 0 && at_ < offset ? commentsOf(source_.text().substr(at_, offset - at_)) : "";
}

/// The text with `exit` in place of the statements that end what is done for an item.
std::string Writer::rangeText(Range range, const char* exit) const {
  Edits edits;
  for (const Stmt* code : guard_.moved()) {
    const Exits exits = findExits(*code);
    const auto replace = [&](const Stmt* each) {
      const auto at = source_.rangeOf(*each);
      if (at && range.contains(*at))
        edits.replace(*at, exit);
    };
    std::ranges::for_each(exits.continues, replace);
    if (guard_.loop == nullptr)
      std::ranges::for_each(exits.returns, replace);
  }
  return linesOf(source_, range, edits);
}

std::string Writer::wayText(std::size_t way, const char* exit) const {
  std::optional<Range> range = guard_.ways[way].range;
  if (range && guard_.goesOn && way + 1 == guard_.ways.size())
    range->begin = withRemark(source_, choice_).end;
  std::string text = range ? rangeText(*range, exit) + "\n" : "";
  if (guard_.tailRange && !guard_.leaves(guard_.ways[way]))
    text += rangeText(*guard_.tailRange, exit) + "\n";
  return text.find_first_not_of('\n') == std::string::npos ? "" : text;
}

void Writer::addPending(const clang::Expr& condition, bool holds, std::string leaves) {
  pending_.push_back({holdsText(source_, condition, holds), std::move(leaves), {}, {}});
}

void Writer::flush() {
  for (const Pending& each : pending_)
    text_.test += each.comments + each.leaves + "\n";
  pending_.clear();
}

/// Step 1.
void Writer::addStep(std::size_t i) {
  const Step& step = guard_.steps[i];
  comments_.push_back(step.isCopy ? "" : commentsBefore(steps_[i].begin));
  const std::string& comments = comments_.back();
  if (!step.isCopy)
    at_ = steps_[i].end;
  if (!plan_.needs.test.contains(i))
    return;
  if (step.enters != nullptr) {
    addPending(*step.enters, true,
               fmt::format("if ({})\n{}return false;", holdsText(source_, *step.enters, false),
                           source_.indentUnit()));
  } else if (const clang::IfStmt* test = guard_.asExit(step)) {
    addPending(*test->getCond(), false, rangeText(steps_[i], "return false;"));
    const std::size_t end = source_.rangeOf(*step.statement)->end;
    pending_.back().remark = commentsOf(source_.textOf({end, steps_[i].end}));
  } else {
    flush();
    text_.test += comments + rangeText(steps_[i], "return false;") + "\n";
    return;
  }
  pending_.back().comments = comments;
}

/// "i < n && mask[i]"; a comparison where there is only one.
std::string Writer::joined() const {
  std::string text;
  std::size_t width = 0;
  for (const Pending& each : pending_) {
    const bool breaks = width + each.holds.size() > conditionWidth;
    text += text.empty() ? "" : breaks ? " &&\n       " : " && ";
    width = breaks ? each.holds.size() : width + each.holds.size() + 4;
    text += each.holds;
  }
  return text;
}

/// A number or a pointer as a bool, since other returns of the function are.
bool isBool(const clang::Expr& condition) {
  const clang::Expr* bare = condition.IgnoreParenImpCasts();
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(bare);
  const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(bare);
  return (binary != nullptr && (binary->isComparisonOp() || binary->isLogicalOp()) &&
          !binary->isTypeDependent()) ||
         (unary != nullptr && unary->getOpcode() == clang::UO_LNot && !unary->isTypeDependent()) ||
         (!bare->isTypeDependent() && bare->getType()->isBooleanType());
}

/// `isAlone`: nothing else makes it a bool.
std::string boolText(const clang::Expr& condition, const std::string& text, bool isAlone) {
  const clang::Expr* bare = condition.IgnoreParenImpCasts();
  while (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(bare)) {
    if (unary->getOpcode() != clang::UO_LNot || unary->isTypeDependent())
      break;
    bare = unary->getSubExpr()->IgnoreParenImpCasts();
  }
  if (isBool(*bare) || text.starts_with('!'))
    return text;
  const bool isNumber = !bare->isTypeDependent() && bare->getType()->isIntegerType();
  const bool isPlain =
      llvm::isa<clang::DeclRefExpr, clang::ArraySubscriptExpr, clang::CallExpr, clang::MemberExpr>(
          bare);
  if (isNumber)
    return (isPlain ? text : "(" + text + ")") + " != 0";
  return isAlone ? "bool(" + text + ")" : text;
}

/// Step 2.
void Writer::end() {
  const Range noted = guard_.goesOn ? withRemark(source_, choice_) : choice_;
  const std::string comments =
      commentsBefore(choice_.begin) + commentsOf(source_.textOf({choice_.end, noted.end}));
  const bool isTwo = guard_.ways.size() == 2;
  if (!isTwo || !isEmpty(guard_.ways[1 - plan_.worker])) {
    flush();
    text_.test += comments;
    return endWithWays();
  }
  const clang::Expr& condition = *guard_.ways.front().condition;
  addPending(condition, plan_.worker == 0, "");
  for (const Pending& each : pending_)
    text_.test += each.comments + each.remark;
  const bool isAlone = pending_.size() == 1 && text_.test.find("return") != std::string::npos;
  pending_.back().holds = boolText(condition, pending_.back().holds, isAlone);
  text_.test += comments + "return " + joined() + ";";
}

void Writer::endWithWays() {
  const std::string& unit = source_.indentUnit();
  std::string& test = text_.test;
  for (std::size_t i = 0; i < guard_.ways.size(); ++i) {
    const Way& way = guard_.ways[i];
    const bool isWork = i == plan_.worker;
    if (way.condition == nullptr) {
      const std::string text = wayText(i, "return false;");
      test += isWork ? "return true;"
                     : text + (text.ends_with("return false;\n") ? "" : "return false;");
      return;
    }
    const std::string condition = source_.textOf(way.condition->getSourceRange());
    if (isWork) {
      test += fmt::format("if ({})\n{}return true;\n", condition, unit);
      continue;
    }
    std::string body = wayText(i, "return false;");
    if (!body.ends_with("return false;\n"))
      body += "return false;\n";
    test += fmt::format("if ({}) {{\n{}\n}}\n", condition, indented(body, unit));
  }
}

/// Step 3.
std::string Writer::workText() const {
  std::string text;
  for (std::size_t i = 0; i < guard_.steps.size(); ++i)
    if (plan_.needs.work.contains(i))
      text += (plan_.needs.test.contains(i) ? "" : comments_[i]) + rangeText(steps_[i], "return;") +
              "\n";
  return text + wayText(plan_.worker, "return;");
}

Legal<GuardText> Writer::write() {
  if (auto found = findRanges(); !found)
    return tl::unexpected(found.error());
  if (auto legal = checkText(); !legal)
    return tl::unexpected(legal.error());
  for (std::size_t i = 0; i < guard_.steps.size(); ++i)
    addStep(i);
  end();
  text_.work = workText();
  return std::move(text_);
}

} // namespace

Legal<GuardText> writeFunctions(const Source& source, const Guard& written, const Plan& plan) {
  return Writer(source, written, plan).write();
}

} // namespace heddle::rewrite::compact
