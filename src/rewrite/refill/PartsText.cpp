// SPDX-License-Identifier: Apache-2.0
//
//   1. Where everything is, outside of macros.
//   2. Variables that setup declares and other parts use are declared in front of the call.
//   3. Setup: the steps, where an `if` around the rest becomes one that leaves; the loop's first
//      part; whether there is a turn.
//   4. Turn: the loop's body and step; whether there is another one.
//   5. Finish: what stands behind the loop.
#include "rewrite/refill/PartsText.h"

#include "rewrite/code/ConditionText.h"
#include "rewrite/code/Flow.h"
#include "rewrite/refill/Refusals.h"

#include <algorithm>

namespace heddle::rewrite::refill {
namespace {

using clang::Stmt;

constexpr const char* skips = "return heddle::flow::skip;";

class Writer {
public:
  Writer(const Source& source, const ItemLoop& written) : source_(source), loop_(written) {}

  Legal<PartsText> write();

private:
  Legal<void> findRanges();
  Legal<void> checkText() const;
  Legal<void> hoist();
  std::string part(Range range) const;
  std::string setupText() const;
  std::string turnText() const;
  std::string finishText() const;
  std::string goesOn(bool byFlow) const;
  /// The statements of setup that stand as they are, exits replaced.
  void replace(const std::vector<const Stmt*>& exits, const std::string& text);
  void replaceExits();

  tl::unexpected<Refusal> no(const Stmt& code) const {
    return refuse(refusals["macro-in-the-way"],
                  "the statement in line {} begins or ends in a macro",
                  source_.lineOf(code.getBeginLoc()));
  }

