// SPDX-License-Identifier: Apache-2.0
//
// A prepared statement: values go in by place, rows come out one by one.
//
//   HEDDLE_TRY(Statement select, file.prepare("SELECT name, time FROM points WHERE id > ?"));
//   HEDDLE_CHECK(select.bind(3));
//   for (;;) {
//     HEDDLE_TRY(const bool more, select.next());
//     if (!more)
//       break;
//     use(select.text(0), select.number(1));
//   }
#pragma once

#include "support/Error.h"

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3_stmt;

namespace heddle::database {

class Statement {
public:
  /// Starts the statement anew with these values for its question marks: whole and other numbers,
  /// texts, optionals of them (none is NULL) and nullptr. All marks must get one.
  template <class... Values> Expected<void> bind(const Values&... values) {
    HEDDLE_CHECK(restart(sizeof...(values)));
    int place = 0;
    Expected<void> done;
    ((done = done ? put(++place, values) : done), ...);
    return done;
  }

  /// Goes to the next row; false after the last one, and the statement can be bound again.
  Expected<bool> next();

  /// Binds, and goes through all rows.
  template <class... Values> Expected<void> run(const Values&... values) {
    HEDDLE_CHECK(bind(values...));
    return finish();
  }

  // Of the present row; columns count from 0.

  bool isNull(int column) const;
  std::int64_t integer(int column) const;
  double number(int column) const;
  std::string text(int column) const;
  int columns() const;
  std::string columnName(int column) const;

private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* handle) const;
  };

  Statement(sqlite3_stmt* handle, std::shared_ptr<const std::filesystem::path> path)
      : handle_(handle), path_(std::move(path)) {}

  Expected<void> restart(std::size_t values);
  Expected<void> finish();
  Expected<void> checked(int status) const;

  Expected<void> put(int place, std::nullptr_t);
  Expected<void> put(int place, double value);
  Expected<void> put(int place, std::string_view value);
  Expected<void> putInteger(int place, std::int64_t value);
  Expected<void> put(int place, std::integral auto value) {
    return putInteger(place, static_cast<std::int64_t>(value));
  }
  Expected<void> put(int place, const char* value) { return put(place, std::string_view(value)); }
  Expected<void> put(int place, const std::string& value) {
    return put(place, std::string_view(value));
  }
  template <class T> Expected<void> put(int place, const std::optional<T>& value) {
    return value ? put(place, *value) : put(place, nullptr);
  }

  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
  std::shared_ptr<const std::filesystem::path> path_;
};

} // namespace heddle::database
