// SPDX-License-Identifier: Apache-2.0
//
// JSON as we print it: fields in a fixed order, two spaces of indent, and in front the name and
// version of the schema in docs/schema/ that describes the document.
#pragma once

#include "model/Summary.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace heddle::report {

using Json = nlohmann::ordered_json;

/// An empty document of a kind: startJson("occupancy") has "schema": "heddle.occupancy/1".
inline Json startJson(std::string_view kind) {
  return Json{{"schema", "heddle." + std::string(kind) + "/1"}};
}

template <class T> Json orNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

inline Json summaryJson(const model::Summary& summary) {
  return {{"mean", summary.mean},
          {"sd", summary.sd},
          {"standardError", summary.standardError},
          {"min", summary.min},
          {"max", summary.max},
          {"quantiles",
           {{"p5", summary.quantiles[0]},
            {"p25", summary.quantiles[1]},
            {"p50", summary.quantiles[2]},
            {"p75", summary.quantiles[3]},
            {"p95", summary.quantiles[4]}}}};
}

inline std::string printJson(const Json& document) {
  // A path may be no UTF-8.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace heddle::report
