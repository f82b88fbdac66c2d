// SPDX-License-Identifier: Apache-2.0
//
// The functions of libc that open, make, remove, rename and look at files by name. A program finds
// them here before libc, and so do C++ streams and std::filesystem. On a trial they lead to copies
// (FileCopies.h), else straight to libc.
#include "cudart/CudaTypes.h"
#include "cudart/FileCopies.h"
#include "cudart/NextFunction.h"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <string_view>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef __SANITIZE_ADDRESS__
namespace {

using heddle::cudart::FileCopies;
using heddle::cudart::nextFunction;
using Place = FileCopies::Place;

template <class Result> Result refuse(int error, Result result) {
  errno = error;
  return result;
}

/// Calls libc with where a file really is; `refused` where there can be none.
template <class Result, class Call>
Result at(const Place& place, const char* path, Result refused, const Call& call) {
  if (place.error != 0)
    return refuse(place.error, refused);
  return call(place.isCopy ? place.path.c_str() : path);
}

Place readAt(int folder, const char* path, bool follow = true) {
  FileCopies* const copies = FileCopies::instance();
  return copies == nullptr ? Place{} : copies->forReading(folder, path, follow);
}

Place changeAt(int folder, const char* path) {
  FileCopies* const copies = FileCopies::instance();
  return copies == nullptr ? Place{}
                           : copies->forWriting(folder, path, FileCopies::Change::Keep, false);
}

Place openAt(int folder, const char* path, int flags) {
  FileCopies* const copies = FileCopies::instance();
  if (copies == nullptr || (flags & O_TMPFILE) == O_TMPFILE)
    return {};
  if ((flags & O_ACCMODE) == O_RDONLY && (flags & (O_CREAT | O_TRUNC)) == 0)
    return copies->forReading(folder, path);
  return copies->forWriting(
      folder, path, (flags & O_TRUNC) != 0 ? FileCopies::Change::Empty : FileCopies::Change::Keep,
      (flags & O_CREAT) != 0);
}

/// "rb+" and such.
Place openAs(const char* path, std::string_view mode) {
  const bool creates = mode.starts_with('w') || mode.starts_with('a');
  const bool writes = creates || mode.find('+') != std::string_view::npos;
  return openAt(AT_FDCWD, path,
                (writes ? O_RDWR : O_RDONLY) | (creates ? O_CREAT : 0) |
                    (mode.starts_with('w') ? O_TRUNC : 0));
}

/// All files are large ones where addresses have 64 bits.
int openNext(int folder, const char* path, int flags, mode_t mode) {
  static auto* const call = nextFunction<int(int, const char*, int, ...)>("openat");
  return at(openAt(folder, path, flags), path, -1,
            [&](const char* real) { return call(folder, real, flags, mode); });
}

/// Only where a file may be made there is a mode.
mode_t modeIn(int flags, va_list arguments) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
}

template <class Stat, class State>
int statNext(Stat* call, const char* path, State* state, bool follow) {
  return at(readAt(AT_FDCWD, path, follow), path, -1,
            [&](const char* real) { return call(real, state); });
}

template <class Stat, class State>
int statAtNext(Stat* call, int folder, const char* path, State* state, int flags) {
  return at(readAt(folder, path, (flags & AT_SYMLINK_NOFOLLOW) == 0), path, -1,
            [&](const char* real) { return call(folder, real, state, flags); });
}

int removeAt(int folder, const char* path, bool isFolder, bool& ours) {
  FileCopies* const copies = FileCopies::instance();
  ours = false;
  if (copies == nullptr)
    return 0;
  const FileCopies::Outcome outcome = copies->remove(folder, path, isFolder);
  ours = outcome.isOurs;
  return outcome.error == 0 ? 0 : refuse(outcome.error, -1);
}

