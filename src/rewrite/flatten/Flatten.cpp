// SPDX-License-Identifier: Apache-2.0
//
//   1. The inner loop is a statement of the outer loop's own body; head and tail are what stands in
//      front of it and behind it.
//   2. Variables of the head and of the inner loop's header that are used later are declared in
//      front of the new loop. A name must mean one variable wherever its text goes.
//   3. `break` of the inner loop ends it for this lane; `continue` of the outer one takes its step
//      first. `return`, `continue` of the inner loop and `break` of the outer one stay.
//   4. The text of the new loop.
#include "rewrite/flatten/Flatten.h"

#include "rewrite/code/Declarations.h"
#include "rewrite/code/Flow.h"
#include "rewrite/code/FreshNames.h"
#include "rewrite/code/Indentation.h"
#include "rewrite/code/LoopPieces.h"
#include "rewrite/code/Pragmas.h"
#include "rewrite/flatten/Price.h"
#include "rewrite/flatten/Refusals.h"
#include "rewrite/ways/WayCosts.h"

#include <algorithm>
#include <iterator>

namespace heddle::rewrite::flatten {
namespace {

using clang::Stmt;

class Flattener {
public:
  Flattener(const Source& source, const BranchStatement& inner)
      : source_(source), inner_(inner),
        inside_(FreshNames(source, *inner.function).make("inside")) {}

  Legal<Proposal> flatten(const std::vector<MeasuredLoop>& loops);

private:
  Legal<void> place();
  Legal<void> findParts();
  Legal<void> hoist();
  Legal<void> checkNames() const;
  Legal<void> replaceExits();
  std::string partText(Range range) const;
  std::string initText() const;
  std::string testText() const;
  std::string bodyText() const;
  std::string loopText() const;
  std::string wholeText() const;
  std::string block(const std::string& head, const std::string& lines) const {
    return head + " {\n" + indented(lines, source_.indentUnit()) + "\n}\n";
  }

