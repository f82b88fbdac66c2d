// SPDX-License-Identifier: Apache-2.0
#include "support/JsonReader.h"

#include "support/NearestName.h"
#include "support/Parse.h"

#include <fmt/args.h>

#include <algorithm>

namespace heddle {
namespace {

using Json = JsonReader::Json;

constexpr std::size_t mostShown = 60; ///< characters of a value in a short message

std::string shortened(const std::string& text) {
  return text.size() <= mostShown ? text : text.substr(0, mostShown) + "...";
}

bool isText(const Json& value) {
  return value.is_string() && !value.get<std::string>().empty();
}

bool isPair(const Json& item) {
  return item.is_array() && item.size() == 2 && item[0].is_number() && item[1].is_number();
}

bool isFlat(const Json& item) {
  return item.is_number() || item.is_string() || item.is_boolean();
}

bool isObject(const Json& item) {
  return item.is_object();
}

/// A name with a dot in it comes before a way through inner objects.
const Json* findIn(const Json& object, const std::string& key) {
  if (const auto found = object.find(key); found != object.end())
    return &*found;
  const Json* here = &object;
  for (const std::string_view part : splitText(key, '.')) {
    const auto found = here->find(std::string(part));
    if (found == here->end())
      return nullptr;
    here = &*found;
  }
  return here;
}

} // namespace

std::string JsonReader::pathOf(const std::string& key) const {
  return path_.empty() ? key : key.empty() ? path_ : path_ + "." + key;
}

void JsonReader::complain(const char* format, const std::string& key, std::string_view what,
                          const Json* found) {
  if (error_)
    return;
  const std::string value = found == nullptr ? "" : found->dump();
  error_ = Error{ErrorKind::BadInput,
                 fmt::format(fmt::runtime(format), fmt::arg("path", pathOf(key)),
                             fmt::arg("place", path_.empty() ? "" : path_ + ": "),
                             fmt::arg("key", key), fmt::arg("found", value),
                             fmt::arg("short", shortened(value)), fmt::arg("expected", what),
                             fmt::arg("hint", what), fmt::arg("what", what))};
}

void JsonReader::complain(std::string_view what) {
  complain("{place}{what}", "", what);
}

void JsonReader::complainOf(const std::string& key, std::string_view what) {
  complain(wording_.about, key, what);
}

void JsonReader::refuse(const std::string& key, const Json& found, std::string_view expected) {
  complain(wording_.unlike, key, expected, &found);
}

const Json* JsonReader::find(const std::string& key) {
  known_.insert(key);
  return findIn(object_, key);
}

const Json* JsonReader::require(const std::string& key, std::string_view expected) {
  const Json* value = find(key);
  if (value == nullptr)
    complain(wording_.missing, key, expected);
  return value;
}

std::string JsonReader::listOf(const char* what) const {
  return fmt::format(fmt::runtime(wording_.list), fmt::arg("what", what));
}

std::string JsonReader::text(const std::string& key) {
  const Json* value = require(key, "a text");
  if (value == nullptr)
    return "";
  if (isText(*value))
    return value->get<std::string>();
  refuse(key, *value, "a text");
  return "";
}

void JsonReader::checkSchema(std::string_view name) {
  const std::string schema = text("schema");
  if (!schema.empty() && schema != name)
    complainOf("schema", fmt::format("found \"{}\", expected \"{}\"", schema, name));
}

std::string JsonReader::textOr(const std::string& key, std::string fallback) {
  return has(key) ? text(key) : std::move(fallback);
}

std::string JsonReader::textOrEmpty(const std::string& key) {
  const Json* value = find(key);
  if (value == nullptr)
    return "";
  if (!value->is_string())
    refuse(key, *value, "a text");
  return value->is_string() ? value->get<std::string>() : "";
}

std::vector<std::string> JsonReader::textsOf(const std::string& key, const Json& value) {
  std::vector<std::string> list;
  const auto isString = [](const Json& item) { return item.is_string(); };
  if (!value.is_array() || !std::ranges::all_of(value, isString)) {
    refuse(key, value, listOf("texts"));
    return list;
  }
  for (const Json& item : value)
    list.push_back(item.get<std::string>());
  return list;
}

std::vector<std::string> JsonReader::texts(const std::string& key) {
  const Json* value = require(key, listOf("texts"));
  return value == nullptr ? std::vector<std::string>() : textsOf(key, *value);
}

std::vector<std::string> JsonReader::textsIfAny(const std::string& key) {
  const Json* value = find(key);
  return value == nullptr ? std::vector<std::string>() : textsOf(key, *value);
}

std::vector<std::pair<std::string, std::string>> JsonReader::namedTexts(const std::string& key) {
  std::vector<std::pair<std::string, std::string>> list;
  const Json* value = require(key, "names with texts");
  if (value == nullptr)
    return list;
  if (!value->is_object()) {
    refuse(key, *value, "names with texts");
    return list;
  }
  for (const auto& [name, item] : value->items())
    if (isText(item))
      list.emplace_back(name, item.get<std::string>());
    else
      refuse(key + "." + name, item, "a text");
  return list;
}

bool JsonReader::isNumber(const std::string& key, const Json& value, NumberRange range,
                          bool whole) {
  const char* kind = whole ? "a whole number" : "a number";
  if (whole ? !value.is_number_integer() : !value.is_number()) {
    refuse(key, value, kind);
    return false;
  }
  const double number = value.get<double>();
  if (number < range.low || number > range.high) {
    refuse(key, value, fmt::format("{} from {} to {}", kind, range.low, range.high));
    return false;
  }
  return true;
}

double JsonReader::number(const std::string& key, NumberRange range) {
  const Json* value = require(key, "a number");
  return value != nullptr && isNumber(key, *value, range, false) ? value->get<double>() : 0;
}

double JsonReader::numberOr(const std::string& key, double fallback) {
  return has(key) ? number(key) : fallback;
}

std::optional<double> JsonReader::numberIfAny(const std::string& key, NumberRange range) {
  const Json* value = find(key);
  if (value == nullptr || !isNumber(key, *value, range, false))
    return std::nullopt;
  return value->get<double>();
}

std::optional<double> JsonReader::numberOrNull(const std::string& key, NumberRange range) {
  const Json* value = require(key, "a number or null");
  if (value == nullptr || value->is_null() || !isNumber(key, *value, range, false))
    return std::nullopt;
  return value->get<double>();
}

int JsonReader::integer(const std::string& key, NumberRange range) {
  const Json* value = require(key, "a whole number");
  return value != nullptr && isNumber(key, *value, range, true) ? value->get<int>() : 0;
}

std::vector<int> JsonReader::integers(const std::string& key, NumberRange range) {
  std::vector<int> list;
  const Json* value = require(key, listOf("whole numbers"));
  if (value == nullptr)
    return list;
  if (!value->is_array() || value->empty()) {
    refuse(key, *value, listOf("whole numbers"));
    return list;
  }
  for (const Json& item : *value)
    if (isNumber(key, item, range, true))
      list.push_back(item.get<int>());
  return list;
}

bool JsonReader::flagOr(const std::string& key, bool fallback) {
  const Json* value = find(key);
  if (value == nullptr)
    return fallback;
  if (!value->is_boolean())
    refuse(key, *value, "true or false");
  return value->is_boolean() && value->get<bool>();
}

std::string JsonReader::choice(const std::string& key, const std::vector<std::string>& choices) {
  const std::string expected = fmt::format("one of {}", fmt::join(choices, ", "));
  const Json* value = require(key, expected);
  if (value == nullptr)
    return "";
  const std::string word = value->is_string() ? value->get<std::string>() : "";
  if (std::ranges::find(choices, word) == choices.end())
    refuse(key, *value, expected + didYouMean(word, choices));
  return word;
}

Json JsonReader::flatObject(const std::string& key) {
  const Json* value = find(key);
  if (value == nullptr)
    return Json::object();
  if (value->is_object() && std::ranges::all_of(*value, isFlat))
    return *value;
  refuse(key, *value, "an object of numbers, texts and booleans");
  return Json::object();
}

std::vector<JsonReader> JsonReader::objects(const std::string& key) {
  const Json* value = find(key);
  std::vector<JsonReader> readers;
  if (value == nullptr)
    return readers;
  if (!value->is_array() || !std::ranges::all_of(*value, isObject)) {
    refuse(key, *value, listOf("objects"));
    return readers;
  }
  for (std::size_t index = 0; index < value->size(); ++index)
    readers.emplace_back((*value)[index], fmt::format("{}[{}]", pathOf(key), index), error_,
                         wording_);
  return readers;
}

std::vector<std::pair<std::string, JsonReader>> JsonReader::namedObjects(const std::string& key) {
  const Json* value = find(key);
  std::vector<std::pair<std::string, JsonReader>> readers;
  if (value == nullptr)
    return readers;
  if (!value->is_object() || !std::ranges::all_of(*value, isObject)) {
    refuse(key, *value, "an object of objects");
    return readers;
  }
  for (const auto& [name, inner] : value->items())
    readers.emplace_back(name, JsonReader(inner, pathOf(key) + "." + name, error_, wording_));
  return readers;
}

std::vector<std::pair<double, double>> JsonReader::pairs(const std::string& key) {
  const Json* value = find(key);
  std::vector<std::pair<double, double>> list;
  if (value == nullptr)
    return list;
  if (!value->is_array() || !std::ranges::all_of(*value, isPair)) {
    refuse(key, *value, listOf("pairs of numbers"));
    return list;
  }
  for (const Json& item : *value)
    list.emplace_back(item[0].get<double>(), item[1].get<double>());
  return list;
}

std::pair<double, double> JsonReader::numberPair(const std::string& key) {
  const Json* value = require(key, "a pair of numbers");
  if (value == nullptr)
    return {};
  if (isPair(*value))
    return {(*value)[0].get<double>(), (*value)[1].get<double>()};
  refuse(key, *value, "a pair of numbers");
  return {};
}

std::vector<std::string> JsonReader::keys() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : object_.items())
    names.push_back(name);
  return names;
}

void JsonReader::refuseUnread(const Json& object, const std::string& prefix) {
  for (const auto& [name, value] : object.items()) {
    const std::string key = prefix + name;
    if (known_.contains(key))
      continue;
    const auto inner = known_.upper_bound(key + ".");
    if (value.is_object() && inner != known_.end() && inner->starts_with(key + "."))
      refuseUnread(value, key + ".");
    else
      complain(wording_.unknown, key, didYouMean(key, {known_.begin(), known_.end()}));
  }
}

} // namespace heddle