int renameAt(int fromFolder, const char* from, int toFolder, const char* to, bool& ours) {
  FileCopies* const copies = FileCopies::instance();
  ours = false;
  if (copies == nullptr)
    return 0;
  const FileCopies::Outcome outcome = copies->rename(fromFolder, from, toFolder, to);
  ours = outcome.isOurs;
  return outcome.error == 0 ? 0 : refuse(outcome.error, -1);
}

} // namespace

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): libc chose the names.
HEDDLE_API FILE* fopen(const char* path, const char* mode) {
  static auto* const call = nextFunction<FILE*(const char*, const char*)>("fopen");
  return at(openAs(path, mode), path, static_cast<FILE*>(nullptr),
            [&](const char* real) { return call(real, mode); });
}

HEDDLE_API FILE* fopen64(const char* path, const char* mode) {
  return fopen(path, mode);
}

HEDDLE_API FILE* freopen(const char* path, const char* mode, FILE* stream) {
  static auto* const call = nextFunction<FILE*(const char*, const char*, FILE*)>("freopen");
  if (path == nullptr)
    return call(path, mode, stream);
  return at(openAs(path, mode), path, static_cast<FILE*>(nullptr),
            [&](const char* real) { return call(real, mode, stream); });
}

HEDDLE_API FILE* freopen64(const char* path, const char* mode, FILE* stream) {
  return freopen(path, mode, stream);
}

HEDDLE_API int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = modeIn(flags, arguments);
  va_end(arguments);
  return openNext(AT_FDCWD, path, flags, mode);
}

HEDDLE_API int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = modeIn(flags, arguments);
  va_end(arguments);
  return openNext(AT_FDCWD, path, flags, mode);
}

HEDDLE_API int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = modeIn(flags, arguments);
  va_end(arguments);
  return openNext(folder, path, flags, mode);
}

HEDDLE_API int openat64(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = modeIn(flags, arguments);
  va_end(arguments);
  return openNext(folder, path, flags, mode);
}

// What open becomes in code compiled with _FORTIFY_SOURCE.
HEDDLE_API int __open_2(const char* path, int flags) {
  return openNext(AT_FDCWD, path, flags, 0);
}

HEDDLE_API int __open64_2(const char* path, int flags) {
  return openNext(AT_FDCWD, path, flags, 0);
}

HEDDLE_API int __openat_2(int folder, const char* path, int flags) {
  return openNext(folder, path, flags, 0);
}

HEDDLE_API int __openat64_2(int folder, const char* path, int flags) {
  return openNext(folder, path, flags, 0);
}