  const Source& source_;
  const ItemLoop& loop_;
  Range core_, body_, behind_;
  std::vector<Range> steps_; ///< of an entered if: up to its body
  bool returns_ = false;     ///< the loop's body ends the item
  Edits edits_;              ///< inside all that moves
  PartsText text_;
};

/// Step 1.
Legal<void> Writer::findRanges() {
  const auto core = source_.rangeOf(*loop_.core), last = source_.rangeOf(*loop_.code.last);
  const auto body = source_.insideOf(*loop_.header.body);
  const auto isText = [&](const Stmt* part) {
    return part == nullptr || source_.rangeOf(part->getSourceRange());
  };
  const LoopHeader& header = loop_.header;
  if (!core || !last || !body || !isText(header.init) || !isText(header.condition) ||
      !isText(header.step))
    return no(*loop_.loop);
  core_ = *core;
  body_ = *body;
  behind_ = {core_.end, core_.end};
  if (!loop_.code.behind.empty()) {
    const auto end = source_.rangeOf(*loop_.code.behind.back());
    if (!end)
      return no(*loop_.code.behind.back());
    behind_.end = end->end;
  }
  for (const Step& step : loop_.code.steps) {
    const Stmt& whole = step.statement != nullptr ? *step.statement : *step.around;
    const auto range = source_.rangeOf(whole);
    if (!range || !source_.rangeOf(step.code().getSourceRange()))
      return no(whole);
    steps_.push_back(*range);
    if (step.enters == nullptr)
      continue;
    const auto inside = source_.insideOf(*llvm::cast<clang::IfStmt>(step.around)->getThen());
    if (!inside)
      return no(whole);
    steps_.back().end = inside->begin;
  }
  text_.moved = {core_.begin, last->end};
  if (loop_.code.loop != nullptr)
    text_.moved = *last;
  else
    for (std::size_t i = 0; i < steps_.size(); ++i)
      if (!loop_.code.steps[i].isCopy)
        text_.moved.begin = std::min(text_.moved.begin, steps_[i].begin);
  return checkText();
}

/// Lines of the preprocessor among what is taken apart, and exits that no edit reaches.
Legal<void> Writer::checkText() const {
  const std::string all = source_.textOf(text_.moved);
  for (std::size_t at = all.find('#'); at != std::string::npos; at = all.find('#', at + 1)) {
    const std::size_t line = all.rfind('\n', at);
    if (line != std::string::npos && all.find_first_not_of(" \t", line + 1) == at)
      return refuse(refusals["macro-in-the-way"],
                    "there are lines for the preprocessor around the loop of line {}",
                    source_.lineOf(loop_.loop->getBeginLoc()));
  }
  for (const Stmt* each : loop_.items().moved)
    if (each != loop_.core)
      if (auto legal = refuseExits(source_, findExits(*each)); !legal)
        return legal;
  return refuseExits(source_, findExits(*loop_.header.body));
}

/// Step 2.
Legal<void> Writer::hoist() {
  std::vector<const Stmt*> declaring, users = loop_.code.behind;
  for (const std::size_t i : loop_.needed)
    if (loop_.code.steps[i].statement != nullptr)
      declaring.push_back(loop_.code.steps[i].statement);
  if (loop_.header.init != nullptr)
    declaring.push_back(loop_.header.init);
  for (const Stmt* part : {static_cast<const Stmt*>(loop_.header.condition),
                           static_cast<const Stmt*>(loop_.header.step), loop_.header.body})
    if (part != nullptr)
      users.push_back(part);
  auto hoisted = hoistDeclarations(source_, declaring, users, Objects::MayBeBlank);
  if (!hoisted)
    return tl::unexpected(hoisted.error());
  edits_.add(hoisted->edits);
  text_.declarations = std::move(hoisted->declarations);
  return {};
}

void Writer::replace(const std::vector<const Stmt*>& exits, const std::string& text) {
  for (const Stmt* exit : exits)
    edits_.replace(*source_.rangeOf(*exit), text);
}

void Writer::replaceExits() {
  const bool inLoop = loop_.code.loop != nullptr;
  const auto endsOf = [&](const Stmt& code) {
    const Exits exits = findExits(code);
    std::vector<const Stmt*> ends = exits.continues;
    if (!inLoop)
      ends.assign(exits.returns.begin(), exits.returns.end());
    return ends;
  };
  for (const std::size_t i : loop_.needed)
    if (loop_.code.steps[i].statement != nullptr)
      replace(endsOf(*loop_.code.steps[i].statement), skips);
  for (const Stmt* each : loop_.code.behind)
    if (inLoop)
      replace(endsOf(*each), "return;");
  const Exits exits = findExits(*loop_.header.body);
  returns_ = !exits.returns.empty();
  std::string next = goesOn(returns_);
  if (loop_.header.step != nullptr)
    next = fmt::format("{{ {}; {} }}", source_.textOf(loop_.header.step->getSourceRange()), next);
  replace(exits.continues, next);
  replace(exits.breaks, returns_ ? "return heddle::flow::leave;" : "return false;");
  replace({exits.returns.begin(), exits.returns.end()}, skips);
}

/// "return x != 1;"
std::string Writer::goesOn(bool byFlow) const {
  const clang::Expr* condition = loop_.header.condition;
  if (alwaysHolds(condition, source_.ast()))
    return byFlow ? "return heddle::flow::proceed;" : "return true;";
  if (byFlow)
    return fmt::format("return {} ? heddle::flow::proceed : heddle::flow::leave;",
                       operandText(source_, *condition));
  const clang::Expr* bare = condition->IgnoreParenImpCasts();
  const bool isBool = !bare->isTypeDependent() && bare->getType()->isBooleanType();
  return fmt::format(fmt::runtime(isBool ? "return {};" : "return bool({});"),
                     source_.textOf(condition->getSourceRange()));
}

std::string Writer::part(Range range) const {
  if (source_.textOf(range).find_first_not_of(" \t\n") == std::string::npos)
    return "";
  const std::string lines = linesOf(source_, range, edits_);
  return lines.empty() ? "" : lines + "\n";
}

/// Step 3.
std::string Writer::setupText() const {
  std::string text;
  std::size_t begin = core_.begin; // of what was not written yet
  for (std::size_t i = steps_.size(); i-- > 0;)
    if (!loop_.code.steps[i].isCopy)
      begin = steps_[i].begin;
  for (std::size_t i = 0; i < steps_.size() && !loop_.needed.contains(i); ++i)
    if (!loop_.code.steps[i].isCopy)
      begin = steps_[i].end;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = loop_.code.steps[i];
    if (step.isCopy && loop_.needed.contains(i))
      text += part(steps_[i]);
    if (step.enters == nullptr)
      continue;
    text += part({begin, steps_[i].begin});
    text += fmt::format("if ({})\n{}{}\n", holdsText(source_, *step.enters, false),
                        source_.indentUnit(), skips);
    begin = steps_[i].end;
  }
  text += part({begin, core_.begin});
  const LoopHeader& header = loop_.header;
  if (header.init != nullptr) {
    const std::string init = edits_.apply(source_.text(), *source_.rangeOf(*header.init));
    if (!init.empty() && init != ";")
      text += init + (init.ends_with(';') ? "\n" : ";\n");
  }
  return text + (header.testsLast ? "return heddle::flow::proceed;" : goesOn(true));
}

/// Step 4.
std::string Writer::turnText() const {
  std::string text = part(body_);
  if (loop_.header.step != nullptr)
    text += source_.textOf(loop_.header.step->getSourceRange()) + ";\n";
  return text + goesOn(returns_);
}

/// Step 5.
std::string Writer::finishText() const {
  return part(behind_);
}

Legal<PartsText> Writer::write() {
  if (auto found = findRanges(); !found)
    return tl::unexpected(found.error());
  if (auto hoisted = hoist(); !hoisted)
    return tl::unexpected(hoisted.error());
  for (std::size_t i = 0; i < steps_.size(); ++i)
    if (!loop_.needed.contains(i) && !loop_.code.steps[i].isCopy)
      edits_.remove(wholeLine(source_, steps_[i]));
  replaceExits();
  text_.setup = setupText();
  text_.turn = turnText();
  text_.finish = finishText();
  return std::move(text_);
}

} // namespace

Legal<PartsText> writeParts(const Source& source, const ItemLoop& written) {
  return Writer(source, written).write();
}

} // namespace heddle::rewrite::refill
