// SPDX-License-Identifier: Apache-2.0
#include "driver/ChangedFiles.h"

#include "driver/IncludedFiles.h"
#include "frontend/TextEdits.h"
#include "support/Files.h"

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;
using frontend::CompilerFlags;
using frontend::ProgramSpec;

/// A changed file says where it comes from, so that __FILE__, line tables and errors name the
/// original. A compiler that complains of launches with blanks would name that, too, so there are
/// none.
Expected<void> write(const fs::path& to, const std::string& name, std::string text) {
  text.erase(0, frontend::sizeOfByteOrderMark(text));
  return writeFile(to, fmt::format("#line 1 \"{}\"\n{}", name, frontend::withJoinedLaunches(text)));
}

fs::path wholeNameOf(const std::string& file) {
  std::error_code error;
  return fs::weakly_canonical(file, error);
}

/// What stands beside an original is found from its copy.
CompilerFlags withFolder(CompilerFlags flags, const std::string& file) {
  std::error_code error;
  const std::string folder = fs::absolute(file, error).parent_path().string();
  for (const char* flag : {"-iquote", "-I"})
    flags.common.insert(flags.common.end(), {flag, folder});
  return flags;
}

class Writer {
public:
  Writer(const ProgramSpec& program, const ChangedFiles& changed, const fs::path& to)
      : program_(program), written_(program), to_(to) {
    for (const auto& [name, text] : changed)
      changed_[wholeNameOf(name)] = {name, &text};
  }

  Expected<ProgramSpec> write() {
    std::vector<std::set<fs::path>> included; // by each file
    for (const std::string& file : program_.files)
      included.push_back(includedFiles(program_, file));
    for (const auto& [file, named] : changed_) // one that a macro names: any file may include it
      if (!isSource(file) && !isIn(file, included))
        for (std::set<fs::path>& each : included)
          each.insert(file);
    for (std::size_t i = 0; i < program_.files.size(); ++i)
      HEDDLE_CHECK(writeSource(i, std::move(included[i])));
    return std::move(written_);
  }

private:
  fs::path copyOf(const fs::path& file) const { return (to_ / "files") += file; }

  static bool isIn(const fs::path& file, const std::vector<std::set<fs::path>>& sets) {
    return std::ranges::any_of(sets,
                               [&](const std::set<fs::path>& each) { return each.contains(file); });
  }

  Expected<void> writeSource(std::size_t number, std::set<fs::path> included) {
    const std::string& file = program_.files[number];
    const fs::path whole = wholeNameOf(file);
    included.erase(whole);
    const bool headers = std::ranges::any_of(
        included, [&](const fs::path& each) { return changed_.contains(each); });
    if (!headers && !changed_.contains(whole))
      return {};
    if (headers)
      for (const fs::path& each : included)
        HEDDLE_CHECK(writeOnce(each));
    HEDDLE_CHECK(writeOnce(whole));
    const CompilerFlags flags = program_.flagsOf(file);
    written_.moveFile(number, copyOf(whole).string());
    written_.own[copyOf(whole).string()] = withFolder(withCopies(flags), file);
    return {};
  }

  Expected<void> writeOnce(const fs::path& file) {
    if (!done_.insert(file).second)
      return {};
    std::error_code error;
    fs::create_directories(copyOf(file).parent_path(), error);
    if (const auto found = changed_.find(file); found != changed_.end())
      return driver::write(copyOf(file), found->second.first, *found->second.second);
    HEDDLE_TRY(const std::string text, readFile(file));
    return driver::write(copyOf(file), file.string(), text);
  }

  bool isSource(const fs::path& whole) const {
    return std::ranges::any_of(program_.files,
                               [&](const std::string& each) { return wholeNameOf(each) == whole; });
  }

  /// With the copies of the folders for headers before the folders.
  CompilerFlags withCopies(CompilerFlags flags) const {
    std::vector<std::string> first;
    std::error_code error;
    for (const fs::path& folder : headerFolders(flags.common))
      if (const fs::path copy = copyOf(wholeNameOf(folder.string())); fs::is_directory(copy, error))
        first.insert(first.end(), {"-I", copy.string()});
    flags.common.insert(flags.common.begin(), first.begin(), first.end());
    return flags;
  }

  const ProgramSpec& program_;
  ProgramSpec written_;
  const fs::path& to_;
  std::map<fs::path, std::pair<std::string, const std::string*>> changed_; ///< by whole name
  std::set<fs::path> done_;
};

} // namespace

Expected<ProgramSpec> writeChanged(const ProgramSpec& program, const ChangedFiles& changed,
                                   const fs::path& to) {
  return Writer(program, changed, to).write();
}

} // namespace heddle::driver
