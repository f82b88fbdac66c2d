// SPDX-License-Identifier: Apache-2.0
#include "machine/FieldReader.h"

#include "support/NearestName.h"
#include "support/Parse.h"

#include <cmath>

namespace heddle::machine {

using nlohmann::json;

void FieldReader::complain(std::string message) {
  if (!error_)
    error_ = Error{ErrorKind::BadInput, std::move(message)};
}

bool FieldReader::has(const std::string& path) const {
  const json* here = &root_;
  for (const std::string_view part : splitText(path, '.')) {
    const std::string key(part);
    if (!here->is_object() || !here->contains(key))
      return false;
    here = &(*here)[key];
  }
  return true;
}

const json* FieldReader::findIfThere(const std::string& path) {
  read_.insert(path);
  const json* here = &root_;
  for (const std::string_view part : splitText(path, '.')) {
    const std::string key(part);
    if (!here->is_object() || !here->contains(key))
      return nullptr;
    here = &(*here)[key];
  }
  return here;
}

const json* FieldReader::find(const std::string& path) {
  const json* found = findIfThere(path);
  if (found == nullptr)
    complain(fmt::format("field '{}' is missing", path));
  return found;
}

bool FieldReader::check(const std::string& path, const json& value, Range range, bool whole) {
  const char* kind = whole ? "a whole number" : "a number";
  if (whole ? !value.is_number_integer() : !value.is_number()) {
    complain(fmt::format("field '{}' is {}, expected {}", path, value.dump(), kind));
    return false;
  }
  const double number = value.get<double>();
  if (number < range.low || number > range.high) {
    complain(fmt::format("field '{}' is {}, expected {} from {} to {}", path, value.dump(), kind,
                         range.low, range.high));
    return false;
  }
  return true;
}

std::string FieldReader::text(const std::string& path) {
  const json* value = find(path);
  if (value == nullptr)
    return "";
  if (!value->is_string() || value->get<std::string>().empty()) {
    complain(fmt::format("field '{}' is {}, expected a text", path, value->dump()));
    return "";
  }
  return value->get<std::string>();
}

std::vector<std::string> FieldReader::textList(const std::string& path) {
  const json* value = find(path);
  std::vector<std::string> list;
  if (value == nullptr)
    return list;
  if (!value->is_array())
    complain(fmt::format("field '{}' is {}, expected a list of texts", path, value->dump()));
  for (const json& item : *value)
    if (item.is_string())
      list.push_back(item.get<std::string>());
    else
      complain(fmt::format("field '{}' holds {}, expected texts only", path, item.dump()));
  return list;
}

std::map<std::string, std::string> FieldReader::textMap(const std::string& path) {
  const json* value = find(path);
  std::map<std::string, std::string> result;
  if (value == nullptr)
    return result;
  if (!value->is_object()) {
    complain(fmt::format("field '{}' is {}, expected names with texts", path, value->dump()));
    return result;
  }
  for (const auto& [key, item] : value->items())
    if (item.is_string() && !item.get<std::string>().empty())
      result[key] = item.get<std::string>();
    else
      complain(fmt::format("field '{}.{}' is {}, expected a text", path, key, item.dump()));
  return result;
}

double FieldReader::number(const std::string& path, Range range) {
  const json* value = find(path);
  return value != nullptr && check(path, *value, range, false) ? value->get<double>() : 0;
}

std::optional<double> FieldReader::numberOrNull(const std::string& path, Range range) {
  const json* value = find(path);
  if (value == nullptr || value->is_null() || !check(path, *value, range, false))
    return std::nullopt;
  return value->get<double>();
}

std::optional<double> FieldReader::numberIfThere(const std::string& path, Range range) {
  const json* value = findIfThere(path);
  if (value == nullptr || !check(path, *value, range, false))
    return std::nullopt;
  return value->get<double>();
}

int FieldReader::integer(const std::string& path, Range range) {
  const json* value = find(path);
  return value != nullptr && check(path, *value, range, true) ? value->get<int>() : 0;
}

std::vector<int> FieldReader::integerList(const std::string& path, Range range) {
  const json* value = find(path);
  std::vector<int> list;
  if (value == nullptr)
    return list;
  if (!value->is_array() || value->empty()) {
    complain(
        fmt::format("field '{}' is {}, expected a list of whole numbers", path, value->dump()));
    return list;
  }
  for (const json& item : *value)
    if (check(path, item, range, true))
      list.push_back(item.get<int>());
  return list;
}

void FieldReader::refuseUnread() {
  refuseUnread(root_, "");
}

void FieldReader::refuseUnread(const json& object, const std::string& prefix) {
  for (const auto& [key, value] : object.items()) {
    const std::string path = prefix + key;
    if (read_.contains(path))
      continue;
    const bool hasReadFields = value.is_object() && read_.upper_bound(path + ".") != read_.end() &&
                               read_.upper_bound(path + ".")->starts_with(path + ".");
    if (hasReadFields)
      refuseUnread(value, path + ".");
    else
      complain(fmt::format("field '{}' is unknown{}", path,
                           didYouMean(path, {read_.begin(), read_.end()})));
  }
}

} // namespace heddle::machine
