// SPDX-License-Identifier: Apache-2.0
#include "frontend/SharedObjectEdits.h"

#include "frontend/TextScan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace heddle::frontend {
namespace {

constexpr std::string_view sharedWord = "__shared__", staticWord = "static", alignWord = "alignas",
                           ours = "__heddle_";

/// A part of a text.
struct Range {
  std::size_t begin = 0, end = 0;

  std::size_t length() const { return end - begin; }
  std::string_view of(std::string_view text) const { return text.substr(begin, length()); }
};

/// The name before a place, blanks between left out.
Range nameBefore(std::string_view text, std::size_t place) {
  const std::size_t end = backOverBlanks(text, place);
  return {backOverName(text, end), end};
}

/// The ends of the declarators: at each comma, and at last at the semicolon. Empty where there is
/// an initial value, or no end.
std::vector<std::size_t> declaratorEnds(std::string_view text, std::size_t at) {
  std::vector<std::size_t> ends;
  while (at < text.size()) {
    const char letter = text[at];
    if (std::string_view("([{<").find(letter) != notFound) {
      const auto behind = behindBrackets(text, at);
      if (!behind)
        return {};
      at = *behind;
      continue;
    }
    if (letter == ',' || letter == ';')
      ends.push_back(at);
    if (letter == ';')
      return ends;
    if (std::string_view(")]}=").find(letter) != notFound)
      return {};
    ++at;
  }
  return {};
}

/// The name of the declarator that ends at a place; of `f(1)` and `f{1}` nothing.
std::optional<Range> declaredName(std::string_view text, std::size_t end) {
  end = backOverBlanks(text, end);
  while (end > 0 && text[end - 1] == ']') {
    const auto begin = backOverBrackets(text, end, '[', ']');
    if (!begin)
      return std::nullopt;
    end = backOverBlanks(text, *begin);
  }
  const Range name = nameBefore(text, end);
  return name.length() > 0 ? std::optional(name) : std::nullopt;
}

/// Where a type has no place for them: `static`, and what alignas says.
struct Specifiers {
  std::vector<TextEdit> removed;
  std::string alignment; ///< `alignas(16) `, or empty
};

/// Those before `__shared__`.
Specifiers specifiersBefore(std::string_view text, std::size_t shared) {
  Specifiers found;
  for (std::size_t at = backOverBlanks(text, shared); at > 0;) {
    if (text[at - 1] == ')') {
      const auto open = backOverBrackets(text, at, '(', ')');
      const Range word = nameBefore(text, open.value_or(0));
      if (!open || word.of(text) != alignWord)
        break;
      found.alignment += std::string(text.substr(word.begin, at - word.begin)) + " ";
      found.removed.push_back({word.begin, at - word.begin, ""});
      at = backOverBlanks(text, word.begin);
      continue;
    }
    const Range word = nameBefore(text, at);
    if (word.of(text) == staticWord)
      found.removed.push_back({word.begin, word.length(), ""});
    else if (word.of(text) != "const" && word.of(text) != "volatile")
      break;
    at = backOverBlanks(text, word.begin);
  }
  return found;
}

/// Whether a place is outside of all functions and classes.
bool isOfNamespace(std::string_view text, std::size_t place) {
  int depth = 0;
  while (place > 0 && depth >= 0) {
    const char letter = text[--place];
    depth += letter == '}' ? 1 : letter == '{' ? -1 : 0;
  }
  if (depth >= 0)
    return true;
  const std::string_view before = text.substr(0, place);
  const std::size_t end = before.find_last_of(";{}"); // of the statement before
  return before.substr(end == notFound ? 0 : end + 1).find("namespace") != notFound;
}

bool isSpecifier(std::string_view word) {
  static constexpr std::array<std::string_view, 6> words = {sharedWord, staticWord, "extern",
                                                            "const",    "volatile", "__device__"};
  return std::ranges::find(words, word) != words.end();
}

} // namespace

std::vector<TextEdit> sharedObjectEdits(const std::string& text, std::size_t offset) {
  const std::string plain = blankedQuotes(text);
  const std::size_t shared = plain.rfind(sharedWord, offset);
  if (shared == notFound || isOfNamespace(plain, shared))
    return {};
  const std::size_t type = shared + sharedWord.size();
  const std::size_t next = plain.find_first_not_of(" \t\n", type);
  if (next == notFound || plain.compare(next, alignWord.size(), alignWord) == 0)
    return {}; // sharedAlignmentEdits come first
  const std::vector<std::size_t> ends = declaratorEnds(plain, type);
  const auto [removed, alignment] = specifiersBefore(plain, shared);
  std::vector<TextEdit> edits = removed;
  edits.push_back({shared, sharedWord.size(), "typedef"});
  std::string objects;
  bool isNamed = false;
  for (const std::size_t end : ends) {
    const auto range = declaredName(plain, end);
    if (!range || range->of(plain).starts_with(ours))
      return {};
    isNamed |= range->begin == offset;
    const std::string_view name = range->of(plain);
    edits.push_back({range->begin, 0, "__heddle_t_"});
    objects += fmt::format(" {1}__shared__ __heddle_shared<__heddle_t_{0}, alignof(__heddle_t_{0})>"
                           " __heddle_{0}; static auto& {0} = __heddle_{0}.object;",
                           name, alignment);
  }
  if (!isNamed)
    return {};
  edits.push_back({ends.back() + 1, 0, objects});
  return edits;
}

std::vector<TextEdit> sharedAlignmentEdits(const std::string& text, std::size_t offset) {
  const std::size_t open = offset + alignWord.size();
  if (text.compare(offset, alignWord.size(), alignWord) != 0 || open >= text.size() ||
      text[open] != '(')
    return {};
  const auto behind = behindBrackets(text, open);
  std::size_t begin = offset;
  bool isShared = false;
  for (Range word = nameBefore(text, begin); isSpecifier(word.of(text));
       word = nameBefore(text, begin)) {
    isShared |= word.of(text) == sharedWord;
    begin = word.begin;
  }
  const std::string whole = text.substr(offset, behind.value_or(offset) - offset);
  if (!isShared || whole.empty() || whole.find('\n') != notFound)
    return {};
  return {{begin, 0, whole + " "}, {offset, whole.size(), ""}};
}

} // namespace heddle::frontend
