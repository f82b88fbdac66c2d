// SPDX-License-Identifier: Apache-2.0
#include "rewrite/code/Indentation.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace heddle::rewrite {
namespace {

constexpr std::string_view blanks = " \t";

bool isBlank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

std::vector<std::string_view> splitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::size_t commonIndent(const std::vector<std::string_view>& lines) {
  std::optional<std::size_t> least;
  for (const std::string_view line : lines)
    if (!isBlank(line) && !line.starts_with('#')) {
      const std::size_t found = line.find_first_not_of(blanks);
      least = std::min(least.value_or(found), found);
    }
  return least.value_or(0);
}

} // namespace

std::string indented(std::string_view text, std::string_view indent) {
  std::vector<std::string_view> lines = splitLines(text);
  const std::size_t cut = commonIndent(lines);
  for (std::string_view& line : lines)
    if (!line.starts_with('#'))
      line.remove_prefix(std::min(cut, line.size()));
  while (!lines.empty() && isBlank(lines.back()))
    lines.pop_back();
  while (!lines.empty() && isBlank(lines.front()))
    lines.erase(lines.begin());
  std::string result;
  for (const std::string_view line : lines) {
    if (!result.empty())
      result += '\n';
    if (isBlank(line))
      continue;
    if (!line.starts_with('#'))
      result += indent;
    result += line;
  }
  return result;
}

} // namespace heddle::rewrite
