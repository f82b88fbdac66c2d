// SPDX-License-Identifier: Apache-2.0
#include "study/Rows.h"

#include "support/Parse.h"

#include <algorithm>
#include <cmath>

namespace heddle::study {
namespace {

constexpr double sameUpTo = 1e-9;
constexpr std::size_t mostShownOfLine = 60; ///< characters of a line in a message

std::string shownPart(std::string_view text) {
  return std::string(text.substr(0, mostShownOfLine)) +
         (text.size() > mostShownOfLine ? "..." : "");
}

bool isFlat(const Value& value) {
  return value.is_number() || value.is_string() || value.is_boolean();
}

Expected<Row> parseRow(std::string_view line) {
  Row row = Row::parse(line, nullptr, false);
  if (row.is_discarded() || !row.is_object())
    return fail(ErrorKind::BadInput, "found '{}', expected a JSON object", shownPart(line));
  for (const auto& [key, value] : row.items())
    if (!isFlat(value))
      return fail(ErrorKind::BadInput, "key '{}': found {}, expected a number, a text or a boolean",
                  key, shownPart(value.dump()));
  return row;
}

void flatten(const Value& value, const std::string& name, Row& row) {
  const std::string prefix = name.empty() ? "" : name + ".";
  if (value.is_object())
    for (const auto& [key, inner] : value.items())
      flatten(inner, prefix + key, row);
  else if (value.is_array())
    for (std::size_t index = 0; index < value.size(); ++index)
      flatten(value[index], prefix + std::to_string(index), row);
  else if (!value.is_null())
    row[name] = value;
}

} // namespace

Expected<std::vector<Row>> parseRows(std::string_view text, std::string_view source) {
  std::vector<Row> rows;
  std::size_t number = 0;
  for (const std::string_view line : splitText(text, '\n')) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos)
      continue;
    auto row = parseRow(line);
    if (!row)
      return tl::unexpected(
          within(fmt::format("{}: line {} of its output", source, number), std::move(row).error()));
    rows.push_back(*std::move(row));
  }
  return rows;
}

Expected<std::vector<Row>> rowsOfDocument(std::string_view text, const std::string& pointer,
                                          std::string_view source) {
  const Value document = Value::parse(text, nullptr, false);
  if (document.is_discarded())
    return fail(ErrorKind::BadInput, "{}: its output is no JSON: found '{}'; does it have --json?",
                source, shownPart(text));
  const Value::json_pointer place(pointer); // its form was checked with the declaration
  if (!document.contains(place))
    return fail(ErrorKind::BadInput, "{}: there is nothing at '{}' in its output", source, pointer);
  const Value& found = document.at(place);
  const Value list = found.is_object() ? Value::array({found}) : found;
  const bool objects =
      list.is_array() && std::ranges::all_of(list, [](const Value& v) { return v.is_object(); });
  if (!objects)
    return fail(ErrorKind::BadInput,
                "{}: at '{}' its output has {}, expected an object or an array of objects", source,
                pointer, shownPart(found.dump()));
  std::vector<Row> rows;
  for (const Value& item : list) {
    rows.push_back(Row::object());
    flatten(item, "", rows.back());
  }
  return rows;
}

bool sameValue(const Value& a, const Value& b) {
  if (!a.is_number() || !b.is_number())
    return a == b;
  const double x = a.get<double>(), y = b.get<double>();
  return std::abs(x - y) <= sameUpTo * std::max(std::abs(x), std::abs(y));
}

bool matches(const Row& row, const Filter& filter) {
  return std::ranges::all_of(filter.items(), [&](const auto& wanted) {
    const auto field = row.find(wanted.key());
    return field != row.end() && sameValue(*field, wanted.value());
  });
}

std::optional<double> numberOf(const Row& row, const std::string& field) {
  const auto found = row.find(field);
  if (found == row.end())
    return std::nullopt;
  if (found->is_boolean())
    return found->get<bool>() ? 1.0 : 0.0;
  return found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

} // namespace heddle::study
