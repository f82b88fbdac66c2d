// SPDX-License-Identifier: Apache-2.0
#include "rewrite/rows/RowCall.h"

#include "rewrite/code/CommonRefusals.h"
#include "rewrite/code/Declarations.h"
#include "rewrite/code/Indentation.h"
#include "rewrite/code/LoopPieces.h"
#include "rewrite/code/Pragmas.h"
#include "rewrite/rows/OwnValues.h"

#include <clang/AST/TypeLoc.h>

#include <algorithm>
#include <array>

namespace heddle::rewrite {
namespace {

using clang::VarDecl;

constexpr std::size_t longestLine = 100;

constexpr std::array partNames = {"sum",      "product",       "bits_or",      "bits_and",
                                  "bits_xor", "min_of",        "max_of",       "smallest",
                                  "largest",  "smallest_last", "largest_last", "set",
                                  "first",    "smallest_at",   "largest_at",   "last"};

std::string typeText(const Source& source, const clang::TypeLoc& type) {
  const std::string constant = type.getType().isLocalConstQualified() ? "const " : "";
  const clang::TypeLoc plain = type.getUnqualifiedLoc();
  if (const auto pointer = plain.getAs<clang::PointerTypeLoc>()) {
    const std::string to = typeText(source, pointer.getPointeeLoc());
    return to == "auto" ? to : to + "*";
  }
  const bool isWord = !plain.getAs<clang::ArrayTypeLoc>() && !plain.getAs<clang::ParenTypeLoc>() &&
                      !plain.getAs<clang::AdjustedTypeLoc>() &&
                      !plain.getAs<clang::ReferenceTypeLoc>();
  const std::string text = isWord ? source.textOf(plain.getSourceRange()) : "";
  return text.empty() || type.getType()->getContainedAutoType() != nullptr ? "auto"
                                                                           : constant + text;
}

/// Of what has no text: it stands for a place.
std::string builtinText(const Source& source, const VarDecl& variable) {
  const auto* type = variable.getType()->getAs<clang::BuiltinType>();
  return type != nullptr ? type->getName(source.ast().getPrintingPolicy()).str() : "auto";
}

std::string nameList(const std::vector<const VarDecl*>& variables,
                     const std::vector<JoinedPlace>& places) {
  std::string text;
  for (const VarDecl* each : variables) {
    const auto place = std::ranges::find(places, each, &JoinedPlace::variable);
    text += (text.empty() ? "" : ", ") +
            (place != places.end() ? place->text : each->getNameAsString());
  }
  return text;
}

} // namespace

std::string typeText(const Source& source, const VarDecl& variable) {
  const clang::TypeSourceInfo* info = variable.getTypeSourceInfo();
  return info != nullptr ? typeText(source, info->getTypeLoc().getUnqualifiedLoc())
                         : builtinText(source, variable);
}

std::string ownParameter(const Source& source, const VarDecl& variable) {
  const std::string type = typeText(source, variable);
  return variable.getType()->isPointerType() && type != "auto"
             ? fmt::format("{} {}", type, variable.getNameAsString())
             : fmt::format("const {}& {}", type, variable.getNameAsString());
}

namespace {

class CallWriter {
public:
  CallWriter(const Source& source, const SharedLoop& shared) : source_(source), shared_(shared) {}

  std::string write(const std::string& name);

private:
  void addOwn();
  void addAccumulators();
  std::string keyText(const Accumulator& part) const;
  std::string bodyText() const;

