// SPDX-License-Identifier: Apache-2.0
#include "study/DeclarationReader.h"

#include "support/NearestName.h"

#include <algorithm>

namespace heddle::study {
namespace {

using Json = DeclarationReader::Json;

constexpr std::size_t mostShown = 60; ///< characters of a value in a message

std::string shown(const Json& value) {
  const std::string text = value.dump();
  return text.size() <= mostShown ? text : text.substr(0, mostShown) + "...";
}

bool isPair(const Json& item) {
  return item.is_array() && item.size() == 2 && item[0].is_number() && item[1].is_number();
}

} // namespace

DeclarationReader::DeclarationReader(const Json& object, std::string path,
                                     std::optional<Error>& error)
    : object_(object), path_(std::move(path)), error_(error) {}

std::string DeclarationReader::way(const std::string& key) const {
  return path_.empty() ? key : key.empty() ? path_ : path_ + "." + key;
}

void DeclarationReader::complain(const std::string& key, std::string_view what) {
  if (!error_)
    error_ = Error{ErrorKind::BadInput, fmt::format("key '{}': {}", way(key), what)};
}

void DeclarationReader::refuse(const std::string& key, const Json& found,
                               std::string_view expected) {
  complain(key, fmt::format("found {}, expected {}", shown(found), expected));
}

const Json* DeclarationReader::find(const std::string& key) {
  known_.insert(key);
  const auto found = object_.find(key);
  return found == object_.end() ? nullptr : &*found;
}

const Json* DeclarationReader::require(const std::string& key, std::string_view expected) {
  const Json* value = find(key);
  if (value == nullptr)
    complain(key, fmt::format("it is missing, expected {}", expected));
  return value;
}

bool DeclarationReader::has(const std::string& key) {
  return find(key) != nullptr;
}

std::string DeclarationReader::text(const std::string& key) {
  const Json* value = require(key, "a text");
  if (value == nullptr)
    return "";
  if (value->is_string() && !value->get<std::string>().empty())
    return value->get<std::string>();
  refuse(key, *value, "a text");
  return "";
}

double DeclarationReader::number(const std::string& key) {
  const Json* value = require(key, "a number");
  if (value == nullptr)
    return 0;
  if (value->is_number())
    return value->get<double>();
  refuse(key, *value, "a number");
  return 0;
}

std::string DeclarationReader::textOr(const std::string& key, std::string fallback) {
  return has(key) ? text(key) : std::move(fallback);
}

std::string DeclarationReader::textOrEmpty(const std::string& key) {
  const Json* value = find(key);
  if (value == nullptr)
    return "";
  if (!value->is_string())
    refuse(key, *value, "a text");
  return value->is_string() ? value->get<std::string>() : "";
}

double DeclarationReader::numberOr(const std::string& key, double fallback) {
  return has(key) ? number(key) : fallback;
}

std::optional<double> DeclarationReader::numberIfGiven(const std::string& key) {
  return has(key) ? std::optional(number(key)) : std::nullopt;
}

bool DeclarationReader::flagOr(const std::string& key, bool fallback) {
  const Json* value = find(key);
  if (value == nullptr)
    return fallback;
  if (!value->is_boolean())
    refuse(key, *value, "true or false");
  return value->is_boolean() && value->get<bool>();
}

std::string DeclarationReader::choice(const std::string& key,
                                      const std::vector<std::string>& choices) {
  const std::string expected = fmt::format("one of {}", fmt::join(choices, ", "));
  const Json* value = require(key, expected);
  if (value == nullptr)
    return "";
  const std::string word = value->is_string() ? value->get<std::string>() : "";
  if (std::ranges::find(choices, word) == choices.end())
    refuse(key, *value, expected + didYouMean(word, choices));
  return word;
}

std::vector<std::string> DeclarationReader::texts(const std::string& key) {
  const Json* value = find(key);
  std::vector<std::string> list;
  if (value == nullptr)
    return list;
  const auto isText = [](const Json& item) { return item.is_string(); };
  if (!value->is_array() || !std::ranges::all_of(*value, isText)) {
    refuse(key, *value, "an array of texts");
    return list;
  }
  for (const Json& item : *value)
    list.push_back(item.get<std::string>());
  return list;
}

Json DeclarationReader::flatObject(const std::string& key) {
  const Json* value = find(key);
  if (value == nullptr)
    return Json::object();
  const auto isFlat = [](const Json& item) {
    return item.is_number() || item.is_string() || item.is_boolean();
  };
  if (value->is_object() && std::ranges::all_of(*value, isFlat))
    return *value;
  refuse(key, *value, "an object of numbers, texts and booleans");
  return Json::object();
}

std::vector<DeclarationReader> DeclarationReader::objects(const std::string& key) {
  const Json* value = find(key);
  std::vector<DeclarationReader> readers;
  if (value == nullptr)
    return readers;
  const auto isObject = [](const Json& item) { return item.is_object(); };
  if (!value->is_array() || !std::ranges::all_of(*value, isObject)) {
    refuse(key, *value, "an array of objects");
    return readers;
  }
  for (std::size_t index = 0; index < value->size(); ++index)
    readers.emplace_back((*value)[index], fmt::format("{}[{}]", way(key), index), error_);
  return readers;
}

std::vector<std::pair<std::string, DeclarationReader>>
DeclarationReader::namedObjects(const std::string& key) {
  const Json* value = find(key);
  std::vector<std::pair<std::string, DeclarationReader>> readers;
  if (value == nullptr)
    return readers;
  const auto isObject = [](const Json& item) { return item.is_object(); };
  if (!value->is_object() || !std::ranges::all_of(*value, isObject)) {
    refuse(key, *value, "an object of objects");
    return readers;
  }
  for (const auto& [name, inner] : value->items())
    readers.emplace_back(name, DeclarationReader(inner, way(key) + "." + name, error_));
  return readers;
}

std::vector<std::pair<double, double>> DeclarationReader::pairs(const std::string& key) {
  const Json* value = find(key);
  std::vector<std::pair<double, double>> list;
  if (value == nullptr)
    return list;
  if (!value->is_array() || !std::ranges::all_of(*value, isPair)) {
    refuse(key, *value, "an array of pairs of numbers");
    return list;
  }
  for (const Json& item : *value)
    list.emplace_back(item[0].get<double>(), item[1].get<double>());
  return list;
}

std::pair<double, double> DeclarationReader::numberPair(const std::string& key) {
  const Json* value = require(key, "a pair of numbers");
  if (value == nullptr)
    return {};
  if (isPair(*value))
    return {(*value)[0].get<double>(), (*value)[1].get<double>()};
  refuse(key, *value, "a pair of numbers");
  return {};
}

std::vector<std::string> DeclarationReader::keys() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : object_.items())
    names.push_back(name);
  return names;
}

void DeclarationReader::refuseUnread() {
  for (const auto& [key, value] : object_.items())
    if (!known_.contains(key))
      complain(key, fmt::format("it is unknown here{}",
                                didYouMean(key, {known_.begin(), known_.end()})));
}

} // namespace heddle::study
