// SPDX-License-Identifier: Apache-2.0
//
// Reads the keys of one object of a declaration and keeps the first complaint of the whole file, so
// that a loader reads as a list of keys and asks for an error once, at its end. Complaints name the
// key with its way ("checks[2].atLeast"), what was found and what was expected.
#pragma once

#include "support/Error.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::study {

class DeclarationReader {
public:
  using Json = nlohmann::ordered_json;

  /// `path` is the way to the object, empty for the file itself; `error` outlives the reader.
  DeclarationReader(const Json& object, std::string path, std::optional<Error>& error);

  bool has(const std::string& key);

  /// Required; a complaint and an empty value where the key is missing or of another type.
  std::string text(const std::string& key);
  double number(const std::string& key);

  std::string textOr(const std::string& key, std::string fallback);
  std::string textOrEmpty(const std::string& key); ///< empty too where the key is missing
  double numberOr(const std::string& key, double fallback);
  bool flagOr(const std::string& key, bool fallback);
  std::optional<double> numberIfGiven(const std::string& key);

  /// One of some words; required.
  std::string choice(const std::string& key, const std::vector<std::string>& choices);

  /// Empty where the key is missing.
  std::vector<std::string> texts(const std::string& key);

  /// The object under a key, values of numbers, texts and booleans only; empty where it is missing.
  Json flatObject(const std::string& key);

  /// Readers of the objects in an array, or under the names of an object; none where it is missing.
  std::vector<DeclarationReader> objects(const std::string& key);
  std::vector<std::pair<std::string, DeclarationReader>> namedObjects(const std::string& key);

  /// Pairs of numbers: [[0, 1.5], [2, 3]].
  std::vector<std::pair<double, double>> pairs(const std::string& key);

  /// [low, high]; required.
  std::pair<double, double> numberPair(const std::string& key);

  /// The keys of the object itself, for objects whose keys are names.
  std::vector<std::string> keys() const;

  /// Refuses every key that nobody asked for, with the nearest known one.
  void refuseUnread();

  /// "found 3, expected a text", for a key of this object.
  void complain(const std::string& key, std::string_view what);

private:
  const Json* find(const std::string& key);
  const Json* require(const std::string& key, std::string_view expected);
  void refuse(const std::string& key, const Json& found, std::string_view expected);
  std::string way(const std::string& key) const;

  const Json& object_;
  std::string path_;
  std::optional<Error>& error_;
  std::set<std::string> known_;
};

} // namespace heddle::study
