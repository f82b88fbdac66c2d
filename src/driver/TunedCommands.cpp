// SPDX-License-Identifier: Apache-2.0
//
// heddle tune show, export and forget: what a store holds.
#include "driver/TuneCommand.h"

#include "machine/DeviceCatalog.h"
#include "report/TuneReport.h"
#include "tune/TunedStore.h"

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;

struct AskedStore {
  fs::path path;
  tune::TunedFilter filter;
};

Expected<AskedStore> askedStore(const TunedQuery& query) {
  AskedStore asked{.filter = {.kernel = query.kernel}};
  if (query.store.empty()) {
    HEDDLE_TRY(asked.path, tune::TunedStore::defaultPath());
  } else
    asked.path = query.store;
  if (query.size && *query.size < 1)
    return fail(ErrorKind::BadInput, "--size {}: expected at least 1", *query.size);
  if (query.size)
    asked.filter.size = std::uint64_t(*query.size);
  if (!query.device.empty()) {
    const auto known = machine::resolveDevice(query.device);
    asked.filter.device = known ? known->name : query.device;
  }
  return asked;
}

Expected<std::vector<tune::TunedKernel>> rowsOf(const AskedStore& asked) {
  HEDDLE_TRY(const auto store, tune::TunedStore::openToRead(asked.path));
  return store ? store->find(asked.filter)
               : Expected<std::vector<tune::TunedKernel>>(std::vector<tune::TunedKernel>());
}

} // namespace

Expected<Answer> showTuned(const TunedQuery& query, const Output& output) {
  HEDDLE_TRY(const AskedStore asked, askedStore(query));
  HEDDLE_TRY(const std::vector<tune::TunedKernel> rows, rowsOf(asked));
  return Answer(output.json ? report::tunedJson(rows, asked.path.string())
                            : report::tunedText(rows, asked.path.string(), output.style));
}

Expected<Answer> exportTuned(const TunedQuery& query, const Output& output) {
  HEDDLE_TRY(const AskedStore asked, askedStore(query));
  HEDDLE_TRY(const std::vector<tune::TunedKernel> rows, rowsOf(asked));
  if (rows.empty())
    return fail(ErrorKind::NotFound,
                "nothing to export: {} holds no such kernel; 'heddle tune show' lists "
                "what there is",
                asked.path.string());
  Answer answer(output.json ? report::tunedJson(rows, asked.path.string())
                            : report::tunedHeader(rows));
  answer.exact = true;
  return answer;
}

Expected<Answer> forgetTuned(const TunedQuery& query, const Output& output) {
  HEDDLE_TRY(const AskedStore asked, askedStore(query));
  if (query.kernel.empty() && query.device.empty() && !query.size && !query.all)
    return fail(ErrorKind::BadInput, "say what to forget: a kernel, --device, --size, or --all");
  std::error_code error;
  std::int64_t gone = 0;
  if (fs::exists(asked.path, error)) {
    HEDDLE_TRY(tune::TunedStore store, tune::TunedStore::open(asked.path));
    HEDDLE_TRY(gone, store.forget(asked.filter));
  }
  if (gone == 0 && !query.all)
    return fail(ErrorKind::NotFound,
                "{} holds no such kernel; 'heddle tune show' lists what there is",
                asked.path.string());
  if (output.json)
    return Answer(fmt::format("{{\"schema\": \"heddle.forgotten/1\", \"rows\": {}}}\n", gone));
  return Answer(fmt::format("{} forgotten in {}\n", gone, asked.path.string()));
}

} // namespace heddle::driver
