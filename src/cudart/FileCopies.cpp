// SPDX-License-Identifier: Apache-2.0
//
// Asks the system itself, not libc: its functions lead here (FileApi.cpp).
#include "cudart/FileCopies.h"
#include "profile/ProgramSettings.h"

#include "profile/WrittenFiles.h"
#include "support/TemporaryFolder.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heddle::cudart {
namespace {

constexpr mode_t folderMode = 0700;
thread_local int writingOwn = 0;

/// The kind and mode of a file; 0: there is none.
mode_t modeOf(const std::string& path, bool follow = false) {
  struct statx state = {};
  const int flags = follow ? 0 : AT_SYMLINK_NOFOLLOW;
  return statx(AT_FDCWD, path.c_str(), flags, STATX_TYPE | STATX_MODE, &state) == 0 ? state.stx_mode
                                                                                    : 0;
}

bool isFolder(const std::string& path) {
  return S_ISDIR(modeOf(path, true));
}

bool mayWrite(const std::string& path) {
  return syscall(SYS_faccessat, AT_FDCWD, path.c_str(), W_OK) == 0;
}

int makeFolder(const std::string& path) {
  return syscall(SYS_mkdirat, AT_FDCWD, path.c_str(), folderMode) == 0 ? 0 : errno;
}

std::string parentOf(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

std::string orRoot(const std::string& folder) {
  return folder.empty() ? "/" : folder;
}

/// libc knows what to say to such a path.
bool isNone(const char* path) {
  return path == nullptr || *path == '\0';
}

/// 0 or errno.
int makeParents(const std::string& path) {
  const std::string parent = parentOf(path);
  if (parent.empty() || modeOf(parent) != 0)
    return 0;
  if (const int error = makeParents(parent); error != 0)
    return error;
  const int error = makeFolder(parent);
  return error == EEXIST ? 0 : error;
}

class Descriptor {
public:
  Descriptor(const std::string& path, int flags, mode_t mode = 0)
      : number_(int(syscall(SYS_openat, AT_FDCWD, path.c_str(), flags | O_CLOEXEC, mode))) {}
  Descriptor(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0)
      close(number_);
  }
  int number() const { return number_; }

private:
  int number_;
};

/// 0 or errno.
int copyFile(const std::string& from, const std::string& to, bool withContent) {
  constexpr std::size_t most = std::size_t{1} << 30;
  constexpr mode_t ours = 0600;
  if (const int error = makeParents(to); error != 0)
    return error;
  const Descriptor target(to, O_WRONLY | O_CREAT | O_TRUNC, modeOf(from) | ours);
  if (target.number() < 0)
    return errno;
  if (!withContent)
    return 0;
  const Descriptor source(from, O_RDONLY);
  if (source.number() < 0)
    return errno;
  for (;;) {
    const ssize_t bytes = sendfile(target.number(), source.number(), nullptr, most);
    if (bytes < 0)
      return errno;
    if (bytes == 0)
      return 0;
  }
}

std::string workingFolder() {
  std::array<char, PATH_MAX> text;
  return getcwd(text.data(), text.size()) != nullptr ? text.data() : "";
}

std::string folderOf(int descriptor) {
  std::array<char, PATH_MAX> text;
  const std::string link = fmt::format("/proc/self/fd/{}", descriptor);
  const ssize_t length = readlinkat(AT_FDCWD, link.c_str(), text.data(), text.size());
  return length > 0 ? std::string(text.data(), std::size_t(length)) : "";
}

/// Empty: it leads nowhere.
std::string withoutLinks(const std::string& path) {
  std::array<char, PATH_MAX> text;
  return realpath(orRoot(path).c_str(), text.data()) != nullptr ? text.data() : "";
}

bool isIn(std::string_view name, std::string_view folder) {
  return !folder.empty() && name.starts_with(folder) &&
         (name.size() == folder.size() || name[folder.size()] == '/');
}

std::string cacheFolder() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache != '\0')
    return withoutLinks(cache) + "/heddle";
  const char* const home = std::getenv("HOME");
  return home == nullptr ? "" : withoutLinks(home) + "/.cache/heddle";
}

} // namespace

FileCopies::FileCopies(std::string folder)
    : folder_(withoutLinks(folder)), own_(parentOf(folder_)), cache_(cacheFolder()) {
  if (const char* const asked = profile::told(profile::Setting::Asked); !isNone(asked))
    asked_ = nameOf(AT_FDCWD, asked, true);
}

FileCopies* FileCopies::instance() {
  static FileCopies* const copies = [] {
    const char* const folder = profile::told(profile::Setting::Writes);
    return folder == nullptr || *folder == '\0' ? nullptr : new FileCopies(folder);
  }();
  return writingOwn > 0 ? nullptr : copies;
}

OwnFiles::OwnFiles() {
  ++writingOwn;
}

OwnFiles::~OwnFiles() {
  --writingOwn;
}

/// From the root, without links on the way; the folders that are only copies have none.
std::string FileCopies::nameOf(int folder, const char* path, bool follow) const {
  std::string whole = path;
  if (*path != '/')
    whole = (folder == AT_FDCWD ? workingFolder() : folderOf(folder)) + "/" + whole;
  while (whole.size() > 1 && whole.ends_with('/'))
    whole.pop_back();
  if (follow)
    if (std::string real = withoutLinks(whole); !real.empty())
      return real;
  const std::string parent = withoutLinks(parentOf(whole));
  if (parent.empty() || whole.ends_with("/.") || whole.ends_with("/.."))
    return std::filesystem::path(whole).lexically_normal().string();
  return (parent == "/" ? "" : parent) + whole.substr(whole.rfind('/'));
}

