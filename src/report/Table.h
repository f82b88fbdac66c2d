// SPDX-License-Identifier: Apache-2.0
//
// Text in aligned columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::report {

/// Columns that a report may take: 100, or what setMostColumns said, once, before the first report.
std::size_t mostColumns();

/// The width of the terminal: what is narrower than 60 or wider than 100 columns counts as that.
void setMostColumns(std::size_t columns);

/// For a terminal of less than 100 columns: lines that are too wide are broken at spaces; what
/// follows is indented further than they are.
std::string fitted(std::string_view text);

/// Columns a text takes on a terminal: colour codes take none, a UTF-8 character takes one.
std::size_t displayWidth(std::string_view text);

std::string padLeft(std::string_view text, std::size_t width);
std::string padRight(std::string_view text, std::size_t width);

/// Breaks a text at spaces into lines of at most `width` columns, where its words allow.
std::vector<std::string> wrapText(std::string_view text, std::size_t width);

class Table {
public:
  /// One letter per column: 'l' aligns left, 'r' right.
  explicit Table(std::string alignment) : alignment_(std::move(alignment)) {}

  void addRow(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  /// Every row on a line of its own, indented, columns two spaces apart, no spaces at the ends.
  std::string print(std::size_t indent = 2) const;

private:
  std::string alignment_;
  std::vector<std::vector<std::string>> rows_;
};

} // namespace heddle::report
