// SPDX-License-Identifier: Apache-2.0
#include "profile/SourceLines.h"

#include "support/Files.h"
#include "support/Parse.h"

namespace heddle::profile {
namespace {

std::vector<std::string> readLines(const std::string& name) {
  std::vector<std::string> lines;
  if (const auto text = readFile(name))
    for (const std::string_view line : splitText(*text, '\n'))
      lines.emplace_back(line);
  return lines;
}

} // namespace

std::string SourceLines::at(const SourceLocation& where) {
  auto found = files_.find(where.file);
  if (found == files_.end())
    found = files_.emplace(where.file, readLines(where.file)).first;
  if (where.line < 1 || std::size_t(where.line) > found->second.size())
    return "";
  return found->second[std::size_t(where.line) - 1];
}

} // namespace heddle::profile
