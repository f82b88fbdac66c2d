// SPDX-License-Identifier: Apache-2.0
#include "profile/TouchReport.h"

#include "profile/ProfileReader.h"

#include <nlohmann/json.hpp>

namespace heddle::profile {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* touchesSchema = "heddle.touches/1";

Json accessJson(const ThreadAccess& access) {
  return {{"file", access.where.file},
          {"line", access.where.line},
          {"access", accessKindNames[std::size_t(access.access)]},
          {"thread", access.thread},
          {"block", access.block},
          {"threadInBlock", access.threadInBlock}};
}

Json conflictJson(const std::optional<TouchedTwice>& conflict) {
  if (!conflict)
    return nullptr;
  return {{"region", conflict->region},
          {"offset", conflict->offset},
          {"first", accessJson(conflict->first)},
          {"second", accessJson(conflict->second)}};
}

// The library throws where the document is not as described; readTouches catches.

ThreadAccess accessFrom(const Json& json) {
  ThreadAccess access;
  access.where = {json.at("file"), json.at("line"), 0};
  const Json kinds = {{"load", 0}, {"store", 1}, {"atomic", 2}};
  access.access = AccessKind(kinds.at(json.at("access").get<std::string>()).get<int>());
  access.thread = json.at("thread");
  access.block = json.at("block");
  access.threadInBlock = json.at("threadInBlock");
  return access;
}

std::optional<TouchedTwice> conflictFrom(const Json& json) {
  if (json.is_null())
    return std::nullopt;
  return TouchedTwice{json.at("region"), json.at("offset"), accessFrom(json.at("first")),
                      accessFrom(json.at("second"))};
}

} // namespace

std::string writeTouches(const std::vector<KernelTouches>& kernels) {
  Json list = Json::array();
  for (const KernelTouches& kernel : kernels)
    list.push_back({{"id", kernel.id},
                    {"kernel", kernel.kernel},
                    {"launches", kernel.launches},
                    {"independent", !kernel.global},
                    {"conflict", conflictJson(kernel.global)},
                    {"sharedIndependent", !kernel.shared},
                    {"sharedConflict", conflictJson(kernel.shared)}});
  return Json{{"schema", touchesSchema}, {"kernels", list}}.dump(2, ' ', false,
                                                                 Json::error_handler_t::replace) +
         "\n";
}

Expected<std::vector<KernelTouches>> readTouches(std::string_view text, std::string_view origin) {
  try {
    const Json json = Json::parse(text);
    if (json.at("schema") != touchesSchema)
      return fail(ErrorKind::BadInput, "{}: expected schema {}", origin, touchesSchema);
    std::vector<KernelTouches> kernels;
    for (const Json& kernel : json.at("kernels"))
      kernels.push_back({kernel.at("id"), kernel.at("kernel"), kernel.at("launches"),
                         conflictFrom(kernel.at("conflict")),
                         conflictFrom(kernel.at("sharedConflict"))});
    return kernels;
  } catch (const nlohmann::json::exception& exception) {
    return fail(ErrorKind::BadInput, "{}: {}", origin, exception.what());
  }
}

} // namespace heddle::profile
