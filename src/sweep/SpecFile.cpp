// SPDX-License-Identifier: Apache-2.0
#include "sweep/SpecFile.h"

#include "support/JsonReader.h"
#include "support/Parse.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>

namespace heddle::sweep {
namespace {

constexpr const char* schemaName = "heddle.sweep/1";
constexpr JsonWording wording{
    .missing = "key '{path}': it is missing, expected {expected}",
    .unlike = "key '{path}': found {short}, expected {expected}",
    .unknown = "key '{path}': it is unknown here{hint}",
    .about = "key '{path}': {what}",
    .list = "an array of {what}",
};
constexpr const char* valueWords =
    "numbers, texts, booleans or lists of texts, or a range such as {\"from\": 1, \"to\": 9, "
    "\"step\": 2}";
constexpr std::array commands = {"fix",      "occupancy", "profile", "run",
                                 "schedule", "split",     "study",   "tune"};

void checkCommand(JsonReader& reader, const std::vector<std::string>& words) {
  if (words.empty() || std::ranges::find(commands, words.front()) == commands.end())
    reader.complainOf("command",
                      fmt::format("found \"{}\", expected the words of one of: {}",
                                  words.empty() ? "" : words.front(), fmt::join(commands, ", ")));
}

bool isPlain(const Value& value) {
  return value.is_number() || value.is_string() || value.is_boolean();
}

bool isValue(const Value& value) {
  return isPlain(value) || (value.is_array() && std::ranges::all_of(value, isPlain));
}

/// A number as it is written, without the last digits that steps leave: 0.30000000000000004.
Value rounded(double number) {
  if (number == std::floor(number) && std::abs(number) < 1e15)
    return std::int64_t(number);
  return parseNumber(fmt::format("{:.12g}", number)).value_or(number);
}

/// {"from": 1, "to": 64, "times": 2}, or with a "step".
std::vector<Value> readRange(JsonReader& reader) {
  const double from = reader.number("from"), to = reader.number("to");
  const bool steps = reader.has("step");
  const double by = reader.number(steps ? "step" : "times");
  const bool grows = steps ? by > 0 : by > 1 && from > 0;
  reader.refuseUnread();
  if (!grows) {
    reader.complain("a range needs a step above 0, or times above 1 and from above 0");
    return {};
  }
  std::vector<Value> values;
  const double last = to + std::abs(to) * 1e-12; // what rounding may add
  for (std::size_t i = 0; i < mostPoints; ++i) {
    const double value = steps ? from + double(i) * by : from * std::pow(by, double(i));
    if (value > last)
      break;
    values.push_back(rounded(value));
  }
  return values;
}

Parameter readParameter(JsonReader& grid, const std::string& name, const Value& found,
                        std::optional<Error>& error) {
  Parameter parameter{.name = name, .values = {}};
  if (found.is_object()) {
    JsonReader range(found, grid.pathOf(name), error, wording);
    parameter.values = readRange(range);
  } else if (found.is_array() && std::ranges::all_of(found, isValue))
    parameter.values.assign(found.begin(), found.end());
  else if (isPlain(found))
    parameter.values = {found};
  else
    grid.refuse(name, found, valueWords);
  return parameter;
}

std::vector<Parameter> readGrid(JsonReader& reader, std::optional<Error>& error) {
  std::vector<Parameter> parameters;
  const Value* const grid = reader.find("grid");
  if (grid == nullptr)
    return parameters;
  if (!grid->is_object()) {
    reader.refuse("grid", *grid, "an object of parameters and their values");
    return parameters;
  }
  JsonReader inner(*grid, "grid", error, wording);
  for (const auto& [name, values] : grid->items()) // a name may have dots in it
    parameters.push_back(readParameter(inner, name, values, error));
  return parameters;
}

std::vector<Row> readList(JsonReader& reader) {
  std::vector<Row> rows;
  const Value* const list = reader.find("list");
  if (list == nullptr)
    return rows;
  const auto isRow = [](const Value& row) {
    return row.is_object() && std::ranges::all_of(row, isValue);
  };
  if (list->is_array() && std::ranges::all_of(*list, isRow))
    rows.assign(list->begin(), list->end());
  else
    reader.refuse("list", *list, "an array of objects, a point each, such as [{\"p\": 0.1}]");
  return rows;
}

Spec readSpec(JsonReader& reader, const std::string& file, std::optional<Error>& error) {
  Spec spec;
  reader.checkSchema(schemaName);
  spec.title = reader.textOr("title", std::filesystem::path(file).stem().string());
  spec.command = reader.texts("command");
  checkCommand(reader, spec.command);
  spec.hasGrid = reader.has("grid");
  spec.grid = readGrid(reader, error);
  spec.list = readList(reader);
  if (!spec.hasGrid && !reader.has("list"))
    reader.complainOf("grid", "there is neither a grid nor a 'list', expected one of them");
  spec.outputs = reader.textsIfAny("outputs");
  spec.limit = reader.numberIfAny("limit", {0.001, 1e9});
  for (JsonReader& figure : reader.objects("figures"))
    spec.figures.push_back(study::readFigure(figure));
  reader.refuseUnread();
  return spec;
}

} // namespace

Expected<Spec> parseSpec(std::string_view text, const std::string& file) {
  HEDDLE_TRY(const Value document, study::parseDocument(text, file));
  if (!document.is_object())
    return fail(ErrorKind::BadInput, "{}: found {}, expected a JSON object", file,
                document.type_name());
  std::optional<Error> error;
  JsonReader reader(document, "", error, wording);
  Spec spec = readSpec(reader, file, error);
  if (error)
    return tl::unexpected(within(file, *error));
  return spec;
}

} // namespace heddle::sweep
