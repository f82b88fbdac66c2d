// SPDX-License-Identifier: Apache-2.0
#include "database/Database.h"

#include "database/Fault.h"
#include "database/Transaction.h"
#include "support/Printable.h"

#include <sqlite3.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace heddle::database {
namespace {

/// A path as SQLite's address of a file, for the ways of opening that have no flag.
std::string addressOf(const std::filesystem::path& path, std::string_view query) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(path, error);
  std::string result = "file:";
  for (const char c : error ? path.string() : whole.string())
    if (c == '%' || c == '?' || c == '#')
      result += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    else
      result += c;
  return result + std::string(query);
}

bool isThere(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

} // namespace

void Database::Close::operator()(sqlite3* handle) const {
  sqlite3_close_v2(handle); // lives on for a statement that outlives us
}

Expected<Database> Database::connect(const std::filesystem::path& path, const std::string& address,
                                     int flags, const OpenOptions& options) {
  sqlite3* opened = nullptr;
  const int status = sqlite3_open_v2(address.c_str(), &opened,
                                     flags | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE, nullptr);
  Handle handle(opened);
  if (status != SQLITE_OK)
    return tl::unexpected(faultOf(opened, status, path));
  sqlite3_busy_timeout(opened, int(options.patience.count()));
  return Database(std::move(handle), std::make_shared<const std::filesystem::path>(path));
}

Expected<Database> Database::open(const std::filesystem::path& path, const Schema& schema,
                                  const OpenOptions& options) {
  if (std::error_code ignored; std::filesystem::is_directory(path, ignored))
    return fail(ErrorKind::Io, "cannot open {}: it is a folder", printableLine(path.string()));
  HEDDLE_TRY(Database database, connect(path, addressOf(path, ""),
                                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, options));
  HEDDLE_CHECK(database.prepareFile(schema, options));
  return database;
}

/// A reader of a WAL file makes an index beside it, and removes it only where it could write: so
/// that way is tried first. Where nothing can be written, and no writer has left anything beside
/// the file, it is complete and can be read as it is.
Expected<Database> Database::connectToRead(const std::filesystem::path& path,
                                           const OpenOptions& options) {
  const auto isReadable = [](const Database& database) {
    const auto tried = database.headNumber("PRAGMA schema_version");
    return tried || isLocked(tried.error());
  };
  const bool isWhole = !isThere(path.string() + "-wal");
  if (auto writable = connect(path, addressOf(path, ""), SQLITE_OPEN_READWRITE, options);
      writable && isReadable(*writable))
    return writable;
  HEDDLE_TRY(Database database,
             connect(path, addressOf(path, "?mode=ro"), SQLITE_OPEN_READONLY, options));
  if (isReadable(database) || !isWhole)
    return database;
  return connect(path, addressOf(path, "?immutable=1"), SQLITE_OPEN_READONLY, options);
}

Expected<Database> Database::openToRead(const std::filesystem::path& path, const Schema& schema,
                                        const OpenOptions& options) {
  if (!isThere(path))
    return fail(ErrorKind::NotFound, "cannot open {}: {}", printableLine(path.string()),
                std::strerror(ENOENT));
  HEDDLE_TRY(Database database, connectToRead(path, options));
  HEDDLE_CHECK(database.checkHead(schema));
  HEDDLE_CHECK(database.execute("PRAGMA query_only = ON"));
  return database;
}

Expected<Statement> Database::prepare(std::string_view sql) const {
  sqlite3_stmt* made = nullptr;
  const int status = sqlite3_prepare_v2(handle_.get(), sql.data(), int(sql.size()), &made, nullptr);
  if (status != SQLITE_OK)
    return tl::unexpected(faultOf(handle_.get(), status, *path_));
  return Statement(made, path_);
}

Expected<void> Database::execute(const char* sql) const {
  const int status = sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr);
  if (status != SQLITE_OK)
    return tl::unexpected(faultOf(handle_.get(), status, *path_));
  return {};
}