HEDDLE_API int creat(const char* path, mode_t mode) {
  return openNext(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

HEDDLE_API int creat64(const char* path, mode_t mode) {
  return openNext(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

HEDDLE_API int truncate(const char* path, off_t length) noexcept {
  static auto* const call = nextFunction<int(const char*, off_t)>("truncate");
  return at(changeAt(AT_FDCWD, path), path, -1,
            [&](const char* real) { return call(real, length); });
}

HEDDLE_API int truncate64(const char* path, off64_t length) noexcept {
  return truncate(path, length);
}

HEDDLE_API int chmod(const char* path, mode_t mode) noexcept {
  static auto* const call = nextFunction<int(const char*, mode_t)>("chmod");
  return at(changeAt(AT_FDCWD, path), path, -1, [&](const char* real) { return call(real, mode); });
}

HEDDLE_API int fchmodat(int folder, const char* path, mode_t mode, int flags) noexcept {
  static auto* const call = nextFunction<int(int, const char*, mode_t, int)>("fchmodat");
  return at(changeAt(folder, path), path, -1,
            [&](const char* real) { return call(folder, real, mode, flags); });
}

HEDDLE_API int mkdir(const char* path, mode_t mode) noexcept {
  static auto* const call = nextFunction<int(const char*, mode_t)>("mkdir");
  FileCopies* const copies = FileCopies::instance();
  return at(copies == nullptr ? Place{} : copies->forNewFolder(AT_FDCWD, path), path, -1,
            [&](const char* real) { return call(real, mode); });
}

HEDDLE_API int chdir(const char* path) noexcept {
  static auto* const call = nextFunction<int(const char*)>("chdir");
  return at(readAt(AT_FDCWD, path), path, -1, [&](const char* real) { return call(real); });
}

HEDDLE_API DIR* opendir(const char* path) {
  static auto* const call = nextFunction<DIR*(const char*)>("opendir");
  return at(readAt(AT_FDCWD, path), path, static_cast<DIR*>(nullptr),
            [&](const char* real) { return call(real); });
}

HEDDLE_API int unlink(const char* path) noexcept {
  static auto* const call = nextFunction<int(const char*)>("unlink");
  bool ours = false;
  const int status = removeAt(AT_FDCWD, path, false, ours);
  return ours ? status : call(path);
}

HEDDLE_API int rmdir(const char* path) noexcept {
  static auto* const call = nextFunction<int(const char*)>("rmdir");
  bool ours = false;
  const int status = removeAt(AT_FDCWD, path, true, ours);
  return ours ? status : call(path);
}

HEDDLE_API int unlinkat(int folder, const char* path, int flags) noexcept {
  static auto* const call = nextFunction<int(int, const char*, int)>("unlinkat");
  bool ours = false;
  const int status = removeAt(folder, path, (flags & AT_REMOVEDIR) != 0, ours);
  return ours ? status : call(folder, path, flags);
}

HEDDLE_API int remove(const char* path) noexcept {
  const int status = unlink(path);
  return status != 0 && errno == EISDIR ? rmdir(path) : status;
}

HEDDLE_API int rename(const char* from, const char* to) noexcept {
  static auto* const call = nextFunction<int(const char*, const char*)>("rename");
  bool ours = false;
  const int status = renameAt(AT_FDCWD, from, AT_FDCWD, to, ours);
  return ours ? status : call(from, to);
}

HEDDLE_API int renameat(int fromFolder, const char* from, int toFolder, const char* to) noexcept {
  static auto* const call = nextFunction<int(int, const char*, int, const char*)>("renameat");
  bool ours = false;
  const int status = renameAt(fromFolder, from, toFolder, to, ours);
  return ours ? status : call(fromFolder, from, toFolder, to);
}

HEDDLE_API int access(const char* path, int mode) noexcept {
  static auto* const call = nextFunction<int(const char*, int)>("access");
  return at(readAt(AT_FDCWD, path), path, -1, [&](const char* real) { return call(real, mode); });
}

HEDDLE_API int stat(const char* path, struct stat* state) noexcept {
  static auto* const call = nextFunction<int(const char*, struct stat*)>("stat");
  return statNext(call, path, state, true);
}

HEDDLE_API int lstat(const char* path, struct stat* state) noexcept {
  static auto* const call = nextFunction<int(const char*, struct stat*)>("lstat");
  return statNext(call, path, state, false);
}

HEDDLE_API int stat64(const char* path, struct stat64* state) noexcept {
  static auto* const call = nextFunction<int(const char*, struct stat64*)>("stat64");
  return statNext(call, path, state, true);
}

HEDDLE_API int lstat64(const char* path, struct stat64* state) noexcept {
  static auto* const call = nextFunction<int(const char*, struct stat64*)>("lstat64");
  return statNext(call, path, state, false);
}

HEDDLE_API int fstatat(int folder, const char* path, struct stat* state, int flags) noexcept {
  static auto* const call = nextFunction<int(int, const char*, struct stat*, int)>("fstatat");
  return statAtNext(call, folder, path, state, flags);
}

HEDDLE_API int fstatat64(int folder, const char* path, struct stat64* state, int flags) noexcept {
  static auto* const call = nextFunction<int(int, const char*, struct stat64*, int)>("fstatat64");
  return statAtNext(call, folder, path, state, flags);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
#endif
