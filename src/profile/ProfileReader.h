// SPDX-License-Identifier: Apache-2.0
//
// Reads the fields that ProfileFields.h describes, and keeps the first complaint, with the place in
// the document ("kernels[0].branches[3]").
#pragma once

#include "profile/ProfileFields.h"
#include "support/JsonReader.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle::profile {

class ProfileReader {
public:
  using Json = JsonReader::Json;

  /// `place` is the way to the object, empty for the document; `error` outlives the reader.
  ProfileReader(const Json& json, std::string place, std::optional<Error>& error)
      : json_(json), place_(place), error_(error), reader_(json, std::move(place), error, wording) {
  }

  void text(const char* name, std::string& value);
  void textOrNull(const char* name, std::string& value);
  void registerSource(const char* name, RegisterSource& source);
  void count(const char* name, std::uint64_t& value);
  void number(const char* name, double& value);
  void lanes(const char* all, const char* taken, std::array<std::uint64_t, 2>& values);
  void lost(const char* name, KernelProfile& kernel);
  void check(const KernelProfile& kernel);
  void check(const ProgramProfile& profile);
  static void derived(const char* /*name*/, auto /*value*/) {}
  static void derivedIfKnown(const char* /*name*/, auto /*value*/) {}

  template <std::integral Number> void integer(const char* name, Number& value) {
    std::uint64_t found = 0;
    count(name, found);
    if (std::in_range<Number>(found))
      value = Number(found);
    else
      reader_.complainOf(name, fmt::format("{} is too large", found));
  }
  void flagIfSet(const char* name, bool& value) { value = json_.contains(name); }
  void countIf(bool known, const char* name, std::uint64_t& value) {
    std::uint64_t found = 0;
    count(name, found);
    value = known ? found : value;
  }
  void countIfAny(const char* name, std::uint64_t& value) {
    if (json_.contains(name))
      count(name, value);
  }
  void countIfKnown(const char* name, std::optional<std::uint64_t>& value) {
    if (json_.contains(name))
      count(name, value.emplace());
  }
  template <class Word, std::size_t size>
  void word(const char* name, Word& value, const char* const (&words)[size]) {
    value = Word(wordNumber(name, words));
  }
  template <class Number, std::size_t size>
  void numbers(const char* name, std::array<Number, size>& values) {
    const Json& found = field(name);
    const bool whole =
        found.is_array() && found.size() <= size &&
        std::ranges::all_of(found, [](const Json& number) {
          return number.is_number_unsigned() && std::in_range<Number>(number.get<std::uint64_t>());
        });
    if (!whole)
      return reader_.refuse(name, found, fmt::format("at most {} whole numbers", size));
    values = {};
    std::ranges::transform(found, values.begin(), [](const Json& n) { return n.get<Number>(); });
  }
  void firstNumbers(const char* name, auto& values) { numbers(name, values); }
  template <class Values, std::size_t size>
  void named(const char* name, const char* const (&names)[size], Values& values) {
    ProfileReader inner(field(name), place_, error_);
    for (std::size_t i = 0; i < size; ++i)
      inner.number(names[i], values[i]);
  }
  template <class Record> void list(const char* name, std::vector<Record>& records) {
    forEach(name, [&](ProfileReader& fields) { describe(fields, records.emplace_back()); });
  }
  template <class Record> void listIfAny(const char* name, std::vector<Record>& records) {
    if (json_.contains(name))
      list(name, records);
  }
  template <class Record> void optional(const char* name, std::optional<Record>& record) {
    const Json& found = field(name);
    if (found.is_null())
      return;
    ProfileReader fields(found, place_, error_);
    describe(fields, record.emplace());
  }

  template <class Record> void optionalIfAny(const char* name, std::optional<Record>& record) {
    if (json_.contains(name))
      optional(name, record);
  }
  void version(const char* name, std::uint64_t known);
  /// A text that `read` takes, or refuses by returning nothing.
  template <class Value> void spelled(const char* name, Value& value, auto /*text*/, auto read) {
    std::string found;
    text(name, found);
    if (auto taken = read(found))
      value = *std::move(taken);
    else
      reader_.complainOf(name, misspelled(found));
  }
  template <class Value>
  void spelledList(const char* name, std::vector<Value>& values, auto /*text*/, auto read) {
    const Json& found = field(name);
    if (!found.is_array())
      return reader_.refuse(name, found, "a list");
    for (const Json& each : found) {
      auto taken = each.is_string() ? read(each.get<std::string>()) : std::nullopt;
      if (!taken)
        return reader_.complainOf(
            name, misspelled(each.is_string() ? each.get<std::string>() : each.dump()));
      values.push_back(*std::move(taken));
    }
  }

private:
  static const JsonWording wording;

  static std::string misspelled(std::string_view text);

  const Json& field(const char* name);
  std::size_t wordNumber(const char* name, std::span<const char* const> words);

  /// Reads every member of a list, each under its own place.
  template <class Read> void forEach(const char* name, Read read) {
    const Json& found = field(name);
    if (!found.is_array())
      return reader_.refuse(name, found, "a list");
    for (std::size_t i = 0; i < found.size(); ++i) {
      ProfileReader fields(found[i], fmt::format("{}[{}]", reader_.pathOf(name), i), error_);
      read(fields);
    }
  }

  const Json& json_;
  std::string place_;
  std::optional<Error>& error_;
  JsonReader reader_;
  std::uint64_t lostToBranches_ = 0; ///< as the list of owners says
};

} // namespace heddle::profile
