// SPDX-License-Identifier: Apache-2.0
#include "study/CheckReader.h"

#include <algorithm>

namespace heddle::study {
namespace {

const std::vector<std::string>& takeNames() {
  static const std::vector<std::string> names = {"mean", "min", "max",  "first",
                                                 "last", "sum", "count"};
  return names;
}

CheckKind readKind(JsonReader& reader) {
  const std::string word = reader.choice("kind", kindNames());
  const auto found = std::ranges::find(kindNames(), word);
  return found == kindNames().end() ? CheckKind::Value : CheckKind(found - kindNames().begin());
}

Take readTake(JsonReader& reader, CheckKind kind) {
  std::vector<std::string> choices = takeNames();
  if (kind == CheckKind::Place)
    choices = {"min", "max"};
  else if (kind == CheckKind::Ratio)
    choices.resize(5); // a sum of ratios means nothing
  const auto found = std::ranges::find(takeNames(), reader.choice("take", choices));
  return found == takeNames().end() ? Take::Mean : Take(found - takeNames().begin());
}

/// [low, high]
std::optional<std::pair<double, double>> readRange(JsonReader& reader, const Check& check) {
  if (!reader.has("xRange"))
    return std::nullopt;
  const auto range = reader.numberPair("xRange");
  if (range.first > range.second)
    reader.complainOf("xRange", fmt::format("found [{}, {}], expected the smaller number first",
                                            range.first, range.second));
  if (check.x.empty())
    reader.complainOf("xRange", "it needs a key 'x', the field whose range it is");
  return range;
}

/// Which of the bounds a kind cannot be without.
void readBounds(JsonReader& reader, Check& check) {
  if (check.kind == CheckKind::Rising || check.kind == CheckKind::Falling) {
    check.atMost = reader.numberOr("slack", 0);
    if (*check.atMost < 0 || *check.atMost >= 1)
      reader.complainOf("slack",
                        fmt::format("found {}, expected 0 or more and below 1", *check.atMost));
    return;
  }
  check.atLeast = reader.numberIfAny("atLeast");
  check.atMost = reader.numberIfAny("atMost");
  if (check.kind == CheckKind::Linear && !check.atLeast)
    reader.complainOf("atLeast", "it is missing, expected a number: the smallest R^2");
  else if (check.kind == CheckKind::Flat && !check.atMost)
    reader.complainOf("atMost", "it is missing, expected a number: the largest (max - min) / mean");
  else if (!check.atLeast && !check.atMost)
    reader.complainOf("atLeast",
                      "neither it nor 'atMost' is there, expected a bound that can fail");
  if (check.atLeast && check.atMost && *check.atLeast > *check.atMost)
    reader.complainOf("atLeast", fmt::format("found {}, expected at most {}, which is 'atMost'",
                                             *check.atLeast, *check.atMost));
}

void readFields(JsonReader& reader, Check& check) {
  const bool counts = check.kind == CheckKind::Value && check.take == Take::Count;
  check.y = counts ? reader.textOr("y", "") : reader.text("y");
  const bool needsX = check.kind == CheckKind::Linear || check.kind == CheckKind::Place ||
                      check.kind == CheckKind::Rising || check.kind == CheckKind::Falling;
  check.x = needsX ? reader.text("x") : reader.textOr("x", "");
}

void readSides(JsonReader& reader, Check& check) {
  for (const auto& [key, side] : {std::pair{"of", &check.of}, {"to", &check.to}}) {
    if (!reader.has(key))
      reader.complainOf(key, "it is missing, expected a filter of rows");
    *side = reader.flatObject(key);
  }
  if (check.kind != CheckKind::Share)
    return;
  check.below = reader.numberIfAny("below");
  check.above = reader.numberIfAny("above");
  if (check.below.has_value() == check.above.has_value())
    reader.complainOf("below", fmt::format("found {} 'above', expected one of the two",
                                           check.below ? "it and also" : "neither it nor"));
}

bool isKebab(const std::string& text) {
  const auto fits = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '-';
  };
  return !text.empty() && std::ranges::all_of(text, fits) && text.front() != '-' &&
         text.back() != '-';
}

} // namespace

Check readCheck(JsonReader& reader) {
  Check check;
  check.id = reader.text("id");
  if (!check.id.empty() && !isKebab(check.id))
    reader.complainOf(
        "id", fmt::format("found \"{}\", expected small letters, digits and dashes", check.id));
  check.says = reader.text("says");
  check.kind = readKind(reader);
  check.where = reader.flatObject("where");
  const bool paired = check.kind == CheckKind::Ratio || check.kind == CheckKind::Share;
  if (paired)
    readSides(reader, check);
  if (check.kind == CheckKind::Value || check.kind == CheckKind::Place ||
      check.kind == CheckKind::Ratio)
    check.take = readTake(reader, check.kind);
  readFields(reader, check);
  check.xRange = readRange(reader, check);
  readBounds(reader, check);
  if (reader.has("on"))
    check.on = reader.choice("on", {"engine", "gpu"});
  check.devices = reader.textsIfAny("device");
  reader.refuseUnread();
  return check;
}

} // namespace heddle::study
