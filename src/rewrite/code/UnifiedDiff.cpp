// SPDX-License-Identifier: Apache-2.0
//
//   1. Lines in common at both ends are set aside; between them, the longest common subsequence of
//      lines (Hirschberg's recurrence in a full table: files that people write by hand are small).
//   2. Changes closer together than twice the context share a hunk.
#include "rewrite/code/UnifiedDiff.h"

#include "rewrite/code/Edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace heddle::rewrite {
namespace {

constexpr std::size_t context = 3;

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t length = end == std::string_view::npos ? text.size() : end + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

struct Line {
  char sign; ///< ' ', '-' or '+'
  std::string_view text;
};

using Lines = std::vector<std::string_view>;

/// Step 1.
std::vector<Line> align(const Lines& before, const Lines& after) {
  std::size_t head = 0, tail = 0;
  const std::size_t shorter = std::min(before.size(), after.size());
  while (head < shorter && before[head] == after[head])
    ++head;
  while (tail < shorter - head &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  const std::size_t rows = before.size() - head - tail, columns = after.size() - head - tail;
  std::vector<std::uint32_t> common((rows + 1) * (columns + 1), 0);
  const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
    return common[i * (columns + 1) + j];
  };
  for (std::size_t i = rows; i-- > 0;)
    for (std::size_t j = columns; j-- > 0;)
      at(i, j) = before[head + i] == after[head + j] ? at(i + 1, j + 1) + 1
                                                     : std::max(at(i + 1, j), at(i, j + 1));
  std::vector<Line> lines;
  for (std::size_t i = 0; i < head; ++i)
    lines.push_back({' ', before[i]});
  std::size_t i = 0, j = 0;
  while (i < rows || j < columns) {
    if (i < rows && j < columns && before[head + i] == after[head + j]) {
      lines.push_back({' ', before[head + i]});
      ++i, ++j;
    } else if (j == columns || (i < rows && at(i + 1, j) >= at(i, j + 1))) {
      lines.push_back({'-', before[head + i++]});
    } else {
      lines.push_back({'+', after[head + j++]});
    }
  }
  for (std::size_t k = before.size() - tail; k < before.size(); ++k)
    lines.push_back({' ', before[k]});
  return lines;
}

/// "12" or "12,5" or "0,0" as the header of a hunk has it.
std::string position(std::size_t line, std::size_t count) {
  const std::size_t first = count == 0 ? line : line + 1;
  return count == 1 ? fmt::format("{}", first) : fmt::format("{},{}", first, count);
}

} // namespace

Edits Edits::between(std::string_view before, std::string_view after) {
  Edits edits;
  Range range;
  std::string text;
  const auto end = [&] {
    if (range.begin != range.end || !text.empty())
      edits.replace(range, std::move(text));
    text.clear();
  };
  for (const Line& line : align(linesOf(before), linesOf(after))) {
    if (line.sign == ' ') {
      end();
      range = {range.end + line.text.size(), range.end + line.text.size()};
    } else if (line.sign == '-') {
      range.end += line.text.size();
    } else {
      text += line.text;
    }
  }
  end();
  return edits;
}

std::string unifiedDiff(const std::string& file, std::string_view before, std::string_view after) {
  const Lines left = linesOf(before), right = linesOf(after);
  const std::vector<Line> lines = align(left, right);
  const auto isChange = [](const Line& line) { return line.sign != ' '; };
  if (std::ranges::none_of(lines, isChange))
    return "";
  std::string text = fmt::format("--- a/{0}\n+++ b/{0}\n", file);
  std::size_t oldLine = 0, newLine = 0, at = 0;
  const auto pass = [&](const Line& line) {
    oldLine += line.sign != '+' ? 1 : 0;
    newLine += line.sign != '-' ? 1 : 0;
    ++at;
  };
  while (at < lines.size()) {
    // Step 2: the hunk goes on while the next change is near.
    std::size_t first = at;
    while (first < lines.size() && !isChange(lines[first]))
      ++first;
    if (first == lines.size())
      break;
    const std::size_t begin = std::max(at, first - std::min(first, context));
    std::size_t last = first;
    for (std::size_t i = first; i < lines.size() && i <= last + 2 * context; ++i)
      last = isChange(lines[i]) ? i : last;
    const std::size_t end = std::min(lines.size(), last + context + 1);
    while (at < begin)
      pass(lines[at]);
    const std::size_t oldBegin = oldLine, newBegin = newLine;
    std::string hunk;
    while (at < end) {
      const Line& line = lines[at];
      hunk += line.sign;
      hunk += line.text;
      if (!line.text.ends_with('\n'))
        hunk += "\n\\ No newline at end of file\n";
      pass(line);
    }
    text += fmt::format("@@ -{} +{} @@\n", position(oldBegin, oldLine - oldBegin),
                        position(newBegin, newLine - newBegin));
    text += hunk;
  }
  return text;
}

} // namespace heddle::rewrite
