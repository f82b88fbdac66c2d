// SPDX-License-Identifier: Apache-2.0
#include "report/Table.h"

#include <algorithm>

namespace heddle::report {

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
