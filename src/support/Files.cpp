// SPDX-License-Identifier: Apache-2.0
#include "support/Files.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include <unistd.h>

namespace heddle {
namespace {

namespace fs = std::filesystem;

/// Writes to `path`; an error speaks of `target`, the file the user named.
Expected<void> writeDirectly(const fs::path& path, const fs::path& target, std::string_view text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file)
    return fail(ErrorKind::Io, "cannot write {}: {}", target.string(), std::strerror(errno));
  return {};
}

} // namespace

Expected<std::string> readFile(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error))
    return fail(ErrorKind::Io, "cannot read {}: it is a folder", path.string());
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return fail(ErrorKind::Io, "cannot read {}: {}", path.string(), std::strerror(errno));
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

Expected<void> writeFile(const fs::path& path, std::string_view text) {
  std::error_code error;
  if (fs::is_directory(path, error))
    return fail(ErrorKind::Io, "cannot write {}: it is a folder", path.string());
  if (fs::exists(path, error) && !fs::is_regular_file(path, error))
    return writeDirectly(path, path, text);
  const fs::path fresh = fs::path(path).concat(fmt::format(".{}.new", getpid()));
  if (auto written = writeDirectly(fresh, path, text); !written) {
    fs::remove(fresh, error);
    return written;
  }
  fs::rename(fresh, path, error);
  if (error) {
    const std::string reason = error.message();
    fs::remove(fresh, error);
    return fail(ErrorKind::Io, "cannot write {}: {}", path.string(), reason);
  }
  return {};
}

} // namespace heddle