  const Source& source_;
  const SharedLoop& shared_;
  std::vector<std::string> parts_, parameters_;
};

void CallWriter::addOwn() {
  if (shared_.own.empty())
    return;
  parts_.push_back(fmt::format("heddle::own({})", nameList(shared_.own, {})));
  for (const VarDecl* each : shared_.own)
    parameters_.push_back(ownParameter(source_, *each));
}

/// Accumulators of one kind share a part, unless they are set together.
void CallWriter::addAccumulators() {
  std::vector<Accumulator> parts;
  for (const Accumulator& each : shared_.body.accumulators) {
    const bool together =
        (each.joining >= Joining::Smallest && each.joining < Joining::Set) || each.key != nullptr;
    const auto same = std::ranges::find(parts, each.joining, &Accumulator::joining);
    if (together || same == parts.end())
      parts.push_back(each);
    else
      same->variables.push_back(each.variables.front());
  }
  for (const Accumulator& part : parts) {
    parts_.push_back(fmt::format("heddle::{}({}{})", partNames[std::size_t(part.joining)],
                                 nameList(part.variables, shared_.body.places), keyText(part)));
    for (const VarDecl* each : part.variables)
      parameters_.push_back(
          fmt::format("{}& {}", part.joining == Joining::Last ? "auto" : typeText(source_, *each),
                      each->getNameAsString()));
  }
}

/// How an item's value is found.
std::string CallWriter::keyText(const Accumulator& part) const {
  if (part.key == nullptr)
    return "";
  const VarDecl& item = *shared_.loop.item;
  return fmt::format(", [&]({} {}) {{ return {}; }}", typeText(source_, item),
                     item.getNameAsString(), source_.textOf(part.key->getSourceRange()));
}

std::string CallWriter::bodyText() const {
  const bool leaves = !shared_.body.exits.breaks.empty();
  Edits edits;
  for (const clang::Stmt* each : shared_.body.exits.continues)
    edits.replace(*source_.rangeOf(*each), leaves ? "return false;" : "return;");
  for (const clang::Stmt* each : shared_.body.exits.breaks)
    edits.replace(*source_.rangeOf(*each), "return true;");
  for (const JoinedPlace& place : shared_.body.places)
    for (const clang::Expr* name : place.names)
      if (place.variable->getNameAsString() != place.text)
        edits.replace(*source_.rangeOf(name->getSourceRange()), place.variable->getNameAsString());
  const std::string text = linesOf(source_, shared_.loop.bodyRange, edits);
  return indented(text + (leaves ? "\nreturn false;" : ""), source_.indentUnit());
}

std::string CallWriter::write(const std::string& name) {
  addOwn();
  addAccumulators();
  const RowLoop& loop = shared_.loop;
  std::string head = fmt::format("{}({}, {}, ", name, loop.beginText, loop.endText);
  const std::string lambda =
      fmt::format("[&]({} {}{}{}) {{", typeText(source_, *loop.item), loop.item->getNameAsString(),
                  parameters_.empty() ? "" : ", ", fmt::join(parameters_, ", "));
  const std::size_t indent = source_.indentAt(loop.range.begin).size();
  const std::string more = "\n" + source_.indentUnit() + source_.indentUnit();
  const auto append = [&](const std::string& text) {
    const std::size_t line = head.rfind('\n');
    const std::size_t used = line == std::string::npos ? head.size() : head.size() - line - 1;
    const bool fits = indent + used + text.size() <= longestLine;
    if (!fits)
      head.erase(head.find_last_not_of(' ') + 1);
    head += (fits ? "" : more) + text;
  };
  for (const std::string& part : parts_)
    append(part + ", ");
  append(lambda);
  return head + "\n" + bodyText() + "\n});";
}

/// Each lane finds the value of its best item by itself.
Legal<void> checkKeys(const Source& source, const RowLoop& loop, const RowBody& body,
                      const std::vector<const VarDecl*>& own, const WarpValues& values) {
  const std::vector<const VarDecl*> inner = declaredIn(*loop.body);
  for (const Accumulator& part : body.accumulators) {
    if (part.key == nullptr)
      continue;
    for (const VarDecl* each : variablesIn(*part.key)) {
      const bool isInner = std::ranges::find(inner, each) != inner.end();
      const bool isOwn = std::ranges::find(own, each) != own.end() && !values.isAlike(*each);
      if (isInner || isOwn)
        return refuse(common["own-value-unfit"],
                      "line {} compares by {}, which other lanes have not",
                      source.lineOf(part.key->getBeginLoc()), each->getNameAsString());
    }
  }
  return {};
}

/// In one instance of a template.
Legal<SharedLoop> readInstance(const Source& source, const BranchStatement& placed,
                               const Placed& instance, Rows rows) {
  auto loop = readRowLoop(source, instance);
  if (!loop)
    return tl::unexpected(loop.error());
  auto body = readRowBody(source, *loop, rows);
  if (!body)
    return tl::unexpected(body.error());
  auto own = findOwnValues(source, placed, *loop, *body);
  if (!own)
    return tl::unexpected(own.error());
  const bool hasKey = std::ranges::any_of(
      body->accumulators, [](const Accumulator& each) { return each.key != nullptr; });
  if (hasKey)
    if (auto legal =
            checkKeys(source, *loop, *body, *own, WarpValues(source, *loop->function, rows));
        !legal)
      return tl::unexpected(legal.error());
  return SharedLoop{placed, *std::move(loop), *std::move(body), *std::move(own)};
}

/// What is chosen by a comparison, as it is for types of which equal values may differ.
void asChosen(SharedLoop& shared) {
  for (Accumulator& each : shared.body.accumulators)
    if (each.isChoice && each.joining == Joining::Min)
      each.joining = Joining::Smallest;
    else if (each.isChoice && each.joining == Joining::Max)
      each.joining = Joining::Largest;
}

} // namespace

Legal<SharedLoop> findSharedLoop(const Source& source, const BranchStatement& branch, Rows rows) {
  const auto placed = rowLoopOf(branch);
  if (!placed)
    return refuse(common["no-row-loop"], "the branch is no loop and does not break out of one");
  std::optional<SharedLoop> shared;
  for (const Placed& instance : placed->instances) {
    auto each = readInstance(source, *placed, instance, rows);
    if (!each)
      return each;
    if (placed->instances.size() > 1)
      asChosen(*each);
    if (shared && callText(source, *each, "", "") != callText(source, *shared, "", ""))
      return refuse(common["carried-over"],
                    "the loop in line {} is another one in each instance of its template",
                    source.lineOf(placed->statement->getBeginLoc()));
    if (shared)
      each->body.rounds = each->body.rounds || shared->body.rounds;
    shared = *std::move(each);
  }
  return *std::move(shared);
}

std::string callText(const Source& source, const SharedLoop& shared, const std::string& function,
                     const std::string& arguments) {
  const std::string step = shared.loop.step != 1 ? fmt::format("{}", shared.loop.step) : "";
  const std::string all = arguments + (arguments.empty() || step.empty() ? "" : ", ") + step;
  return CallWriter(source, shared).write(all.empty() ? function : function + "<" + all + ">");
}

Edits callEdits(const Source& source, const SharedLoop& shared, const std::string& text) {
  Edits edits = source.include("heddle/rows.cuh");
  for (const Range& line : pragmaLines(source, shared.placed))
    edits.remove(line);
  const Range range = shared.loop.range;
  const std::string indent = source.indentAt(range.begin);
  edits.replace(range, indented(text, indent).substr(indent.size()));
  return edits;
}

} // namespace heddle::rewrite
