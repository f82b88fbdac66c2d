// SPDX-License-Identifier: Apache-2.0
#include "profile/LineTexts.h"

#include "profile/ProgramProfile.h"
#include "profile/SourceLines.h"

#include <set>

namespace heddle::profile {
namespace {

/// A cut must not leave half a character.
std::string_view cutLine(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos)
    return "";
  text.remove_prefix(begin);
  if (text.size() > LineText::mostBytes) {
    std::size_t end = LineText::mostBytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
      --end;
    text = text.substr(0, end);
  }
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

} // namespace

std::vector<LineText> readLineTexts(const ProgramProfile& profile) {
  std::set<std::pair<std::string, int>> wanted;
  const auto want = [&wanted](const auto& records) {
    for (const auto& record : records)
      if (!record.site.where.file.empty())
        wanted.emplace(record.site.where.file, record.site.where.line);
  };
  for (const KernelProfile& kernel : profile.kernels) {
    want(kernel.branches);
    want(kernel.lines);
    want(kernel.loops);
    want(kernel.accesses);
  }
  SourceLines source;
  std::vector<LineText> lines;
  for (const auto& [file, line] : wanted)
    if (const std::string text = source.at({file, line, 0}); !cutLine(text).empty())
      lines.push_back({file, line, std::string(cutLine(text))});
  return lines;
}

LineTexts lineTextsOf(const ProgramProfile& profile) {
  LineTexts texts;
  for (const LineText& line : profile.lines)
    texts.emplace(std::pair(line.file, line.line), line.text);
  return texts;
}

std::string_view textAt(const LineTexts& texts, const SourceLocation& where) {
  const auto found = texts.find({where.file, where.line});
  return found == texts.end() ? std::string_view() : found->second;
}

} // namespace heddle::profile
