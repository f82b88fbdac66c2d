// SPDX-License-Identifier: Apache-2.0
#include "tune/TunedStore.h"

#include "database/Transaction.h"

#include <cmath>
#include <cstdlib>
#include <system_error>

namespace heddle::tune {
namespace {

namespace fs = std::filesystem;

/// cuda/include/heddle/tuned.h asks for these columns by name.
constexpr const char* tables = R"(
CREATE TABLE tuned (
  kernel TEXT NOT NULL, id TEXT NOT NULL, file TEXT NOT NULL, source TEXT NOT NULL,
  device TEXT NOT NULL, size INTEGER NOT NULL,
  block_x INTEGER NOT NULL, block_y INTEGER NOT NULL, block_z INTEGER NOT NULL,
  bounds INTEGER NOT NULL, configuration TEXT NOT NULL,
  seconds REAL NOT NULL, own_seconds REAL NOT NULL,
  gain REAL NOT NULL, low REAL NOT NULL, high REAL NOT NULL, on_gpu INTEGER NOT NULL,
  by_program INTEGER NOT NULL,
  arguments TEXT NOT NULL, version TEXT NOT NULL, moment TEXT NOT NULL,
  PRIMARY KEY (id, file, source, device, size));
CREATE INDEX tuned_by_name ON tuned (kernel, device, size);
)";
constexpr database::Schema schema{"store of tuned kernels", 0x48655475, 1, tables};

constexpr const char* columns =
    "kernel, id, file, source, device, size, block_x, block_y, block_z, bounds, configuration, "
    "seconds, own_seconds, gain, low, high, on_gpu, by_program, arguments, version, "
    "moment";

/// Each text is any where it is empty; the size where it is NULL.
constexpr const char* where =
    " WHERE (?1 = '' OR kernel = ?1 OR id = ?1) AND (?2 = '' OR device = ?2)"
    " AND (?3 = '' OR source = ?3) AND (?4 IS NULL OR size = ?4)";

Expected<TunedKernel> rowOf(const database::Statement& row) {
  TunedKernel kernel{.kernel = row.text(0),
                     .id = row.text(1),
                     .file = row.text(2),
                     .source = row.text(3),
                     .device = row.text(4),
                     .size = std::uint64_t(row.integer(5)),
                     .block = {int(row.integer(6)), int(row.integer(7)), int(row.integer(8))}};
  HEDDLE_TRY(kernel.configuration, parseConfiguration(row.text(10)));
  kernel.seconds = row.number(11);
  kernel.ownSeconds = row.number(12);
  kernel.gain = row.number(13);
  kernel.low = row.number(14);
  kernel.high = row.number(15);
  kernel.onGpu = row.integer(16) != 0;
  kernel.byProgram = row.integer(17) != 0;
  kernel.arguments = row.text(18);
  kernel.version = row.text(19);
  kernel.when = row.text(20);
  return kernel;
}

std::string fromEnvironment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

} // namespace

Expected<fs::path> TunedStore::defaultPath() {
  if (const std::string named = fromEnvironment("HEDDLE_TUNED"); !named.empty())
    return fs::path(named);
  if (const std::string data = fromEnvironment("XDG_DATA_HOME"); data.starts_with('/'))
    return fs::path(data) / "heddle" / "tuned.db";
  if (const std::string home = fromEnvironment("HOME"); !home.empty())
    return fs::path(home) / ".local/share/heddle/tuned.db";
  return fail(
      ErrorKind::BadInput,
      "no place for what was tuned: HOME is not set; name a file by --store or HEDDLE_TUNED");
}

Expected<TunedStore> TunedStore::open(const fs::path& path) {
  std::error_code error;
  if (path.has_parent_path())
    fs::create_directories(path.parent_path(), error);
  if (error)
    return fail(ErrorKind::Io, "cannot create the folder {}: {}", path.parent_path().string(),
                error.message());
  HEDDLE_TRY(database::Database file, database::Database::open(path, schema));
  return TunedStore(std::move(file));
}

Expected<std::optional<TunedStore>> TunedStore::openToRead(const fs::path& path) {
  auto file = database::Database::openToRead(path, schema);
  if (!file && file.error().kind == ErrorKind::NotFound)
    return std::optional<TunedStore>();
  if (!file)
    return tl::unexpected(std::move(file).error());
  return std::optional<TunedStore>(TunedStore(*std::move(file)));
}

Expected<void> TunedStore::keep(const std::vector<TunedKernel>& kernels) {
  HEDDLE_TRY(
      database::Statement insert,
      file_.prepare(fmt::format("INSERT OR REPLACE INTO tuned ({}) VALUES (?, ?, ?, ?, ?, ?, "
                                "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                                columns)));
  HEDDLE_TRY(database::Transaction transaction, database::Transaction::begin(file_));
  for (const TunedKernel& each : kernels)
    HEDDLE_CHECK(insert.run(each.kernel, each.id, each.file, each.source, each.device, each.size,
                            each.block[0], each.block[1], each.block[2], each.configuration.bounds,
                            each.configuration.key(), each.seconds, each.ownSeconds, each.gain,
                            each.low, each.high, each.onGpu ? 1 : 0, each.byProgram ? 1 : 0,
                            each.arguments, each.version, each.when));
  return transaction.commit();
}

Expected<std::vector<TunedKernel>> TunedStore::find(const TunedFilter& filter) const {
  HEDDLE_TRY(database::Statement select,
             file_.prepare(fmt::format("SELECT {} FROM tuned{} ORDER BY kernel, device, size, "
                                       "moment DESC, rowid DESC",
                                       columns, where)));
  HEDDLE_CHECK(select.bind(filter.kernel, filter.device, filter.source, filter.size));
  std::vector<TunedKernel> kernels;
  for (;;) {
    HEDDLE_TRY(const bool more, select.next());
    if (!more)
      return kernels;
    HEDDLE_TRY(TunedKernel kernel, rowOf(select));
    kernels.push_back(std::move(kernel));
  }
}

Expected<std::int64_t> TunedStore::forget(const TunedFilter& filter) {
  HEDDLE_TRY(database::Statement drop, file_.prepare(fmt::format("DELETE FROM tuned{}", where)));
  HEDDLE_CHECK(drop.run(filter.kernel, filter.device, filter.source, filter.size));
  return file_.changedRows();
}

const TunedKernel* nearestSize(const std::vector<TunedKernel>& kernels, std::uint64_t size) {
  const auto away = [size](const TunedKernel& kernel) {
    return std::abs(std::log(double(kernel.size) + 1) - std::log(double(size) + 1));
  };
  const TunedKernel* nearest = nullptr;
  for (const TunedKernel& each : kernels)
    if (nearest == nullptr || away(each) < away(*nearest))
      nearest = &each;
  return nearest;
}

} // namespace heddle::tune
