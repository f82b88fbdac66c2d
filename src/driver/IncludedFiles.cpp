// SPDX-License-Identifier: Apache-2.0
#include "driver/IncludedFiles.h"

#include "support/Files.h"
#include "support/Parse.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <system_error>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;

fs::path wholeName(const fs::path& file) {
  std::error_code error;
  const fs::path found = fs::weakly_canonical(file, error);
  return error ? fs::absolute(file, error).lexically_normal() : found;
}

/// What a line includes; nothing where it includes nothing, or what a macro says.
std::optional<std::string> includedBy(std::string_view line) {
  const auto skip = [&] {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  };
  skip();
  if (!line.starts_with('#'))
    return std::nullopt;
  line.remove_prefix(1);
  skip();
  constexpr std::string_view word = "include";
  if (!line.starts_with(word))
    return std::nullopt;
  line.remove_prefix(word.size());
  skip();
  if (line.empty() || (line.front() != '"' && line.front() != '<'))
    return std::nullopt;
  const std::size_t end = line.find(line.front() == '"' ? '"' : '>', 1);
  return end == std::string_view::npos ? std::nullopt
                                       : std::optional(std::string(line.substr(1, end - 1)));
}

/// The nearest folder around a file that a version control made.
std::optional<fs::path> repositoryOf(const fs::path& file) {
  std::error_code error;
  for (fs::path folder = file.parent_path(); folder.has_relative_path();
       folder = folder.parent_path())
    for (const char* mark : {".git", ".hg", ".svn"})
      if (fs::exists(folder / mark, error))
        return folder;
  return std::nullopt;
}

fs::path commonFolder(const fs::path& a, const fs::path& b) {
  fs::path common;
  for (auto left = a.begin(), right = b.begin();
       left != a.end() && right != b.end() && *left == *right; ++left, ++right)
    common /= *left;
  return common;
}

} // namespace

bool isBelow(const fs::path& file, const fs::path& folder) {
  const fs::path found = wholeName(file).lexically_relative(wholeName(folder));
  return !found.empty() && *found.begin() != "..";
}

fs::path projectFolder(const frontend::ProgramSpec& program) {
  if (!program.root.empty())
    return program.root;
  fs::path common;
  for (const std::string& file : program.files) {
    const fs::path folder = wholeName(file).parent_path();
    common = common.empty() ? folder : commonFolder(common, folder);
  }
  if (const auto repository = repositoryOf(common / "file"))
    return *repository;
  std::error_code error;
  const fs::path here = fs::current_path(error);
  return !error && here.has_relative_path() && isBelow(common, here) ? here : common;
}

std::vector<fs::path> headerFolders(const std::vector<std::string>& flags) {
  static constexpr std::array<std::string_view, 5> names = {"--include-path", "-isystem", "-iquote",
                                                            "-idirafter", "-I"};
  std::vector<fs::path> folders;
  for (std::size_t i = 0; i < flags.size(); ++i)
    for (const std::string_view name : names) {
      const std::string_view flag = flags[i];
      if (!flag.starts_with(name))
        continue;
      if (flag != name)
        folders.emplace_back(flag.substr(name.size() + (flag[name.size()] == '=' ? 1 : 0)));
      else if (i + 1 < flags.size())
        folders.emplace_back(flags[i + 1]);
      break;
    }
  return folders;
}

std::set<fs::path> includedFiles(const frontend::ProgramSpec& program, const std::string& first) {
  const fs::path project = projectFolder(program);
  const std::vector<fs::path> folders = headerFolders(program.flagsOf(first).common);
  std::set<fs::path> found;
  std::vector<fs::path> open;
  const auto add = [&](const fs::path& file) {
    std::error_code error;
    if (!fs::is_regular_file(file, error))
      return false;
    if (const fs::path whole = wholeName(file);
        isBelow(whole, project) && found.insert(whole).second)
      open.push_back(whole);
    return true;
  };
  add(first);
  while (!open.empty()) {
    const fs::path file = open.back();
    open.pop_back();
    const auto text = readFile(file);
    if (!text)
      continue;
    for (const std::string_view line : splitText(*text, '\n'))
      if (const auto name = includedBy(line); name && !add(file.parent_path() / *name))
        (void)std::ranges::any_of(folders, [&](const fs::path& at) { return add(at / *name); });
  }
  return found;
}

} // namespace heddle::driver
