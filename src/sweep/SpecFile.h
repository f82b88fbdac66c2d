// SPDX-License-Identifier: Apache-2.0
//
// What a sweep is to do, as data: one heddle command with {names} in it, and the values those take.
// docs/sweep.md describes every key.
//
//   {"schema": "heddle.sweep/1",
//    "command": ["schedule", "simulate", "--policy", "{policy}", "--p", "{p}"],
//    "grid": {"policy": ["native", "aging"], "p": {"from": 0.1, "to": 0.5, "step": 0.1}}}
#pragma once

#include "study/StudyFile.h"
#include "support/Error.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::sweep {

using Value = nlohmann::ordered_json; ///< a number, a text, a boolean, or several texts
using Row = nlohmann::ordered_json;   ///< an object of such values

inline constexpr std::size_t mostPoints = 1'000'000;

struct Parameter {
  std::string name;
  std::vector<Value> values;
};

struct Spec {
  std::string title;
  std::vector<std::string> command; ///< words of heddle, with {names} in them
  std::vector<Parameter> grid;      ///< every value with every other
  bool hasGrid = false;
  std::vector<Row> list;            ///< further points, one by one
  std::vector<std::string> outputs; ///< those to keep; empty: all
  std::optional<double> limit;      ///< seconds that a point may take
  std::vector<study::Figure> figures;
};

/// A spec from its text. An error names `file`, the key, what was found and what was expected.
Expected<Spec> parseSpec(std::string_view text, const std::string& file);

} // namespace heddle::sweep
