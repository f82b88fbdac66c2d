// SPDX-License-Identifier: Apache-2.0
#include "support/TemporaryFolder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace heddle {

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
  if (!path_.empty())
    std::filesystem::remove_all(path_, ignored);
}

} // namespace heddle
