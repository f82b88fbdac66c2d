// SPDX-License-Identifier: Apache-2.0
//
// Programs look for their files beside their executable, and ask the system where that is. Heddle
// builds them in a folder of its own, which goes away; users expect them beside their sources, and
// HEDDLE_EXECUTABLE says where that is. The program finds these two functions before libc's.
#include "cudart/CudaTypes.h"

#include "profile/ProgramSettings.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

namespace {

/// Nullptr: what was asked for is another file, or the program is where it seems to be.
const char* expectedPlaceOf(const char* path) {
  if (path == nullptr || std::string_view(path) != "/proc/self/exe")
    return nullptr;
  const char* const place = heddle::profile::told(heddle::profile::Setting::Executable);
  return place == nullptr || *place == '\0' ? nullptr : place;
}

} // namespace

#ifndef __SANITIZE_ADDRESS__
// NOLINTBEGIN(readability-identifier-naming): libc chose the names.
HEDDLE_API ssize_t readlink(const char* path, char* buffer, size_t size) noexcept {
  const char* const place = expectedPlaceOf(path);
  if (place == nullptr)
    return readlinkat(AT_FDCWD, path, buffer, size);
  const size_t length = std::min(std::strlen(place), size);
  std::memcpy(buffer, place, length);
  return static_cast<ssize_t>(length);
}

HEDDLE_API char* realpath(const char* path, char* resolved) noexcept {
  using Realpath = char* (*)(const char*, char*);
  static const auto next = reinterpret_cast<Realpath>(dlsym(RTLD_NEXT, "realpath"));
  const char* const place = expectedPlaceOf(path);
  if (place == nullptr)
    return next(path, resolved);
  if (resolved == nullptr)
    return strdup(place);
  return std::strcpy(resolved, place);
}
// NOLINTEND(readability-identifier-naming)
#endif
