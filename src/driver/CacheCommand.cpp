// SPDX-License-Identifier: Apache-2.0
#include "driver/CacheCommand.h"

#include "frontend/CompileCache.h"
#include "report/Json.h"
#include "report/Table.h"

namespace heddle::driver {
namespace {

using frontend::CacheState;
using frontend::CompileCache;

Expected<CompileCache> openCache() {
  const CompileCache::Place place = CompileCache::defaultPlace();
  if (place.folder.empty())
    return fail(ErrorKind::NotFound, "there is no cache: neither XDG_CACHE_HOME nor HOME is set");
  if (!place.complaint.empty())
    return fail(ErrorKind::BadInput, "the cache is not used: {}", place.complaint);
  return CompileCache(place.folder);
}

std::string sizeText(std::uintmax_t bytes) {
  constexpr std::uintmax_t kilo = 1024;
  if (bytes < kilo)
    return fmt::format("{} bytes", bytes);
  if (bytes < kilo * kilo)
    return fmt::format("{} KiB", bytes / kilo);
  return fmt::format("{} MiB", bytes / (kilo * kilo));
}

std::string stateJson(const CompileCache& cache, const CacheState& state) {
  report::Json json = report::startJson("cache");
  json["folder"] = cache.folder().string();
  json["entries"] = state.entries;
  json["bytes"] = state.bytes;
  json["limitBytes"] = CompileCache::defaultLimit;
  return report::printJson(json);
}

} // namespace

Expected<std::string> showCache(const Output& output) {
  HEDDLE_TRY(const CompileCache cache, openCache());
  const CacheState state = cache.state();
  if (output.json)
    return stateJson(cache, state);
  report::Table table("ll");
  table.addRow({"folder", cache.folder().string()});
  table.addRow({"entries", std::to_string(state.entries)});
  table.addRow(
      {"size", sizeText(state.bytes) + ", at most " + sizeText(CompileCache::defaultLimit)});
  return table.print(0);
}

Expected<std::string> clearCache(const Output& output) {
  HEDDLE_TRY(const CompileCache cache, openCache());
  const CacheState before = cache.state();
  HEDDLE_CHECK(cache.clear());
  if (output.json)
    return stateJson(cache, cache.state());
  return fmt::format("{} {} removed from {}\n", before.entries,
                     before.entries == 1 ? "entry" : "entries", cache.folder().string());
}

} // namespace heddle::driver