Expected<void> Database::checkpoint() const {
  const int status = sqlite3_wal_checkpoint_v2(handle_.get(), nullptr, SQLITE_CHECKPOINT_PASSIVE,
                                               nullptr, nullptr);
  if (status != SQLITE_OK && (status & 0xff) != SQLITE_BUSY) // a reader: another time
    return tl::unexpected(faultOf(handle_.get(), status, *path_));
  return {};
}

std::int64_t Database::lastRow() const {
  return sqlite3_last_insert_rowid(handle_.get());
}

std::int64_t Database::changedRows() const {
  return sqlite3_changes64(handle_.get());
}

Expected<int> Database::headNumber(const char* pragma) const {
  HEDDLE_TRY(Statement statement, prepare(pragma));
  HEDDLE_TRY(const bool found, statement.next());
  return found ? int(statement.integer(0)) : 0;
}

Expected<void> Database::checkHead(const Schema& schema) const {
  HEDDLE_TRY(const int application, headNumber("PRAGMA application_id"));
  const std::string name = printableLine(path_->string());
  if (application != schema.application)
    return fail(ErrorKind::BadInput, "{} is no {} database of heddle; name another file", name,
                schema.name);
  HEDDLE_TRY(const int version, headNumber("PRAGMA user_version"));
  if (version > schema.version)
    return fail(ErrorKind::BadInput,
                "{} has version {} of the {} database, and this heddle knows version {}; use a "
                "newer heddle or another file",
                name, version, schema.name, schema.version);
  if (version < schema.version)
    return fail(ErrorKind::BadInput,
                "{} has version {} of the {} database, and this heddle reads version {}; open it "
                "once for writing",
                name, version, schema.name, schema.version);
  return {};
}

/// Two processes may find the same empty file: who comes second finds the tables made.
Expected<void> Database::makeTables(const Schema& schema) const {
  HEDDLE_TRY(Transaction transaction, Transaction::begin(*this));
  HEDDLE_TRY(const int application, headNumber("PRAGMA application_id"));
  if (application == schema.application)
    return {};
  HEDDLE_CHECK(execute(schema.statements));
  HEDDLE_CHECK(execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                                   schema.application, schema.version)
                           .c_str()));
  return transaction.commit();
}

Expected<void> Database::upgrade(const Schema& schema, int from) const {
  assert(schema.upgrades != nullptr && "a later version says how to come from the one before");
  HEDDLE_TRY(Transaction transaction, Transaction::begin(*this));
  HEDDLE_TRY(const int now, headNumber("PRAGMA user_version"));
  for (int version = std::max(from, now); version < schema.version; ++version)
    HEDDLE_CHECK(execute(schema.upgrades[version - 1]));
  HEDDLE_CHECK(execute(fmt::format("PRAGMA user_version = {}", schema.version).c_str()));
  return transaction.commit();
}

Expected<void> Database::prepareFile(const Schema& schema, const OpenOptions& options) const {
  if (sqlite3_db_readonly(handle_.get(), "main") == 1)
    return tl::unexpected(faultOf(nullptr, SQLITE_READONLY, *path_));
  HEDDLE_TRY(const int objects, headNumber("SELECT count(*) FROM sqlite_schema"));
  HEDDLE_TRY(const int application, headNumber("PRAGMA application_id"));
  const bool isNew = objects == 0 && application == 0;
  HEDDLE_TRY(const int version, headNumber("PRAGMA user_version"));
  const bool isOlder = application == schema.application && version < schema.version;
  if (!isNew && !isOlder)
    HEDDLE_CHECK(checkHead(schema)); // before anything of another's file is changed
  HEDDLE_CHECK(execute("PRAGMA journal_mode = WAL"));
  HEDDLE_CHECK(execute(options.durability == Durability::EachCommit
                           ? "PRAGMA synchronous = FULL"
                           : "PRAGMA synchronous = NORMAL"));
  HEDDLE_CHECK(execute("PRAGMA foreign_keys = ON"));
  if (isNew)
    return makeTables(schema);
  return isOlder ? upgrade(schema, version) : Expected<void>();
}

} // namespace heddle::database
