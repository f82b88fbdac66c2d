// SPDX-License-Identifier: Apache-2.0
#include "support/TemporaryFolder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <system_error>

namespace heddle {
namespace {

/// Never destroyed: others may outlive it.
struct Living {
  std::mutex mutex;
  std::set<std::string, std::less<>> folders;

  static Living& instance() {
    static auto* const living = new Living;
    return *living;
  }
};

} // namespace

TemporaryFolder::TemporaryFolder(std::filesystem::path path)
    : path_(std::move(path)), onStop_(path_) {
  const std::scoped_lock lock(Living::instance().mutex);
  Living::instance().folders.insert(path_.string());
}

bool TemporaryFolder::holds(std::string_view file) {
  const std::scoped_lock lock(Living::instance().mutex);
  for (const std::string& folder : Living::instance().folders)
    if (file.starts_with(folder) && (file.size() == folder.size() || file[folder.size()] == '/'))
      return true;
  return false;
}

Expected<TemporaryFolder> TemporaryFolder::make() {
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  if (error)
    return fail(ErrorKind::Io, "no folder for temporary files: {}", error.message());
  std::string pattern = (parent / "heddle-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    return fail(ErrorKind::Io, "cannot create a folder in {}: {}", parent.string(),
                std::strerror(errno));
  return TemporaryFolder(pattern);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (path_.empty())
    return;
  std::filesystem::remove_all(path_, ignored);
  const std::scoped_lock lock(Living::instance().mutex);
  Living::instance().folders.erase(path_.string());
}

} // namespace heddle