bool FileCopies::isLeftAlone(const std::string& name) const {
  return isIn(name, "/dev") || isIn(name, "/proc") || isIn(name, "/sys") || isIn(name, own_) ||
         isIn(name, cache_) || isIn(name, asked_) || TemporaryFolder::holds(name);
}

std::string FileCopies::copyOf(const std::string& name) const {
  return folder_ + profile::writtenFolder + name;
}

std::string FileCopies::markOf(const std::string& name) const {
  return folder_ + profile::removedFolder + name + profile::removedMark;
}

bool FileCopies::isRemoved(const std::string& name) const {
  return modeOf(markOf(name)) != 0;
}

/// For the program.
bool FileCopies::isThere(const std::string& name) const {
  return modeOf(copyOf(name)) != 0 || (modeOf(name) != 0 && !isRemoved(name));
}

/// Whether the program could make a file in there.
bool FileCopies::canHoldNew(const std::string& folder) const {
  if (isFolder(orRoot(folder)))
    return !isRemoved(folder) && mayWrite(orRoot(folder));
  return isFolder(copyOf(folder));
}

int FileCopies::mark(const std::string& name) const {
  if (modeOf(name) == 0)
    return 0;
  const std::string path = markOf(name);
  if (const int error = makeParents(path); error != 0)
    return error;
  return Descriptor(path, O_WRONLY | O_CREAT, 0600).number() >= 0 ? 0 : errno;
}

void FileCopies::unmark(const std::string& name) const {
  syscall(SYS_unlinkat, AT_FDCWD, markOf(name).c_str(), 0);
}

FileCopies::Place FileCopies::forReading(int folder, const char* path, bool follow) const {
  if (isNone(path))
    return {};
  const std::string name = nameOf(folder, path, follow);
  if (isLeftAlone(name))
    return {};
  const std::string copy = copyOf(name);
  const mode_t mode = modeOf(copy);
  if (mode != 0 && !(S_ISDIR(mode) && isFolder(name)))
    return {.isCopy = true, .path = copy};
  return {.isCopy = false, .path = {}, .error = isRemoved(name) ? ENOENT : 0};
}

FileCopies::Place FileCopies::forWriting(int folder, const char* path, Change change,
                                         bool creates) {
  if (isNone(path))
    return {};
  const std::string name = nameOf(folder, path, true);
  if (isLeftAlone(name))
    return {};
  const std::string copy = copyOf(name);
  if (S_ISREG(modeOf(copy)))
    return {.isCopy = true, .path = copy};
  const bool removed = isRemoved(name);
  if (removed && !creates)
    return {.isCopy = false, .path = {}, .error = ENOENT};
  const mode_t mode = modeOf(name);
  if (mode != 0 && !S_ISLNK(mode) && !removed) { // a link that leads nowhere is a new file
    if (!S_ISREG(mode) || !mayWrite(name))
      return {}; // the system has its way with it
    return {.isCopy = true, .path = copy, .error = copyFile(name, copy, change == Change::Keep)};
  }
  if (!canHoldNew(parentOf(name)))
    return {};
  unmark(name);
  return {.isCopy = true, .path = copy, .error = makeParents(copy)};
}

FileCopies::Place FileCopies::forNewFolder(int folder, const char* path) {
  if (isNone(path))
    return {};
  const std::string name = nameOf(folder, path, true);
  if (isLeftAlone(name) || isThere(name) || !canHoldNew(parentOf(name)))
    return {};
  unmark(name);
  const std::string copy = copyOf(name);
  return {.isCopy = true, .path = copy, .error = makeParents(copy)};
}

FileCopies::Outcome FileCopies::remove(int folder, const char* path, bool isFolder) {
  if (isNone(path))
    return {};
  const std::string name = nameOf(folder, path, false);
  if (isLeftAlone(name))
    return {};
  if (!isThere(name))
    return {true, ENOENT};
  const std::string copy = copyOf(name);
  const mode_t mode = modeOf(name);
  const bool isKind = S_ISDIR(mode != 0 ? mode : modeOf(copy)) == isFolder;
  if (!isKind)
    return {true, isFolder ? ENOTDIR : EISDIR};
  if (mode != 0 && !mayWrite(orRoot(parentOf(name))))
    return {}; // the system says why not
  if (modeOf(copy) != 0 &&
      syscall(SYS_unlinkat, AT_FDCWD, copy.c_str(), isFolder ? AT_REMOVEDIR : 0) != 0)
    return {true, errno};
  return {true, mark(name)};
}

FileCopies::Outcome FileCopies::rename(int fromFolder, const char* from, int toFolder,
                                       const char* to) {
  if (isNone(from) || isNone(to))
    return {};
  const std::string old = nameOf(fromFolder, from, false), fresh = nameOf(toFolder, to, false);
  if (isLeftAlone(old) && isLeftAlone(fresh))
    return {};
  if (isLeftAlone(old) || isLeftAlone(fresh))
    return {true, EXDEV};
  if (!isThere(old))
    return {true, ENOENT};
  if (!canHoldNew(parentOf(fresh)))
    return {true, isThere(parentOf(fresh)) ? EACCES : ENOENT};
  const std::string copy = copyOf(old), target = copyOf(fresh);
  const mode_t mode = modeOf(old);
  if (mode != 0 && !S_ISREG(mode))
    return {true, EXDEV}; // a folder of the user's, with all that is in it
  if (modeOf(copy) == 0)
    if (const int error = copyFile(old, copy, true); error != 0)
      return {true, error};
  if (const int error = makeParents(target); error != 0)
    return {true, error};
  if (syscall(SYS_renameat2, AT_FDCWD, copy.c_str(), AT_FDCWD, target.c_str(), 0) != 0)
    return {true, errno};
  unmark(fresh);
  return {true, mark(old)};
}

} // namespace heddle::cudart
