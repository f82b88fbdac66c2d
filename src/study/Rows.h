// SPDX-License-Identifier: Apache-2.0
//
// What a study measured: flat JSON objects, one a row. A row's fields are numbers, texts or
// booleans.
#pragma once

#include "support/Error.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::study {

using Value = nlohmann::ordered_json; ///< a number, a text or a boolean
using Row = nlohmann::ordered_json;   ///< an object of such values, in the order they were printed

/// Rows as a program prints them, one object a line; empty lines are skipped. An error names
/// `source`, the line, and what is wrong with it.
Expected<std::vector<Row>> parseRows(std::string_view text, std::string_view source);

/// Rows of a JSON document: the objects of the array at a JSON pointer, or the one object there.
/// Objects and arrays inside become fields with dots ({"a": {"b": 1}} is "a.b"); null is left out.
Expected<std::vector<Row>> rowsOfDocument(std::string_view text, const std::string& pointer,
                                          std::string_view source);

/// Fields that a row must have, with these values; an empty filter takes every row.
using Filter = nlohmann::ordered_json;

/// Numbers are the same when they differ by rounding only, up to one part in 10^9.
bool sameValue(const Value& a, const Value& b);

bool matches(const Row& row, const Filter& filter);

/// A field as a number; true is 1, false is 0. Nothing when it is missing or a text.
std::optional<double> numberOf(const Row& row, const std::string& field);

} // namespace heddle::study
