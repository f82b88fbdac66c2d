// SPDX-License-Identifier: Apache-2.0
#include "driver/ChangedFiles.h"

#include "support/Files.h"

#include <system_error>

namespace heddle::driver {

/// A changed file says where it comes from, so that __FILE__, line tables and errors name the
/// original.
Expected<std::vector<std::string>> writeChanged(const std::vector<std::string>& files,
                                                const ChangedFiles& changed,
                                                const std::filesystem::path& to) {
  std::vector<std::string> sources = files;
  for (std::string& source : sources) {
    const auto found = changed.find(source);
    if (found == changed.end())
      continue;
    const std::filesystem::path written = to / std::filesystem::path(source).filename();
    HEDDLE_CHECK(writeFile(written, fmt::format("#line 1 \"{}\"\n{}", source, found->second)));
    source = written.string();
  }
  return sources;
}

std::vector<std::string> includeFolders(const std::vector<std::string>& files) {
  std::vector<std::string> folders;
  std::error_code error;
  for (const std::string& file : files)
    folders.push_back(std::filesystem::absolute(file, error).parent_path().string());
  return folders;
}

} // namespace heddle::driver
