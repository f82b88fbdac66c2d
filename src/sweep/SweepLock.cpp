// SPDX-License-Identifier: Apache-2.0
#include "sweep/SweepLock.h"

#include "support/Printable.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace heddle::sweep {

Expected<SweepLock> SweepLock::take(const std::filesystem::path& database) {
  const std::filesystem::path path = database.string() + "-lock";
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0)
    return fail(ErrorKind::Io, "cannot write {}: {}", printableLine(path.string()),
                std::strerror(errno));
  SweepLock lock(descriptor);
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    return lock;
  return fail(ErrorKind::Io, "another sweep works on {}; wait for it, or end it",
              printableLine(database.string()));
}

/// The file stays: to remove it would let two hold what each takes for the lock.
SweepLock::~SweepLock() {
  if (descriptor_ >= 0)
    close(descriptor_);
}

} // namespace heddle::sweep