  const Source& source_;
  const BranchStatement& inner_;
  std::string inside_; ///< the name of what says that a lane is in its inner loop
  CutPlace place_;     ///< of the outer loop
  LoopHeader header_;  ///< of the inner loop
  std::vector<const Stmt*> head_, tail_;
  Range headRange_, bodyRange_, tailRange_;
  Hoisted hoisted_;
  Edits edits_; ///< inside the outer loop
  bool innerBreaks_ = false, innerContinues_ = false;
};

/// Of a header's part, which has no semicolon where it is an expression.
std::string statementText(std::string text) {
  return text.ends_with(';') ? text : text + ";";
}

/// Step 1.
Legal<void> Flattener::place() {
  auto placed = placeLoop(source_, inner_); // the loop around the inner one
  if (!placed)
    return tl::unexpected(placed.error());
  place_ = std::move(*placed);
  header_ = headerOf(*inner_.statement);
  const auto isText = [&](const Stmt* part) {
    return part == nullptr || source_.rangeOf(part->getSourceRange());
  };
  const auto range = source_.rangeOf(*inner_.statement);
  if (!range || !source_.rangeOf(*header_.body) || !isText(header_.init) ||
      !isText(header_.condition) || !isText(header_.step) || !isText(place_.header.init))
    return refuse(refusals["macro-in-the-way"], "the loop in line {} begins or ends in a macro",
                  source_.lineOf(inner_.statement->getBeginLoc()));
  bodyRange_ = *source_.insideOf(*header_.body);
  headRange_ = {range->begin, range->begin};
  tailRange_ = {range->end, range->end};
  if (const clang::VarDecl* declared = conditionVariable(*inner_.statement))
    return refuse(refusals["unhoistable-declaration"], "the inner loop's condition declares {}",
                  declared->getNameAsString());
  return findParts();
}

Legal<void> Flattener::findParts() {
  const Stmt* statement = inner_.statement;
  auto parent = inner_.around.begin();
  if (llvm::isa<clang::AttributedStmt>(*parent)) // #pragma unroll
    statement = *parent++;
  const Stmt* body = place_.header.body;
  const bool alone = body == statement;
  if (!alone && *parent != body)
    return refuse(refusals["loop-in-a-branch"],
                  "the loop in line {} stands in another statement of the loop in line {}",
                  source_.lineOf(inner_.statement->getBeginLoc()),
                  source_.lineOf(inner_.loop()->getBeginLoc()));
  for (const Range& line : pragmaLines(source_, inner_))
    headRange_.end = std::min(headRange_.end, line.begin);
  headRange_.begin = headRange_.end;
  if (alone)
    return {};
  const std::size_t behind = source_.text().find_first_not_of(" \t", tailRange_.begin);
  if (!llvm::isa<clang::CompoundStmt>(header_.body) &&
      source_.text().compare(behind, 2, "//") == 0) // a comment of the body
    bodyRange_.end = tailRange_.begin = source_.text().find('\n', behind);
  const Range whole = *source_.insideOf(*body);
  headRange_.begin = whole.begin;
  tailRange_.end = whole.end;
  bool isBehind = false;
  for (const Stmt* each : llvm::cast<clang::CompoundStmt>(body)->body())
    if (each == statement)
      isBehind = true;
    else
      (isBehind ? tail_ : head_).push_back(each);
  return {};
}

/// Step 2.
Legal<void> Flattener::hoist() {
  std::vector<const Stmt*> declaring = head_;
  if (header_.init != nullptr)
    declaring.push_back(header_.init);
  std::vector<const Stmt*> later = tail_;
  for (const Stmt* part : {static_cast<const Stmt*>(header_.condition),
                           static_cast<const Stmt*>(header_.step), header_.body})
    if (part != nullptr)
      later.push_back(part);
  auto hoisted = hoistDeclarations(source_, declaring, later);
  if (!hoisted)
    return tl::unexpected(hoisted.error());
  for (const clang::VarDecl* variable : hoisted->variables)
    if (hidesOther(*inner_.loop(), *variable))
      return refuse(refusals["unhoistable-declaration"],
                    "line {} declares {}, and the loop uses another variable of that name",
                    source_.lineOf(variable->getLocation()), variable->getNameAsString());
  hoisted_ = std::move(*hoisted);
  edits_.add(hoisted_.edits);
  return checkNames();
}

/// Headers' parts move to the ends of bodies, and declarations to the front.
Legal<void> Flattener::checkNames() const {
  const auto collide = [&](const std::vector<const clang::VarDecl*>& names,
                           const std::vector<const clang::VarDecl*>& others) -> Legal<void> {
    for (const clang::VarDecl* other : others)
      for (const clang::VarDecl* name : names)
        if (name != other && name->getName() == other->getName())
          return refuse(refusals["unhoistable-declaration"],
                        "line {} declares {}, and the loop uses another variable of that name",
                        source_.lineOf(other->getLocation()), other->getNameAsString());
    return {};
  };
  std::vector<const clang::VarDecl*> front = hoisted_.variables;
  const auto add = [](std::vector<const clang::VarDecl*>& to, const Stmt* part, auto&& found) {
    if (part != nullptr)
      std::ranges::copy(found(*part), std::back_inserter(to));
  };
  add(front, place_.header.init, declaredIn);
  for (const Stmt* statement : head_)
    if (llvm::isa<clang::DeclStmt>(statement))
      add(front, statement, declaredIn);
  if (auto legal = collide(front, front); !legal)
    return legal;
  std::vector<const clang::VarDecl*> step, around, test;
  add(step, place_.header.step, variablesIn);
  for (const auto* part : {&head_, &tail_})
    for (const Stmt* statement : *part)
      add(around, statement, declaredIn);
  if (auto legal = collide(step, around); !legal)
    return legal;
  add(test, header_.condition, variablesIn);
  add(test, header_.step, variablesIn);
  return collide(test, declaredIn(*header_.body));
}

/// Step 3.
Legal<void> Flattener::replaceExits() {
  Exits inner = findExits(*header_.body);
  innerBreaks_ = !inner.breaks.empty();
  innerContinues_ = !inner.continues.empty();
  Exits outer;
  for (const auto* part : {&head_, &tail_})
    for (const Stmt* statement : *part) {
      const Exits exits = findExits(*statement);
      outer.continues.insert(outer.continues.end(), exits.continues.begin(), exits.continues.end());
    }
  if (place_.header.step == nullptr)
    outer.continues.clear();
  inner.returns.clear();
  for (const Exits* exits : {&inner, &outer})
    if (auto legal = refuseExits(source_, *exits); !legal)
      return legal;
  for (const Stmt* exit : inner.breaks)
    edits_.replace(*source_.rangeOf(*exit), fmt::format("{{ {} = false; break; }}", inside_));
  for (const Stmt* exit : outer.continues)
    edits_.replace(
        *source_.rangeOf(*exit),
        fmt::format("{{ {}; continue; }}", source_.textOf(place_.header.step->getSourceRange())));
  return {};
}

std::string Flattener::partText(Range range) const {
  if (source_.textOf(range).find_first_not_of(" \t\n") == std::string::npos)
    return "";
  const std::string lines = linesOf(source_, range, edits_);
  return lines.empty() ? "" : lines + "\n";
}

/// What the inner loop begins with: "k = begin[row];".
std::string Flattener::initText() const {
  if (header_.init == nullptr)
    return "";
  const Range range = *source_.rangeOf(*header_.init);
  const std::string text = edits_.apply(source_.text(), range);
  return text.empty() || text == ";" ? "" : statementText(text) + "\n";
}

/// "inside = k < end[row];"
std::string Flattener::testText() const {
  const std::string value = alwaysHolds(header_.condition, source_.ast())
                                ? "true"
                                : source_.textOf(header_.condition->getSourceRange());
  return fmt::format("{} = {};", inside_, value);
}

/// One turn of the inner loop.
std::string Flattener::bodyText() const {
  std::string body = partText(bodyRange_);
  if (innerBreaks_ || innerContinues_) {
    body = block("do", body);
    body.pop_back();
    body += " while (false);\n";
  }
  std::string end = header_.step != nullptr ? source_.textOf(header_.step->getSourceRange()) + ";\n"
                                            : std::string();
  if (!alwaysHolds(header_.condition, source_.ast())) // else it is inside already
    end += testText() + "\n";
  return body + (innerBreaks_ && !end.empty() ? block(fmt::format("if ({})", inside_), end) : end);
}

/// Step 4.
std::string Flattener::loopText() const {
  const std::string first = header_.testsLast ? inside_ + " = true;" : testText();
  std::string turn =
      block(fmt::format("if (!{})", inside_), partText(headRange_) + initText() + first) +
      block(fmt::format("if ({})", inside_), bodyText());
  std::string tail = partText(tailRange_);
  if (place_.header.step != nullptr)
    tail += source_.textOf(place_.header.step->getSourceRange()) + ";";
  if (!tail.empty())
    turn += block(fmt::format("if (!{})", inside_), tail);
  std::string condition = "true";
  if (!alwaysHolds(place_.header.condition, source_.ast())) {
    const clang::Expr& written = *place_.header.condition->IgnoreImplicit();
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&written);
    const bool plain =
        binary != nullptr
            ? binary->isComparisonOp()
            : llvm::isa<clang::DeclRefExpr, clang::CallExpr, clang::UnaryOperator>(written);
    const std::string text = source_.textOf(place_.header.condition->getSourceRange());
    condition = fmt::format(fmt::runtime(plain ? "{} || {}" : "{} || ({})"), inside_, text);
  }
  if (!place_.header.testsLast)
    return block(fmt::format("while ({})", condition), turn);
  std::string loop = block("do", turn);
  loop.pop_back();
  return loop + fmt::format(" while ({});\n", condition);
}

std::string Flattener::wholeText() const {
  std::string text;
  if (place_.header.init != nullptr)
    text += statementText(source_.textOf(*source_.rangeOf(*place_.header.init))) + "\n";
  for (const std::string& declaration : hoisted_.declarations)
    text += declaration + "\n";
  text += fmt::format("bool {} = false;\n", inside_) + loopText();
  std::vector<const Stmt*> named = head_;
  for (const Stmt* part : {header_.init, place_.header.init})
    if (part != nullptr)
      named.push_back(part);
  const bool needsBraces =
      needsScope(loopAround(inner_)) || namesStandForMore(*inner_.function, *inner_.loop(), named);
  const std::string indent = source_.indentAt(place_.range.begin);
  if (!needsBraces)
    return indented(text, indent).substr(indent.size());
  return "{\n" + indented(text, indent + source_.indentUnit()) + "\n" + indent + "}";
}

Legal<Proposal> Flattener::flatten(const std::vector<MeasuredLoop>& loops) {
  if (auto legal = place(); !legal)
    return tl::unexpected(legal.error());
  if (auto legal = hoist(); !legal)
    return tl::unexpected(legal.error());
  if (auto legal = replaceExits(); !legal)
    return tl::unexpected(legal.error());
  Proposal proposal;
  proposal.wayLengths = wayLengths(source_, *inner_.statement, {bodyRange_}, loops);
  for (const double length : wayLengths(source_, *inner_.loop(), {headRange_, tailRange_}, {}))
    proposal.wayLengths.push_back(length);
  proposal.edits = place_.pragmas;
  proposal.edits.replace(place_.range, wholeText());
  return proposal;
}

/// The loop that a branch breaks out of.
std::optional<BranchStatement> loopLeftBy(const BranchStatement& branch) {
  if (branch.loop() == nullptr || findExits(*branch.statement).breaks.empty())
    return std::nullopt;
  BranchStatement loop{loopAround(branch), branch.function, {}};
  for (const Placed& instance : branch.instances)
    loop.instances.push_back(loopAround(instance));
  return loop;
}

} // namespace

Legal<std::vector<Proposal>> proposeFlattened(const Source& source, const Target& target) {
  std::optional<BranchStatement> inner = target.branch;
  if (!isLoop(*inner->statement))
    inner = loopLeftBy(*inner);
  if (!inner || inner->loop() == nullptr)
    return refuse(refusals["not-nested"], "the branch is no loop in another loop");
  auto proposal = Flattener(source, *inner).flatten(target.measured.loops);
  if (!proposal)
    return tl::unexpected(proposal.error());
  return std::vector<Proposal>{std::move(*proposal)};
}

const Rewrite room{
    .name = "flatten",
    .summary = "turn two nested loops into one, so that lanes need not wait for the longest",
    .needsIndependence = true,
    .refusals = refusals,
    .refusesCommunication = true,
    .propose = proposeFlattened,
    .price = priceFlattening,
};

} // namespace heddle::rewrite::flatten
