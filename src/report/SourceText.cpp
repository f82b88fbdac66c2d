// SPDX-License-Identifier: Apache-2.0
#include "report/SourceText.h"

#include "report/Table.h"
#include "support/Printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace heddle::report {

std::string SourceText::line(const profile::SourceLocation& where) {
  std::string line = wholeLine(where);
  std::ranges::replace_if(
      line, [](char letter) { return static_cast<unsigned char>(letter) < ' '; }, ' ');
  line.erase(line.find_last_not_of(' ') + 1);
  return printableLine(line.erase(0, std::min(line.find_first_not_of(' '), line.size())));
}

std::string shortened(const std::string& text, std::size_t width) {
  if (displayWidth(text) <= width)
    return text;
  std::size_t end = 0;
  for (std::size_t columns = 0; end < text.size(); ++end) {
    const bool startsLetter = (static_cast<unsigned char>(text[end]) & 0xc0) != 0x80;
    if (startsLetter && ++columns > width - 3)
      break;
  }
  return text.substr(0, end) + "...";
}

std::string placeText(const profile::SourceLocation& where, bool withColumn) {
  if (where.file.empty())
    return "unknown place";
  const std::string name = printableLine(std::filesystem::path(where.file).filename().string());
  return withColumn ? fmt::format("{}:{}:{}", name, where.line, where.column)
                    : fmt::format("{}:{}", name, where.line);
}

} // namespace heddle::report
