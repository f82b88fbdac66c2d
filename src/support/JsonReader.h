// SPDX-License-Identifier: Apache-2.0
//
// Reads the keys of one JSON object and keeps the first complaint of the whole document, so that a
// loader reads as a list of keys and asks for an error once, at its end. Devices, studies and
// profiles are read by it; each has its own wording of complaints.
#pragma once

#include "support/Error.h"

#include <nlohmann/json.hpp>

#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle {

/// How complaints read, as formats with names:
///   {path}   the key with its way from the document ("checks[2].atLeast")
///   {key}    the key alone; {place} the way to its object and ": ", empty for the document
///   {found}  the value, {short} its first characters
///   {expected}, {hint} (the nearest known key), {what} (said by the loader)
struct JsonWording {
  const char* missing;
  const char* unlike; ///< another type, or out of range
  const char* unknown;
  const char* about; ///< what a loader says of a key
  const char* list;  ///< what a list of {what} is called
};

struct NumberRange {
  double low;
  double high;
};

inline constexpr NumberRange anyNumber{-std::numeric_limits<double>::infinity(),
                                       std::numeric_limits<double>::infinity()};

class JsonReader {
public:
  using Json = nlohmann::ordered_json;

  /// `path` is the way to the object, empty for the document; the others outlive the reader.
  JsonReader(const Json& object, std::string path, std::optional<Error>& error,
             const JsonWording& wording)
      : object_(object), path_(std::move(path)), error_(error), wording_(wording) {}

  // A key may be a way through inner objects: "clocks.memoryMHz".

  bool has(const std::string& key) { return find(key) != nullptr; }

  /// Required; a complaint and an empty value where the key is missing or of another type.
  std::string text(const std::string& key);
  std::vector<std::string> texts(const std::string& key);
  std::vector<std::pair<std::string, std::string>> namedTexts(const std::string& key);
  double number(const std::string& key, NumberRange range = anyNumber);
  int integer(const std::string& key, NumberRange range);
  std::vector<int> integers(const std::string& key, NumberRange range); ///< at least one
  std::pair<double, double> numberPair(const std::string& key);         ///< [low, high]
  std::string choice(const std::string& key, const std::vector<std::string>& choices);
  std::optional<double> numberOrNull(const std::string& key, NumberRange range);

  void checkSchema(std::string_view name); ///< the key "schema" must be there and say so

  /// The same for a key that may be missing.
  std::string textOr(const std::string& key, std::string fallback);
  std::string textOrEmpty(const std::string& key); ///< may be given as an empty text
  std::vector<std::string> textsIfAny(const std::string& key);
  double numberOr(const std::string& key, double fallback);
  std::optional<double> numberIfAny(const std::string& key, NumberRange range = anyNumber);
  bool flagOr(const std::string& key, bool fallback);
  std::vector<std::pair<double, double>> pairs(const std::string& key); ///< [[0, 1.5], [2, 3]]
  Json flatObject(const std::string& key); ///< of numbers, texts and booleans

  /// Readers of the objects in an array, or under the names of an object; none where it is missing.
  std::vector<JsonReader> objects(const std::string& key);
  std::vector<std::pair<std::string, JsonReader>> namedObjects(const std::string& key);

  /// The keys of the object itself, for objects whose keys are names.
  std::vector<std::string> keys() const;

  /// Refuses every key that nobody asked for, with the nearest known one.
  void refuseUnread() { refuseUnread(object_, ""); }

  // For loaders with rules of their own.

  const Json* find(const std::string& key); ///< nullptr where it is missing
  const Json* require(const std::string& key, std::string_view expected);
  void refuse(const std::string& key, const Json& found, std::string_view expected);
  /// "found 3, expected a text", for a key of this object.
  void complainOf(const std::string& key, std::string_view what);
  /// Of the object itself.
  void complain(std::string_view what);
  std::string pathOf(const std::string& key) const;

private:
  void complain(const char* format, const std::string& key, std::string_view what,
                const Json* found = nullptr);
  bool isNumber(const std::string& key, const Json& value, NumberRange range, bool whole);
  std::vector<std::string> textsOf(const std::string& key, const Json& value);
  std::string listOf(const char* what) const;
  void refuseUnread(const Json& object, const std::string& prefix);

  const Json& object_;
  std::string path_;
  std::optional<Error>& error_;
  const JsonWording& wording_;
  std::set<std::string> known_;
};

} // namespace heddle
