// SPDX-License-Identifier: Apache-2.0
#include "frontend/TextScan.h"

#include <algorithm>
#include <cctype>

namespace heddle::frontend {
namespace {

bool isBlank(char letter) {
  return std::isspace(static_cast<unsigned char>(letter)) != 0;
}

/// Behind a comment that begins at `at`; `at` itself if notFound does.
std::size_t behindComment(std::string_view text, std::size_t at) {
  if (text.substr(at).starts_with("//"))
    return std::min(text.find('\n', at), text.size());
  if (!text.substr(at).starts_with("/*"))
    return at;
  const std::size_t end = text.find("*/", at + 2);
  return end == notFound ? text.size() : end + 2;
}

/// The same for a comment or a literal, which ends with its line at the latest. In 1'000 is none.
std::size_t behindQuoted(std::string_view text, std::size_t at) {
  const bool isSeparator = text[at] == '\'' && at > 0 && isOfName(text[at - 1]);
  if ((text[at] != '"' && text[at] != '\'') || isSeparator)
    return behindComment(text, at);
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != text[at] && text[end] != '\n')
    end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

/// +1 at a bracket that opens, -1 at one that closes.
int nesting(char letter, bool angles) {
  const std::string_view open = angles ? "([{<" : "([{", close = angles ? ")]}>" : ")]}";
  return open.find(letter) != notFound ? 1 : close.find(letter) != notFound ? -1 : 0;
}

} // namespace

bool isOfName(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

std::size_t findOutside(std::string_view text, std::size_t at, std::string_view sign) {
  int depth = 0;
  while (at < text.size()) {
    if (const std::size_t behind = behindQuoted(text, at); behind != at) {
      at = behind;
      continue;
    }
    if (depth == 0 && text.substr(at).starts_with(sign))
      return at;
    if (text[at] == ';')
      return notFound;
    depth += nesting(text[at], false);
    if (depth < 0)
      return notFound;
    ++at;
  }
  return notFound;
}

std::optional<std::size_t> behindBrackets(std::string_view text, std::size_t at) {
  const bool angles = text[at] == '<';
  int depth = 0;
  while (at < text.size()) {
    if (const std::size_t behind = behindQuoted(text, at); behind != at) {
      at = behind;
      continue;
    }
    depth += nesting(text[at], angles);
    ++at;
    if (depth == 0)
      return at;
  }
  return std::nullopt;
}

std::size_t backOverBlanks(std::string_view text, std::size_t end) {
  while (end > 0 && isBlank(text[end - 1]))
    --end;
  return end;
}

std::size_t backOverName(std::string_view text, std::size_t end) {
  while (end > 0 && isOfName(text[end - 1]))
    --end;
  return end;
}

std::optional<std::size_t> backOverBrackets(std::string_view text, std::size_t end, char open,
                                            char close) {
  int depth = 0;
  while (end > 0) {
    const char letter = text[--end];
    depth += letter == close ? 1 : letter == open ? -1 : 0;
    if (depth == 0)
      return end;
    if (letter == ';')
      return std::nullopt;
  }
  return std::nullopt;
}

std::vector<std::string> splitOutside(std::string_view list) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t at = 0; at < list.size(); ++at) {
    depth += nesting(list[at], true);
    if (depth == 0 && list[at] == ',') {
      parts.emplace_back(list.substr(begin, at - begin));
      begin = at + 1;
    }
  }
  if (backOverBlanks(list, list.size()) > begin)
    parts.emplace_back(list.substr(begin));
  return parts;
}

std::string onOneLine(std::string_view text) {
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t behind = behindComment(text, at); behind != at) {
      line += ' ';
      at = behind;
      continue;
    }
    line += isBlank(text[at]) ? ' ' : text[at];
    ++at;
  }
  return line;
}

std::string blankedQuotes(std::string text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t behind = behindQuoted(text, at);
    if (behind == at)
      ++at;
    for (; at < behind; ++at)
      text[at] = text[at] == '\n' ? '\n' : ' ';
  }
  return text;
}

} // namespace heddle::frontend
