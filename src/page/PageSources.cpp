// SPDX-License-Identifier: Apache-2.0
#include "page/PageSources.h"

#include "support/Files.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <system_error>

namespace heddle::page {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t mostBytes = 4U << 20;     ///< of one file
constexpr std::uintmax_t mostAllBytes = 32U << 20; ///< of a page
constexpr std::array sourceEndings = {".cu",  ".cuh", ".h",   ".hh",  ".hpp", ".hxx", ".c",
                                      ".cc",  ".cpp", ".cxx", ".inl", ".inc", ".ipp", ".tcc",
                                      ".ptx", ".ll",  ".jl",  ".py",  ".def"};

void addSite(const profile::Site& site, std::set<std::string>& names) {
  names.insert(site.where.file);
  for (const profile::SourceLocation& call : site.inlinedAt)
    names.insert(call.file);
}

std::set<std::string> namesIn(const profile::ProgramProfile& profile) {
  std::set<std::string> names;
  for (const profile::KernelProfile& kernel : profile.kernels) {
    for (const auto& branch : kernel.branches)
      addSite(branch.site, names);
    for (const auto& line : kernel.lines)
      addSite(line.site, names);
    for (const auto& loop : kernel.loops)
      addSite(loop.site, names);
    for (const auto& access : kernel.accesses)
      addSite(access.site, names);
    if (kernel.recorded)
      for (const profile::Site& place : kernel.recorded->places)
        addSite(place, names);
  }
  for (const profile::Remark& remark : profile.remarks)
    names.insert(remark.where.file);
  names.erase("");
  return names;
}

bool looksLikeSource(const fs::path& file) {
  return std::ranges::find(sourceEndings, file.extension().string()) != sourceEndings.end();
}

fs::path whereItIs(const fs::path& file, const fs::path& profileFile) {
  std::error_code error;
  const fs::path beside = profileFile.parent_path() / file;
  if (!profileFile.empty() && file.is_relative() && !fs::exists(file, error) &&
      fs::exists(beside, error))
    return beside;
  return file;
}

PageSource read(const std::string& name, const fs::path& profileFile, std::uintmax_t& bytesLeft) {
  PageSource source{.file = name};
  if (!looksLikeSource(name)) {
    source.missing = "its name is not that of a source file";
    return source;
  }
  const fs::path file = whereItIs(name, profileFile);
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  if (!error && (size > mostBytes || size > bytesLeft)) {
    source.missing = "it is too long for a page";
    return source;
  }
  auto text = readFile(file);
  if (!text) {
    source.missing = text.error().message;
    return source;
  }
  bytesLeft -= std::min<std::uintmax_t>(bytesLeft, text->size());
  source.text = *std::move(text);
  source.changed = !profileFile.empty() &&
                   fs::last_write_time(file, error) > fs::last_write_time(profileFile, error);
  return source;
}

} // namespace

std::vector<PageSource> sourcesOf(const profile::ProgramProfile& profile,
                                  const fs::path& profileFile) {
  std::vector<PageSource> sources;
  std::uintmax_t bytesLeft = mostAllBytes;
  for (const std::string& name : namesIn(profile))
    sources.push_back(read(name, profileFile, bytesLeft));
  return sources;
}

} // namespace heddle::page
