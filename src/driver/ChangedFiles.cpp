// SPDX-License-Identifier: Apache-2.0
#include "driver/ChangedFiles.h"

#include "driver/IncludedFiles.h"
#include "frontend/TextEdits.h"
#include "support/Files.h"

#include <algorithm>
#include <system_error>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;

/// A changed file says where it comes from, so that __FILE__, line tables and errors name the
/// original. A compiler that complains of launches with blanks would name that, too, so there are
/// none.
Expected<void> write(const fs::path& to, const std::string& name, const std::string& text) {
  return writeFile(to, fmt::format("#line 1 \"{}\"\n{}", name, frontend::withJoinedLaunches(text)));
}

/// All files of a program below `to`, as they lie to one another.
Expected<WrittenProgram> writeAll(const std::vector<std::string>& files,
                                  const std::vector<std::string>& flags,
                                  const ChangedFiles& changed, const fs::path& to) {
  std::set<fs::path> all = includedFiles(files, flags);
  std::map<fs::path, std::pair<std::string, const std::string*>> texts; // by absolute name
  std::error_code error;
  for (const auto& [name, text] : changed) {
    const fs::path file = fs::weakly_canonical(name, error);
    texts[file] = {name, &text};
    all.insert(file);
  }
  const auto copyOf = [&](const fs::path& file) { return fs::path(to) += file; };
  for (const fs::path& file : all) {
    fs::create_directories(copyOf(file).parent_path(), error);
    const auto found = texts.find(file);
    if (found != texts.end()) {
      HEDDLE_CHECK(write(copyOf(file), found->second.first, *found->second.second));
      continue;
    }
    HEDDLE_TRY(const std::string text, readFile(file));
    HEDDLE_CHECK(write(copyOf(file), file.string(), text));
  }
  WrittenProgram program;
  for (const std::string& file : files)
    program.sources.push_back(copyOf(fs::weakly_canonical(file, error)).string());
  for (const fs::path& folder : headerFolders(flags))
    if (const fs::path copy = copyOf(fs::weakly_canonical(folder, error));
        fs::is_directory(copy, error))
      program.flags.insert(program.flags.end(), {"-I", copy.string()});
  return program;
}

} // namespace

Expected<WrittenProgram> writeChanged(const std::vector<std::string>& files,
                                      const std::vector<std::string>& flags,
                                      const ChangedFiles& changed, const fs::path& to) {
  const auto isSource = [&](const auto& file) {
    return std::ranges::find(files, file.first) != files.end();
  };
  if (!std::ranges::all_of(changed, isSource))
    return writeAll(files, flags, changed, to);
  WrittenProgram program{files, {}};
  for (std::string& source : program.sources)
    if (const auto found = changed.find(source); found != changed.end()) {
      const fs::path written = to / fs::path(source).filename();
      HEDDLE_CHECK(write(written, source, found->second));
      source = written.string();
    }
  return program;
}

std::vector<std::string> includeFolders(const std::vector<std::string>& files) {
  std::vector<std::string> folders;
  std::error_code error;
  for (const std::string& file : files)
    folders.push_back(fs::absolute(file, error).parent_path().string());
  return folders;
}

} // namespace heddle::driver
