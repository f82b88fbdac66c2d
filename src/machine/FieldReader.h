// SPDX-License-Identifier: Apache-2.0
//
// Reads fields of a JSON document by their path ("clocks.memoryMHz") and keeps the first complaint,
// so that a loader reads as a list of fields and checks for an error once, at its end.
#pragma once

#include "support/Error.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace heddle::machine {

struct Range {
  double low;
  double high;
};

class FieldReader {
public:
  explicit FieldReader(const nlohmann::json& root) : root_(root) {}

  /// Whether the document has the field at all.
  bool has(const std::string& path) const;
  std::string text(const std::string& path);
  std::vector<std::string> textList(const std::string& path);
  std::map<std::string, std::string> textMap(const std::string& path);
  double number(const std::string& path, Range range);
  int integer(const std::string& path, Range range);
  std::vector<int> integerList(const std::string& path, Range range);

  /// A number, or nothing where the file says null.
  std::optional<double> numberOrNull(const std::string& path, Range range);

  /// A number, or nothing where the file does not have it.
  std::optional<double> numberIfThere(const std::string& path, Range range);

  /// Refuses every field of the document that was not read, with the nearest known one.
  void refuseUnread();

  void complain(std::string message);
  const std::optional<Error>& error() const { return error_; }

private:
  const nlohmann::json* findIfThere(const std::string& path);
  const nlohmann::json* find(const std::string& path);
  bool check(const std::string& path, const nlohmann::json& value, Range range, bool whole);
  void refuseUnread(const nlohmann::json& object, const std::string& prefix);

  const nlohmann::json& root_;
  std::set<std::string> read_;
  std::optional<Error> error_;
};

} // namespace heddle::machine
