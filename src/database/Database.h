// SPDX-License-Identifier: Apache-2.0
//
// One SQLite file, opened, checked and closed. What a command keeps for good goes through here, so
// that a file that is locked, read-only, damaged, of another version or without room gets one clear
// line everywhere, and what was committed before stays.
//
//   constexpr Schema schema{"sweep", 0x48655377, 1, "CREATE TABLE points (id INTEGER PRIMARY
//   KEY)"}; HEDDLE_TRY(Database file, Database::open("a.db", schema)); HEDDLE_TRY(Statement insert,
//   file.prepare("INSERT INTO points VALUES (?)")); HEDDLE_TRY(Transaction transaction,
//   Transaction::begin(file)); HEDDLE_CHECK(insert.run(1)); HEDDLE_CHECK(transaction.commit());
//
// A file is in WAL mode: one process writes while others read, and a process that is killed at any
// moment loses nothing that was committed. Objects are for one thread.
#pragma once

#include "database/Statement.h"
#include "support/Error.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <string_view>

struct sqlite3;

namespace heddle::database {

/// What a file holds. The application number and the version are in the file's head; a file of
/// another kind or of a later version is refused, one of an earlier version is brought up to date.
struct Schema {
  const char* name;       ///< what the file is called in messages: "sweep"
  int application;        ///< never 0, and one for each kind of file
  int version;            ///< from 1 on
  const char* statements; ///< make the tables of this version in an empty file
  /// From version n to n + 1 at index n - 1; `version - 1` of them, or null where there are none.
  const char* const* upgrades = nullptr;
};

/// What has to be on the disk before a commit is done. Only a machine that goes down tells them
/// apart, not a process that is killed.
enum class Durability {
  EachCommit,
  EachCheckpoint, ///< the newest commits may be gone, as a whole; Database::checkpoint() writes
                  ///< them
};

struct OpenOptions {
  Durability durability = Durability::EachCommit;
  std::chrono::milliseconds patience{5000}; ///< with another process that holds the file
};

class Database {
public:
  /// Makes the file where there is none. Needs the right to write.
  static Expected<Database> open(const std::filesystem::path& path, const Schema& schema,
                                 const OpenOptions& options = {});

  /// Never makes or changes a file; one that is missing is an error of kind NotFound. Works on a
  /// medium that cannot be written.
  static Expected<Database> openToRead(const std::filesystem::path& path, const Schema& schema,
                                       const OpenOptions& options = {});

  /// One statement, for running often.
  Expected<Statement> prepare(std::string_view sql) const;

  /// Any number of statements without results.
  Expected<void> execute(const char* sql) const;

  /// Writes to the disk what was committed.
  Expected<void> checkpoint() const;

  /// The row that was inserted last.
  std::int64_t lastRow() const;

  /// How many rows the last statement changed.
  std::int64_t changedRows() const;

private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  using Handle = std::unique_ptr<sqlite3, Close>;

  Database(Handle handle, std::shared_ptr<const std::filesystem::path> path)
      : handle_(std::move(handle)), path_(std::move(path)) {}

  static Expected<Database> connect(const std::filesystem::path& path, const std::string& address,
                                    int flags, const OpenOptions& options);
  static Expected<Database> connectToRead(const std::filesystem::path& path,
                                          const OpenOptions& options);
  Expected<void> prepareFile(const Schema& schema, const OpenOptions& options) const;
  Expected<void> checkHead(const Schema& schema) const;
  Expected<void> makeTables(const Schema& schema) const;
  Expected<void> upgrade(const Schema& schema, int from) const;
  Expected<int> headNumber(const char* pragma) const;

  Handle handle_;
  std::shared_ptr<const std::filesystem::path> path_;
};

} // namespace heddle::database
