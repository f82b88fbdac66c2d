// SPDX-License-Identifier: Apache-2.0
//
// 1. Find the target: what a link leads to.
// 2. Write a fresh file beside it, with the target's owner and mode.
// 3. When all are there, rename them.
#include "support/Files.h"

#include "support/StopSignals.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <random>
#include <sstream>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr int mostLinks = 40; ///< one after the other, as the kernel has it
constexpr int mostNames = 100;
constexpr mode_t permissions = 07777;

tl::unexpected<Error> cannotWrite(const fs::path& path, int reason) {
  return fail(ErrorKind::Io, "cannot write {}: {}", path.string(), std::strerror(reason));
}

/// What a file that is not one is called.
std::string_view kindName(fs::file_type type) {
  switch (type) {
  case fs::file_type::directory:
    return "a folder";
  case fs::file_type::fifo:
    return "a pipe";
  case fs::file_type::socket:
    return "a socket";
  default:
    return "a device";
  }
}

/// A descriptor that is closed.
class Descriptor {
public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0)
      close(number_);
  }

  int number() const { return number_; }
  bool isOpen() const { return number_ >= 0; }

  /// False, with errno, if not all could be written.
  bool write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t written = ::write(number_, text.data(), text.size());
      if (written < 0 && errno != EINTR)
        return false;
      text.remove_prefix(written < 0 ? 0 : std::size_t(written));
    }
    return true;
  }

private:
  int number_;
};

/// Room for all of a text, before any of it is written. False, with errno, if there is none; the
/// file is then as it was. A file system that cannot say has room.
bool makeRoom(const Descriptor& file, std::size_t size) {
  struct stat old = {};
  if (size == 0 || fstat(file.number(), &old) != 0 || !S_ISREG(old.st_mode) ||
      fallocate(file.number(), 0, 0, off_t(size)) == 0 || errno == EOPNOTSUPP)
    return true;
  const int reason = errno;
  const bool restored = ftruncate(file.number(), old.st_size) == 0;
  errno = restored ? reason : errno;
  return false;
}

/// The content of what is there is replaced; nothing else of it changes.
Expected<void> writeDirectly(const fs::path& path, std::string_view text) {
  const Uninterrupted goesOn;
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.isOpen() || !makeRoom(file, text.size()) || !file.write(text))
    return cannotWrite(path, errno);
  if (ftruncate(file.number(), off_t(text.size())) != 0 && errno != EINVAL) // a device has no end
    return cannotWrite(path, errno);
  return {};
}

/// A link that leads to nothing leads to the file that it names.
fs::path targetOf(fs::path path) {
  std::error_code error;
  for (int i = 0; i < mostLinks && fs::is_symlink(path, error); ++i) {
    const fs::path next = fs::read_symlink(path, error);
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path;
}

fs::path freshName(const fs::path& target) {
  std::random_device random; // the kernel's
  return target.parent_path() / fmt::format(".heddle-{:08x}{:08x}", random(), random());
}

/// A file that is ready to be renamed. It is gone with this object unless that happened.
class FreshFile {
public:
  /// Nothing where the target has to be written directly.
  static Expected<std::optional<FreshFile>> make(const FileText& file);

  FreshFile(FreshFile&& other) noexcept
      : path_(std::exchange(other.path_, {})), target_(std::move(other.target_)),
        onStop_(std::move(other.onStop_)) {}
  FreshFile& operator=(FreshFile&&) = delete;
  ~FreshFile() {
    if (!path_.empty())
      unlink(path_.c_str());
  }

  /// False, with errno, where it does not work.
  bool rename() {
    if (std::rename(path_.c_str(), target_.c_str()) != 0)
      return false;
    path_.clear();
    return true;
  }

private:
  FreshFile(fs::path path, fs::path target)
      : path_(std::move(path)), target_(std::move(target)), onStop_(path_) {}

  fs::path path_, target_;
  RemovedOnStop onStop_;
};

Expected<std::optional<FreshFile>> FreshFile::make(const FileText& file) {
  // Step 1
  const fs::path target = targetOf(file.path);
  struct stat old = {};
  const bool exists = stat(target.c_str(), &old) == 0;
  if (exists && (!S_ISREG(old.st_mode) || old.st_nlink > 1))
    return std::optional<FreshFile>();
  if (exists && access(target.c_str(), W_OK) != 0)
    return cannotWrite(file.path, errno);
  // Step 2
  for (int i = 0; i < mostNames; ++i) {
    const fs::path path = freshName(target);
    FreshFile fresh(path, target);
    const Descriptor opened(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                                 exists ? S_IRUSR | S_IWUSR : 0666));
    if (!opened.isOpen()) {
      const int reason = errno;
      fresh.path_.clear(); // not ours
      if (reason == EEXIST)
        continue;
      return cannotWrite(file.path, reason);
    }
    if (exists && fchown(opened.number(), old.st_uid, old.st_gid) != 0)
      return std::optional<FreshFile>();
    if (!opened.write(file.text) ||
        (exists && fchmod(opened.number(), old.st_mode & permissions) != 0))
      return cannotWrite(file.path, errno);
    return std::optional(std::move(fresh));
  }
  return cannotWrite(file.path, EEXIST);
}

} // namespace

Expected<std::string> readFile(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status))
    return fail(ErrorKind::Io, "cannot read {}: it is {}", path.string(), kindName(status.type()));
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return fail(ErrorKind::Io, "cannot read {}: {}", path.string(), std::strerror(errno));
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

Expected<void> writeFiles(const std::vector<FileText>& files) {
  std::vector<std::optional<FreshFile>> fresh;
  for (const FileText& file : files) {
    std::error_code error;
    if (fs::is_directory(file.path, error))
      return fail(ErrorKind::Io, "cannot write {}: it is a folder", file.path.string());
    HEDDLE_TRY(std::optional<FreshFile> made, FreshFile::make(file));
    fresh.push_back(std::move(made));
  }
  for (std::size_t i = 0; i < files.size(); ++i)
    if (!fresh[i])
      HEDDLE_CHECK(writeDirectly(files[i].path, files[i].text));
  // Step 3
  const Uninterrupted goesOn;
  for (std::size_t i = 0; i < files.size(); ++i)
    if (fresh[i] && !fresh[i]->rename())
      return cannotWrite(files[i].path, errno);
  return {};
}

Expected<void> writeFile(const fs::path& path, std::string_view text) {
  return writeFiles({{path, text}});
}

std::string fileIdentity(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  const std::uintmax_t size = fs::file_size(real, error);
  const auto date = fs::last_write_time(real, error).time_since_epoch().count();
  return fmt::format("{} {} {}", real.string(), size, date);
}

} // namespace heddle
