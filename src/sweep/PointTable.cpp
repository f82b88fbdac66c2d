// SPDX-License-Identifier: Apache-2.0
#include "sweep/PointTable.h"

#include "database/Transaction.h"

namespace heddle::sweep {
namespace {

using database::Database;
using database::Schema;
using database::Statement;
using database::Transaction;

constexpr Schema schema{"sweep", 0x48647377, 1, R"(
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE points (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,         -- the command, and what its sources held
  place INTEGER,                    -- in the sweep, from 1 on; NULL: no longer wanted
  inputs TEXT NOT NULL,             -- JSON: parameter to value
  command TEXT NOT NULL,            -- JSON: words of heddle
  status TEXT NOT NULL CHECK (status IN ('waiting', 'done', 'failed')),
  message TEXT NOT NULL DEFAULT '', -- of a point that failed
  log TEXT NOT NULL DEFAULT '',
  outputs TEXT NOT NULL DEFAULT '{}', -- JSON: name to value
  seconds REAL,
  started TEXT NOT NULL DEFAULT '', -- UTC
  version TEXT NOT NULL DEFAULT '', -- of heddle
  host TEXT NOT NULL DEFAULT '',
  runs INTEGER NOT NULL DEFAULT 0   -- how often it came to an end
);
CREATE INDEX places ON points (place);
)"};

std::string textOf(const Value& value) {
  return value.dump(-1, ' ', false, Value::error_handler_t::replace);
}

/// What another hand may have put there is no reason to fall over.
Row objectOf(const std::string& text) {
  Row row = Row::parse(text, nullptr, false);
  return row.is_object() ? row : Row::object();
}

std::vector<std::string> wordsOf(const std::string& text) {
  std::vector<std::string> words;
  const Value list = Value::parse(text, nullptr, false);
  if (list.is_array())
    for (const Value& word : list)
      words.push_back(valueText(word));
  return words;
}

PointRow rowOf(const Statement& select) {
  PointRow row{.number = select.integer(0),
               .inputs = objectOf(select.text(1)),
               .command = wordsOf(select.text(2)),
               .status = select.text(3),
               .result = {},
               .runs = int(select.integer(11))};
  row.result = {.id = select.integer(12),
                .done = row.status == "done",
                .message = select.text(4),
                .log = select.text(5),
                .outputs = objectOf(select.text(6)),
                .seconds = select.number(7),
                .started = select.text(8),
                .version = select.text(9),
                .host = select.text(10)};
  return row;
}

} // namespace

Expected<PointTable> PointTable::open(const std::filesystem::path& path) {
  HEDDLE_TRY(Database database, Database::open(path, schema,
                                               {.durability = database::Durability::EachCheckpoint,
                                                .patience = std::chrono::milliseconds(1000)}));
  return PointTable(std::move(database));
}

Expected<PointTable> PointTable::openToRead(const std::filesystem::path& path) {
  auto database = Database::openToRead(path, schema);
  if (!database && database.error().kind == ErrorKind::NotFound)
    return fail(ErrorKind::NotFound,
                "{}; the sweep has not run yet: 'heddle sweep SPEC.json' runs it",
                database.error().message);
  if (!database)
    return tl::unexpected(std::move(database).error());
  return PointTable(*std::move(database));
}

Expected<void> PointTable::admitOne(Statement& insert, const Point& point, std::int64_t place,
                                    const std::string& version) {
  const bool refused = !point.refusal.empty();
  return insert.run(point.key, place, textOf(point.inputs), textOf(Value(point.command)),
                    refused ? "failed" : "waiting", point.refusal, refused ? version : "");
}

Expected<void> PointTable::admit(const std::vector<Point>& points, const std::string& text,
                                 const std::string& version) {
  HEDDLE_TRY(Transaction transaction, Transaction::begin(database_));
  HEDDLE_CHECK(database_.execute("UPDATE points SET place = NULL"));
  HEDDLE_TRY(Statement insert,
             database_.prepare("INSERT INTO points (key, place, inputs, command, status, message, "
                               "version) VALUES (?, ?, ?, ?, ?, ?, ?) "
                               "ON CONFLICT (key) DO UPDATE SET place = excluded.place, "
                               "inputs = excluded.inputs"));
  std::int64_t place = 0;
  for (const Point& point : points)
    HEDDLE_CHECK(admitOne(insert, point, ++place, version));
  HEDDLE_TRY(Statement about, database_.prepare("INSERT INTO about VALUES ('spec', ?) ON CONFLICT "
                                                "(name) DO UPDATE SET value = excluded.value"));
  HEDDLE_CHECK(about.run(text));
  return transaction.commit();
}

Expected<void> PointTable::retryFailed() {
  return database_.execute("UPDATE points SET status = 'waiting', message = '', log = '' WHERE "
                           "status = 'failed' AND place IS NOT NULL AND command <> '[]'");
}

Expected<std::vector<Task>> PointTable::waiting() const {
  HEDDLE_TRY(Statement select, database_.prepare("SELECT id, command FROM points WHERE status = "
                                                 "'waiting' AND place IS NOT NULL ORDER BY place"));
  std::vector<Task> tasks;
  for (;;) {
    HEDDLE_TRY(const bool more, select.next());
    if (!more)
      return tasks;
    tasks.push_back({select.integer(0), wordsOf(select.text(1)), std::nullopt});
  }
}

Expected<void> PointTable::record(const PointResult& result) {
  if (!record_) {
    HEDDLE_TRY(record_,
               database_.prepare("UPDATE points SET status = ?, message = ?, log = ?, outputs = ?, "
                                 "seconds = ?, started = ?, version = ?, host = ?, runs = runs + 1 "
                                 "WHERE id = ? AND status = 'waiting'"));
  }
  return record_->run(result.done ? "done" : "failed", result.message, result.log,
                      textOf(result.outputs), result.seconds, result.started, result.version,
                      result.host, result.id);
}

Expected<Tally> PointTable::tally() const {
  HEDDLE_TRY(Statement select,
             database_.prepare("SELECT count(*), coalesce(sum(status = 'done'), 0), "
                               "coalesce(sum(status = 'failed'), 0) FROM points WHERE place IS NOT "
                               "NULL"));
  HEDDLE_TRY(const bool found, select.next());
  static_cast<void>(found);
  return Tally{select.integer(0), select.integer(1), select.integer(2)};
}

Expected<std::vector<PointRow>> PointTable::rows() const {
  HEDDLE_TRY(Statement select,
             database_.prepare("SELECT place, inputs, command, status, message, log, outputs, "
                               "seconds, started, version, host, runs, id FROM points WHERE place "
                               "IS NOT NULL ORDER BY place"));
  std::vector<PointRow> rows;
  for (;;) {
    HEDDLE_TRY(const bool more, select.next());
    if (!more)
      return rows;
    rows.push_back(rowOf(select));
  }
}

Expected<std::string> PointTable::specText() const {
  HEDDLE_TRY(Statement select, database_.prepare("SELECT value FROM about WHERE name = 'spec'"));
  HEDDLE_TRY(const bool found, select.next());
  return found ? select.text(0) : std::string();
}

} // namespace heddle::sweep
