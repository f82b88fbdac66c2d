// SPDX-License-Identifier: Apache-2.0
#include "profile/WrittenFiles.h"

#include <system_error>

namespace heddle::profile {
namespace {

namespace fs = std::filesystem;

std::string nameOf(const fs::path& file, const fs::path& seenFrom) {
  const fs::path near = file.lexically_relative(seenFrom);
  return near.empty() || *near.begin() == ".." ? file.string() : near.string();
}

template <class Visit> void eachFile(const fs::path& folder, const Visit& visit) {
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(folder, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error))
    if (entry->is_regular_file(error) && !entry->is_symlink(error))
      visit(entry->path(), "/" / entry->path().lexically_relative(folder));
}

} // namespace

WrittenFiles listWritten(const fs::path& folder, const fs::path& seenFrom) {
  WrittenFiles files;
  eachFile(folder.string() + removedFolder, [&](const fs::path&, const fs::path& file) {
    files[nameOf(file.parent_path(), seenFrom)] = fs::path();
  });
  eachFile(folder.string() + writtenFolder, [&](const fs::path& copy, const fs::path& file) {
    files[nameOf(file, seenFrom)] = copy;
  });
  return files;
}

} // namespace heddle::profile
