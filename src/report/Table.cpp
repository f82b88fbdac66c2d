// SPDX-License-Identifier: Apache-2.0
#include "report/Table.h"

#include <algorithm>

namespace heddle::report {
namespace {

constexpr std::size_t fewestColumns = 60, usualColumns = 100;
std::size_t chosenColumns = usualColumns;

/// Where a line that is too wide is best broken; npos: nowhere. Before a gap of several spaces, if
/// there is one late enough, else before the last space.
std::size_t breakIn(std::string_view line, std::size_t width) {
  std::size_t column = 0, best = std::string_view::npos, gap = std::string_view::npos;
  bool inEscape = false, begun = false;
  for (std::size_t i = 0; i < line.size() && column <= width; ++i) {
    const auto byte = static_cast<unsigned char>(line[i]);
    inEscape |= byte == 0x1b;
    if (byte == ' ' && begun) {
      best = i;
      if (line.substr(i).starts_with("  ") && column > width / 3)
        gap = i;
    }
    begun |= byte != ' ';
    column += !inEscape && (byte & 0xc0) != 0x80 ? 1 : 0;
    inEscape &= byte != 'm';
  }
  return gap != std::string_view::npos ? gap : best;
}

} // namespace

std::size_t mostColumns() {
  return chosenColumns;
}

void setMostColumns(std::size_t columns) {
  chosenColumns = std::clamp(columns, fewestColumns, usualColumns);
}

std::string fitted(std::string_view text) {
  if (mostColumns() >= usualColumns)
    return std::string(text);
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string line(text.substr(0, end));
    const std::string indent(line.find_first_not_of(' ') + 4, ' ');
    for (std::size_t at = 0; displayWidth(line) > mostColumns();) {
      at = breakIn(line, mostColumns());
      if (at == std::string::npos || at <= indent.size())
        break;
      result += line.substr(0, line.find_last_not_of(' ', at) + 1) + "\n";
      line = indent + line.substr(std::min(line.find_first_not_of(' ', at), line.size()));
    }
    result += line + (end < text.size() ? "\n" : "");
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::size_t displayWidth(std::string_view text) {
  std::size_t width = 0;
  bool inEscape = false;
  for (const unsigned char byte : text) {
    if (byte == 0x1b)
      inEscape = true;
    const bool continuation = (byte & 0xc0) == 0x80;
    if (!inEscape && !continuation)
      ++width;
    if (inEscape && byte == 'm')
      inEscape = false;
  }
  return width;
}

std::string padLeft(std::string_view text, std::size_t width) {
  const std::size_t shown = displayWidth(text);
  return std::string(width > shown ? width - shown : 0, ' ') + std::string(text);
}

std::string padRight(std::string_view text, std::size_t width) {
  const std::size_t shown = displayWidth(text);
  return std::string(text) + std::string(width > shown ? width - shown : 0, ' ');
}

std::vector<std::string> wrapText(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (displayWidth(text) > width) {
    std::size_t cut = text.rfind(' ', width);
    if (cut == std::string_view::npos || cut == 0)
      cut = std::min(text.find(' '), text.size()); // one word longer than a line
    if (cut == text.size())
      break;
    lines.emplace_back(text.substr(0, cut));
    text.remove_prefix(cut + 1);
  }
  lines.emplace_back(text);
  return lines;
}

std::string Table::print(std::size_t indent) const {
  std::vector<std::size_t> widths(alignment_.size(), 0);
  for (const auto& row : rows_)
    for (std::size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], displayWidth(row[column]));
  std::string text;
  for (const auto& row : rows_) {
    std::string line(indent, ' ');
    for (std::size_t column = 0; column < row.size(); ++column) {
      line += column == 0 ? "" : "  ";
      line += alignment_[column] == 'r' ? padLeft(row[column], widths[column])
                                        : padRight(row[column], widths[column]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

} // namespace heddle::report
