// SPDX-License-Identifier: Apache-2.0
#include "database/Fault.h"

#include "support/Printable.h"

#include <sqlite3.h>

#include <cerrno>
#include <cstring>
#include <string_view>

namespace heddle::database {
namespace {

constexpr std::string_view lockedText = " is locked by another process";

/// A disk that is full, a quota or a limit on files: the same for who has to make room.
bool isOutOfRoom(int status, int systemError) {
  if ((status & 0xff) == SQLITE_FULL || status == SQLITE_IOERR_SHMSIZE)
    return true;
  return (status & 0xff) == SQLITE_IOERR &&
         (systemError == ENOSPC || systemError == EDQUOT || systemError == EFBIG);
}

int lastErrorOf(sqlite3_file* file) {
  int result = 0;
  if (file != nullptr && file->pMethods != nullptr)
    file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &result);
  return result;
}

/// What the system said. Each file knows its own last error, the log and the database itself.
int systemErrorOf(sqlite3* handle) {
  if (handle == nullptr)
    return 0;
  if (const int known = sqlite3_system_errno(handle); known != 0)
    return known;
  for (const int which : {SQLITE_FCNTL_JOURNAL_POINTER, SQLITE_FCNTL_FILE_POINTER}) {
    sqlite3_file* file = nullptr;
    sqlite3_file_control(handle, "main", which, static_cast<void*>(&file));
    if (const int known = lastErrorOf(file); known != 0)
      return known;
  }
  return 0;
}

std::string reasonOf(sqlite3* handle, int status, int systemError) {
  const char* const known = handle != nullptr && sqlite3_extended_errcode(handle) == status
                                ? sqlite3_errmsg(handle)
                                : sqlite3_errstr(status);
  return systemError == 0
             ? printableLine(known)
             : fmt::format("{} ({})", printableLine(known), std::strerror(systemError));
}

Error ioError(std::string message) {
  return {ErrorKind::Io, std::move(message)};
}

} // namespace

Error faultOf(sqlite3* handle, int status, const std::filesystem::path& path) {
  const int primary = status & 0xff;
  const int systemError =
      primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN ? systemErrorOf(handle) : 0;
  const std::string name = printableLine(path.string());
  if (isOutOfRoom(status, systemError))
    return ioError(fmt::format("no room left to write {}; what was written before is kept", name));
  switch (primary) {
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return ioError(fmt::format("{}{}; try again when that one is done", name, lockedText));
  case SQLITE_READONLY:
  case SQLITE_PERM:
  case SQLITE_AUTH:
    return ioError(fmt::format("cannot write {}: it, or its folder, is read-only", name));
  case SQLITE_CANTOPEN:
    return ioError(fmt::format("cannot open {}: {}", name,
                               systemError == 0 ? "it, or its folder, is read-only or missing"
                                                : std::strerror(systemError)));
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB:
    return ioError(fmt::format("{} is damaged or no database; move it away, or save what is left "
                               "with: sqlite3 FILE .recover",
                               name));
  default:
    return ioError(fmt::format("cannot use {}: {}", name, reasonOf(handle, status, systemError)));
  }
}

bool isLocked(const Error& error) {
  return error.message.find(lockedText) != std::string::npos;
}

} // namespace heddle::database
