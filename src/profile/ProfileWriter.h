// SPDX-License-Identifier: Apache-2.0
//
// Writes the fields that ProfileFields.h describes.
#pragma once

#include "profile/ProfileFields.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <vector>

namespace heddle::profile {

class ProfileWriter {
public:
  using Json = nlohmann::ordered_json;

  explicit ProfileWriter(Json& json) : json_(json) {}

  template <class Record> static Json object(const Record& record) {
    Json json = Json::object();
    ProfileWriter fields(json);
    describe(fields, record);
    return json;
  }

  void text(const char* name, const std::string& value) { json_[name] = value; }
  void registerSource(const char* name, const RegisterSource& source) {
    json_[name] = source.text();
  }
  void integer(const char* name, std::integral auto value) { json_[name] = value; }
  void count(const char* name, std::uint64_t value) { json_[name] = value; }
  void number(const char* name, double value) { json_[name] = value; }
  void numbers(const char* name, const auto& values) { json_[name] = values; }
  void textOrNull(const char* name, const std::string& value) {
    json_[name] = value.empty() ? Json(nullptr) : Json(value);
  }
  void flagIfSet(const char* name, bool value) {
    if (value)
      json_[name] = true;
  }
  void countIf(bool known, const char* name, std::uint64_t value) {
    json_[name] = known ? value : 0;
  }
  void countIfAny(const char* name, std::uint64_t value) {
    if (value > 0)
      count(name, value);
  }
  void countIfKnown(const char* name, const std::optional<std::uint64_t>& value) {
    if (value)
      count(name, *value);
  }
  void derived(const char* name, auto value) { json_[name] = value(); }
  void derivedIfKnown(const char* name, auto value) {
    if (const auto known = value())
      json_[name] = *known;
  }

  template <class Word, std::size_t size>
  void word(const char* name, Word value, const char* const (&words)[size]) {
    json_[name] = words[std::size_t(value)];
  }
  template <class Values, std::size_t size>
  void named(const char* name, const char* const (&names)[size], const Values& values) {
    Json& to = json_[name] = Json::object();
    for (std::size_t i = 0; i < size; ++i)
      to[names[i]] = values[i];
  }
  template <class Record> void list(const char* name, const std::vector<Record>& records) {
    Json& to = json_[name] = Json::array();
    for (const Record& record : records)
      to.push_back(object(record));
  }
  template <class Record> void listIfAny(const char* name, const std::vector<Record>& records) {
    if (!records.empty())
      list(name, records);
  }
  template <class Record> void optional(const char* name, const std::optional<Record>& record) {
    json_[name] = record ? object(*record) : Json(nullptr);
  }

  template <class Record>
  void optionalIfAny(const char* name, const std::optional<Record>& record) {
    if (record)
      json_[name] = object(*record);
  }
  void version(const char* name, std::uint64_t value) { json_[name] = value; }
  void spelled(const char* name, const auto& value, auto text, auto /*read*/) {
    json_[name] = text(value);
  }
  void spelledList(const char* name, const auto& values, auto text, auto /*read*/) {
    Json& to = json_[name] = Json::array();
    for (const auto& value : values)
      to.push_back(text(value));
  }

  /// All lanes, and those to the first target.
  void lanes(const char* all, const char* taken, const std::array<std::uint64_t, 2>& values);
  /// Without the zeros at the end.
  void firstNumbers(const char* name, const auto& values) {
    Json& to = json_[name] = values;
    while (!to.empty() && to.back() == 0)
      to.erase(to.size() - 1);
  }
  void lost(const char* name, const KernelProfile& kernel);
  static void check(const auto& /*record*/) {}

private:
  Json& json_;
};

} // namespace heddle::profile
