// SPDX-License-Identifier: Apache-2.0
#include "database/Statement.h"

#include "database/Fault.h"

#include <sqlite3.h>

#include <cassert>

namespace heddle::database {

void Statement::Finalize::operator()(sqlite3_stmt* handle) const {
  sqlite3_finalize(handle);
}

Expected<void> Statement::checked(int status) const {
  if (status == SQLITE_OK)
    return {};
  return tl::unexpected(faultOf(sqlite3_db_handle(handle_.get()), status, *path_));
}

Expected<void> Statement::restart(std::size_t values) {
  assert(int(values) == sqlite3_bind_parameter_count(handle_.get()) &&
         "a value for each question mark");
  static_cast<void>(values);
  sqlite3_reset(handle_.get()); // what it returns is the fault of the last run, told then
  return {};
}

Expected<void> Statement::put(int place, std::nullptr_t) {
  return checked(sqlite3_bind_null(handle_.get(), place));
}

Expected<void> Statement::put(int place, double value) {
  return checked(sqlite3_bind_double(handle_.get(), place, value));
}

Expected<void> Statement::put(int place, std::string_view value) {
  const char* const text = value.data() == nullptr ? "" : value.data();
  return checked(
      sqlite3_bind_text64(handle_.get(), place, text, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

Expected<void> Statement::putInteger(int place, std::int64_t value) {
  return checked(sqlite3_bind_int64(handle_.get(), place, value));
}

Expected<bool> Statement::next() {
  const int status = sqlite3_step(handle_.get());
  if (status == SQLITE_ROW)
    return true;
  if (status == SQLITE_DONE) {
    sqlite3_reset(handle_.get());
    return false;
  }
  const Error error = faultOf(sqlite3_db_handle(handle_.get()), status, *path_);
  sqlite3_reset(handle_.get()); // or it keeps a lock
  return tl::unexpected(error);
}

Expected<void> Statement::finish() {
  for (;;) {
    HEDDLE_TRY(const bool more, next());
    if (!more)
      return {};
  }
}

bool Statement::isNull(int column) const {
  return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle_.get(), column);
}

double Statement::number(int column) const {
  return sqlite3_column_double(handle_.get(), column);
}

std::string Statement::text(int column) const {
  const auto* const bytes =
      reinterpret_cast<const char*>(sqlite3_column_text(handle_.get(), column));
  return bytes == nullptr
             ? std::string()
             : std::string(bytes, std::size_t(sqlite3_column_bytes(handle_.get(), column)));
}

int Statement::columns() const {
  return sqlite3_column_count(handle_.get());
}

std::string Statement::columnName(int column) const {
  return sqlite3_column_name(handle_.get(), column);
}

} // namespace heddle::database
