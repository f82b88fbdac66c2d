// SPDX-License-Identifier: Apache-2.0
#include "ptx/SourceLines.h"

#include "support/Parse.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

namespace heddle::ptx {
namespace {

namespace fs = std::filesystem;

/// The words of a directive: `.loc 1 12 3, function_name ...`.
std::vector<std::string_view> wordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t begin = text.find_first_not_of(" \t,");
    if (begin == std::string_view::npos)
      break;
    const std::size_t end = std::min(text.find_first_of(" \t,", begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    text.remove_prefix(end);
  }
  return words;
}

std::optional<std::pair<std::int64_t, std::int64_t>> locationIn(std::string_view text) {
  const auto words = wordsOf(text);
  if (words.size() < 3 || words[0] != ".loc")
    return {};
  const auto file = parseInteger(words[1]), line = parseInteger(words[2]);
  if (!file || !line)
    return {};
  return std::pair{std::int64_t(*file), std::int64_t(*line)};
}

std::map<std::int64_t, std::string> filesIn(const std::vector<std::string_view>& lines) {
  std::map<std::int64_t, std::string> files;
  for (const std::string_view line : lines) {
    const auto words = wordsOf(line);
    const std::size_t begin = line.find('"'), end = line.rfind('"');
    if (words.size() < 3 || words[0] != ".file" || end <= begin)
      continue;
    if (const auto number = parseInteger(words[1]))
      files[std::int64_t(*number)] =
          namedFromHere(std::string(line.substr(begin + 1, end - begin - 1))).first;
  }
  return files;
}

} // namespace

std::pair<std::string, std::string> namedFromHere(const std::string& path) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const fs::path relative = fs::path(path).lexically_relative(here);
  const bool isBelow =
      fs::path(path).is_absolute() && !relative.empty() && *relative.begin() != "..";
  return {isBelow ? relative.string() : path, here.string()};
}

SourceLines::SourceLines(std::string_view ptx) {
  const auto lines = splitText(ptx, '\n');
  const auto files = filesIn(lines);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    texts_.emplace_back(lines[i]);
    if (const auto found = locationIn(lines[i]))
      if (const auto file = files.find(found->first); file != files.end())
        begins_[std::uint32_t(i + 1)] = {file->second, int(found->second)};
  }
}

const SourceLine* SourceLines::at(std::uint32_t ptxLine) const {
  const auto behind = begins_.upper_bound(ptxLine);
  return ptxLine == 0 || behind == begins_.begin() ? nullptr : &std::prev(behind)->second;
}

bool SourceLines::isSequence(std::uint32_t ptxLine) const {
  constexpr std::array<std::string_view, 6> names = {"div.", "rem.",  "sqrt.",
                                                     "rcp.", "atom.", "red."};
  if (ptxLine == 0 || ptxLine > texts_.size())
    return false;
  const std::string_view text = texts_[ptxLine - 1];
  return std::ranges::any_of(
      names, [&](std::string_view name) { return text.find(name) != std::string_view::npos; });
}

} // namespace heddle::ptx
