// SPDX-License-Identifier: Apache-2.0
#include "report/SourceText.h"

#include "report/Table.h"
#include "support/Files.h"
#include "support/Parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace heddle::report {
namespace {

std::vector<std::string> readLines(const std::string& name) {
  std::vector<std::string> lines;
  if (const auto text = readFile(name))
    for (const std::string_view line : splitText(*text, '\n'))
      lines.emplace_back(line);
  return lines;
}

} // namespace

std::string SourceText::wholeLine(const profile::SourceLocation& where) {
  auto found = files_.find(where.file);
  if (found == files_.end())
    found = files_.emplace(where.file, readLines(where.file)).first;
  if (where.line < 1 || std::size_t(where.line) > found->second.size())
    return "";
  return found->second[std::size_t(where.line) - 1];
}

std::string SourceText::line(const profile::SourceLocation& where) {
  std::string line = wholeLine(where);
  std::ranges::replace_if(line, [](char letter) { return letter >= 0 && letter < ' '; }, ' ');
  line.erase(line.find_last_not_of(' ') + 1);
  return line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
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
  const std::string name = std::filesystem::path(where.file).filename().string();
  return withColumn ? fmt::format("{}:{}:{}", name, where.line, where.column)
                    : fmt::format("{}:{}", name, where.line);
}

} // namespace heddle::report
