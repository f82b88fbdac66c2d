// SPDX-License-Identifier: Apache-2.0
//
// The file of a sweep: a row for each point, with what went in, what came out, how long it took,
// by which version, and whether it is waiting, done or failed. A row that is done stays as it is;
// so a sweep that was ended at any moment goes on where it was.
#pragma once

#include "database/Database.h"
#include "sweep/Points.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace heddle::sweep {

/// A point that is to be run.
struct Task {
  std::int64_t id = 0;
  std::vector<std::string> command;
  std::optional<double> limit; ///< seconds
};

/// What became of it.
struct PointResult {
  std::int64_t id = 0;
  bool done = false;
  std::string message; ///< of a point that failed: one line
  std::string log;     ///< and the last it printed to standard error
  Row outputs = Row::object();
  double seconds = 0;
  std::string started; ///< UTC, 2026-01-31T23:59:59Z
  std::string version;
  std::string host;
};

struct PointRow {
  std::int64_t number = 0; ///< its place in the sweep, from 1 on
  Row inputs;
  std::vector<std::string> command;
  std::string status; ///< waiting, done or failed
  PointResult result;
  int runs = 0; ///< how often it came to an end
};

struct Tally {
  std::int64_t points = 0;
  std::int64_t done = 0;
  std::int64_t failed = 0;
};

class PointTable {
public:
  static Expected<PointTable> open(const std::filesystem::path& path);
  static Expected<PointTable> openToRead(const std::filesystem::path& path);

  /// Makes these the points of the sweep: new ones wait, those that are known stay as they are, and
  /// those no longer wanted are kept, without a number. `text` is the spec's.
  Expected<void> admit(const std::vector<Point>& points, const std::string& text,
                       const std::string& version);

  /// Failed points wait again.
  Expected<void> retryFailed();

  Expected<std::vector<Task>> waiting() const;

  /// A row that is done is left as it is.
  Expected<void> record(const PointResult& result);

  /// What is recorded outlasts a machine that goes down, too, after this.
  Expected<void> makeDurable() { return database_.checkpoint(); }

  Expected<Tally> tally() const;
  Expected<std::vector<PointRow>> rows() const;
  Expected<std::string> specText() const;

private:
  explicit PointTable(database::Database database) : database_(std::move(database)) {}

  Expected<void> admitOne(database::Statement& insert, const Point& point, std::int64_t place,
                          const std::string& version);

  database::Database database_;
  std::optional<database::Statement> record_; ///< prepared once
};

} // namespace heddle::sweep
