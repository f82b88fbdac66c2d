// SPDX-License-Identifier: Apache-2.0
//
//   1. Each statement has the text from the end of the one before: comments and pragmas go with it.
//   2. The condition is evaluated once, in front; where one branch is left, and comes first, it
//      stays there.
//   3. Declarations, operands, and the parts in their order.
#include "rewrite/meld/MeldText.h"

#include "rewrite/arms/Operands.h"
#include "rewrite/code/ConditionText.h"
#include "rewrite/code/Effects.h"
#include "rewrite/code/FreshNames.h"
#include "rewrite/code/Indentation.h"
#include "rewrite/code/Words.h"
#include "rewrite/meld/Refusals.h"

#include <clang/AST/StmtCXX.h>

#include <algorithm>
#include <cctype>

namespace heddle::rewrite::meld {
namespace {

using clang::Stmt;

bool isBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// With a comment that ends its line.
std::size_t withComment(const std::string& text, std::size_t end) {
  const std::size_t lineEnd = std::min(text.find('\n', end), text.size());
  const std::size_t next = text.find_first_not_of(" \t", end);
  const bool isComment = next < lineEnd && text.compare(next, 2, "//") == 0;
  return isComment ? lineEnd : end;
}

/// With other names, but for those of members.
std::string withNames(const std::string& text, const std::map<std::string, std::string>& names) {
  std::string result;
  const auto isPart = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    while (isPart(text[at]) && end < text.size() && isPart(text[end]))
      ++end;
    const std::string word = text.substr(at, end - at);
    const auto found = names.find(word);
    const bool isMember = result.ends_with('.') || result.ends_with("->");
    result += found != names.end() && !isMember ? found->second : word;
    at = end;
  }
  return result;
}

/// A directive other than a pragma may leave out half of an arm.
bool hasDirectives(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at)) {
    at = text.find_first_not_of(" \t\n", at);
    if (at == std::string_view::npos)
      return false;
    if (text[at] == '#' && !text.substr(at).starts_with("#pragma"))
      return true;
  }
  return false;
}

class TextMelder {
public:
  TextMelder(const Source& source, const BranchStatement& branch, const Arms& arms, Locals locals)
      : source_(source), branch_(branch), arms_(arms), locals_(std::move(locals)),
        operands_(source, arms.alignment.choices,
                  {*arms.first.code, *arms.other.code, *branch.function->getBody()}),
        names_(source, *branch.function) {}

  Legal<Edits> meld();

private:
  Legal<void> check() const;
  Legal<std::vector<Range>> placesOf(const Arm& arm) const;
  std::string textOf(const std::vector<Range>& places, std::size_t begin, std::size_t count,
                     const std::string& indent) const;
  void nameCondition();
  bool hasBlockAlone() const;
  std::string guarded(const Part& part, const std::string& indent) const;
  std::vector<std::string> partTexts(const std::string& indent) const;

  const Source& source_;
  const BranchStatement& branch_;
  const Arms& arms_;
  Locals locals_;
  Operands operands_;
  FreshNames names_;
  std::vector<Range> first_, other_; ///< texts of the statements
  std::string condition_, negated_;  ///< as they stand in a branch
  std::vector<std::string> front_;   ///< statements
  Edits edits_;                      ///< of both arms
};

Legal<void> TextMelder::check() const {
  const auto range = source_.rangeOf(*arms_.branch);
  if (!range || !source_.rangeOf(arms_.branch->getCond()->getSourceRange()) ||
      hasDirectives(source_.textOf(*range)))
    return refuse(refusals["macro-in-the-way"],
                  "the branch in line {} begins or ends in a macro, or has directives",
                  source_.lineOf(arms_.branch->getBeginLoc()));
  auto legal = operands_.check();
  if (!legal && legal.error().is(common["arms-differ"]))
    return refuse(refusals["unhoistable-declaration"], "{}", legal.error().reason);
  return legal;
}

/// Step 1.
Legal<std::vector<Range>> TextMelder::placesOf(const Arm& arm) const {
  const auto inside = source_.insideOf(*arm.code);
  if (!inside)
    return refuse(refusals["macro-in-the-way"], "an arm begins or ends in a macro");
  std::size_t at = inside->begin;
  if (!llvm::isa<clang::CompoundStmt>(arm.code) && isBlank(source_.indentAt(at)) &&
      source_.lineBegin(at) + source_.indentAt(at).size() == at)
    at = source_.lineBegin(at);
  std::vector<Range> places;
  for (const Stmt* each : arm.statements) {
    const auto* marked = llvm::dyn_cast<clang::AttributedStmt>(each);
    const auto range = source_.rangeOf(marked != nullptr ? *marked->getSubStmt() : *each);
    if (!range || range->begin < at)
      return refuse(refusals["macro-in-the-way"], "line {} begins or ends in a macro",
                    source_.lineOf(each->getBeginLoc()));
    places.push_back({at, withComment(source_.text(), range->end)});
    at = places.back().end;
  }
  if (!places.empty() && places.back().end < inside->end)
    places.back().end = inside->end;
  return places;
}

std::string TextMelder::textOf(const std::vector<Range>& places, std::size_t begin,
                               std::size_t count, const std::string& indent) const {
  if (count == 0)
    return "";
  const Range range{places[begin].begin, places[begin + count - 1].end};
  return indented(edits_.apply(source_.text(), range), indent);
}

/// Step 2.
void TextMelder::nameCondition() {
  const clang::Expr& condition = *arms_.branch->getCond();
  const auto& parts = arms_.alignment.parts;
  const auto guards = std::ranges::count(parts, false, &Part::alike);
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(condition.IgnoreParenImpCasts());
  const auto* variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  const bool clashes = std::ranges::any_of(effectsOf(condition).reads, [&](const auto* each) {
    return locals_.names.contains(each->getNameAsString());
  });
  const bool stays = variable != nullptr && operands_.effects().keep(*variable) && !clashes;
  const bool comesFirst =
      guards == 1 && !parts.front().alike && operands_.choices().empty() && !clashes;
  if (guards == 0 && operands_.choices().empty()) {
    if (!effectsOf(condition).pure())
      front_.push_back(source_.textOf(condition.getSourceRange()) + ";");
  } else if (stays || comesFirst) {
    condition_ = source_.textOf(condition.getSourceRange());
    negated_ = negation(source_, condition);
  } else {
    condition_ = names_.make("first");
    negated_ = "!" + condition_;
    front_.push_back(
        fmt::format("const bool {} = {};", condition_, source_.textOf(condition.getSourceRange())));
  }
}

/// What is not alike, in a branch of its own; nothing where only declarations were left.
std::string TextMelder::guarded(const Part& part, const std::string& indent) const {
  const std::string deeper = indent + source_.indentUnit();
  const std::string taken = textOf(first_, part.first, part.firstCount, deeper);
  const std::string other =
      withNames(textOf(other_, part.other, part.otherCount, deeper), locals_.renamed);
  const auto isSimple = [&](const Arm& arm, const std::string& text) {
    const Statements statements = arms_.of(arm, part);
    return isBlank(text) || (statements.size() == 1 && text.find('\n') == std::string::npos &&
                             llvm::isa<clang::Expr, clang::DeclStmt>(statements[0]));
  };
  if (isBlank(taken) && isBlank(other))
    return "";
  const bool plain = isSimple(arms_.first, taken) && isSimple(arms_.other, other);
  const std::string open = plain ? "\n" : " {\n", close = plain ? "" : "\n" + indent + "}";
  if (isBlank(taken))
    return fmt::format("{}if ({}){}{}{}", indent, negated_, open, other, close);
  std::string text = fmt::format("{}if ({}){}{}{}", indent, condition_, open, taken, close);
  if (!isBlank(other))
    text += fmt::format("{}else{}{}{}", plain ? "\n" + indent : " ", open, other, close);
  return text;
}

/// Step 3.
std::vector<std::string> TextMelder::partTexts(const std::string& indent) const {
  std::vector<std::string> texts;
  const auto& parts = arms_.alignment.parts;
  for (auto at = parts.begin(); at != parts.end();) {
    if (!at->alike) {
      texts.push_back(guarded(*at++, indent));
      continue;
    }
    const auto end = std::find_if(at, parts.end(), [](const Part& each) { return !each.alike; });
    texts.push_back(textOf(first_, at->first, std::size_t(end - at), indent));
    at = end;
  }
  std::erase_if(texts, isBlank);
  return texts;
}

/// Whether the block around the branch can hold its names as well.
bool TextMelder::hasBlockAlone() const {
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(branch_.around.front());
  const auto whole = source_.rangeOf(*branch_.function->getBody());
  const auto own = source_.rangeOf(*arms_.branch);
  if (block == nullptr || block->size() != 1 || !whole || !own || branch_.around.size() == 1)
    return false;
  const std::string outside =
      source_.textOf({whole->begin, own->begin}) + source_.textOf({own->end, whole->end});
  return std::ranges::none_of(locals_.names,
                              [&](const std::string& each) { return hasWord(outside, each); });
}

Legal<Edits> TextMelder::meld() {
  if (auto legal = check(); !legal)
    return tl::unexpected(legal.error());
  auto first = placesOf(arms_.first), other = placesOf(arms_.other);
  if (!first || !other)
    return tl::unexpected(!first ? first.error() : other.error());
  first_ = std::move(*first);
  other_ = std::move(*other);
  nameCondition();
  front_.insert(front_.end(), locals_.declarations.begin(), locals_.declarations.end());
  edits_ = locals_.edits;
  edits_.add(operands_.choose(condition_, names_, front_));

  const Range range = *source_.rangeOf(*arms_.branch);
  const std::string outer = source_.indentAt(range.begin);
  const bool braces = needsScope(branch_) || (!locals_.names.empty() && !hasBlockAlone());
  const std::string indent = braces ? outer + source_.indentUnit() : outer;
  std::vector<std::string> lines = partTexts(indent);
  for (std::string& each : front_)
    each.insert(0, indent);
  lines.insert(lines.begin(), front_.begin(), front_.end());
  const std::string text = fmt::format("{}", fmt::join(lines, "\n"));
  Edits edits;
  edits.replace(range, braces ? "{\n" + text + "\n" + outer + "}"
                              : text.substr(text.starts_with(outer) ? outer.size() : 0));
  return edits;
}

} // namespace

Legal<Edits> meldText(const Source& source, const BranchStatement& branch, const Arms& arms,
                      Locals locals) {
  return TextMelder(source, branch, arms, std::move(locals)).meld();
}

} // namespace heddle::rewrite::meld
