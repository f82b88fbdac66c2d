// SPDX-License-Identifier: Apache-2.0
//
//   1. A word of the command is cut into texts and {names}; "{{" is a brace.
//   2. Names that the command does not have leave the grid, with a word about it.
//   3. Each point's values go where their names are. A word that is nothing but a name takes all
//      texts of a list, as words of their own.
//   4. The key of a point is its command, and what the sources in it hold now.
#include "sweep/Points.h"

#include "support/Files.h"
#include "support/NearestName.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace heddle::sweep {
namespace {

struct Piece {
  std::string text;
  bool isName = false;
};
using Word = std::vector<Piece>;

// Step 1:
Expected<Word> cutWord(const std::string& text) {
  Word word;
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    const bool twice = at + 1 < text.size() && text[at + 1] == letter;
    if ((letter == '{' || letter == '}') && twice) {
      plain += letter;
      ++at;
    } else if (letter == '{') {
      const std::size_t end = text.find('}', at);
      if (end == std::string::npos)
        return fail(ErrorKind::BadInput,
                    "command: '{}' has a '{{' without a '}}'; '{{{{' is a brace", text);
      if (!plain.empty())
        word.push_back({std::exchange(plain, {})});
      word.push_back({text.substr(at + 1, end - at - 1), true});
      at = end;
    } else
      plain += letter;
  }
  if (!plain.empty() || word.empty())
    word.push_back({plain});
  return word;
}

struct Template {
  std::vector<Word> words;
  std::vector<std::string> names; ///< in the order of the command

  bool has(const std::string& name) const { return std::ranges::find(names, name) != names.end(); }
};

Expected<Template> cutCommand(const std::vector<std::string>& command) {
  Template result;
  for (const std::string& text : command) {
    HEDDLE_TRY(Word word, cutWord(text));
    for (const Piece& piece : word)
      if (piece.isName && !result.has(piece.text))
        result.names.push_back(piece.text);
    result.words.push_back(std::move(word));
  }
  return result;
}

std::string listed(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

/// A name of the command that nothing gives a value to: no point could be run.
Expected<void> refuseUnset(const Template& command, const Spec& spec) {
  std::vector<std::string> given;
  for (const Parameter& parameter : spec.grid)
    given.push_back(parameter.name);
  for (const Row& row : spec.list)
    for (const auto& field : row.items())
      given.push_back(field.key());
  for (const std::string& name : command.names)
    if (std::ranges::find(given, name) == given.end())
      return fail(ErrorKind::BadInput, "command: {{{}}} has no values in the grid or the list{}",
                  name, didYouMean(name, given));
  return {};
}

// Step 2:
std::vector<Parameter> usedGrid(const Template& command, const Spec& spec, Points& result) {
  std::vector<Parameter> used;
  for (const Parameter& parameter : spec.grid) {
    if (command.has(parameter.name))
      used.push_back(parameter);
    else
      result.problems.push_back(
          fmt::format("unknown parameter '{}': the command has no {{{}}}, and it is left out{}",
                      parameter.name, parameter.name, didYouMean(parameter.name, command.names)));
  }
  return used;
}

/// Nothing where the grid gives no points; `result` says why.
bool hasPoints(const Template& command, const std::vector<Parameter>& grid, bool given,
               Points& result) {
  for (const Parameter& parameter : grid)
    if (parameter.values.empty()) {
      result.problems.push_back(fmt::format("empty grid: '{}' has no values", parameter.name));
      return false;
    }
  for (const std::string& name : command.names)
    if (given && std::ranges::find(grid, name, &Parameter::name) == grid.end()) {
      result.problems.push_back(fmt::format("empty grid: it has no values for '{}'", name));
      return false;
    }
  return given;
}

Expected<std::size_t> sizeOf(const std::vector<Parameter>& grid) {
  std::size_t size = 1;
  for (const Parameter& parameter : grid) {
    size *= parameter.values.size();
    if (size > mostPoints)
      return fail(ErrorKind::BadInput, "grid: it has more than {} points", mostPoints);
  }
  return size;
}

Row gridRow(const std::vector<Parameter>& grid, std::size_t index) {
  std::vector<std::size_t> digits(grid.size());
  for (std::size_t i = grid.size(); i-- > 0;) {
    digits[i] = index % grid[i].values.size();
    index /= grid[i].values.size();
  }
  Row row = Row::object();
  for (std::size_t i = 0; i < grid.size(); ++i)
    row[grid[i].name] = grid[i].values[digits[i]];
  return row;
}

// Step 3:
std::vector<std::string> fill(const Template& command, const Row& inputs) {
  std::vector<std::string> words;
  for (const Word& word : command.words) {
    if (word.size() == 1 && word.front().isName && inputs[word.front().text].is_array()) {
      for (const Value& part : inputs[word.front().text])
        words.push_back(valueText(part));
      continue;
    }
    std::string text;
    for (const Piece& piece : word)
      text += piece.isName ? valueText(inputs[piece.text]) : piece.text;
    words.push_back(std::move(text));
  }
  return words;
}

std::string refusalOf(const Template& command, const Row& inputs) {
  for (const auto& field : inputs.items())
    if (!command.has(field.key()))
      return fmt::format("unknown parameter '{}'; the command has: {}", field.key(),
                         listed(command.names));
  for (const std::string& name : command.names)
    if (!inputs.contains(name))
      return fmt::format("no value for '{}'", name);
  return "";
}

// Step 4:
class Keys {
public:
  std::string of(const std::vector<std::string>& command) {
    std::string key = Value(command).dump(-1, ' ', false, Value::error_handler_t::replace);
    for (const std::string& word : command) {
      if (word == "--")
        break;
      if (isSource(word))
        key += contentOf(word);
    }
    return key;
  }

private:
  static bool isSource(const std::string& word) {
    static constexpr std::array endings = {".cu", ".cpp", ".cc", ".cxx", ".c", ".ptx", ".json"};
    return std::ranges::any_of(endings, [&](const char* ending) { return word.ends_with(ending); });
  }

  /// FNV-1a: it tells versions of a file apart and is no secret.
  static std::uint64_t hashOf(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char letter : text)
      hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
    return hash;
  }

  const std::string& contentOf(const std::string& file) {
    const auto [known, isNew] = known_.try_emplace(file);
    if (isNew)
      if (const auto text = readFile(file))
        known->second = fmt::format(" {:016x}", hashOf(*text));
    return known->second;
  }

  std::map<std::string, std::string> known_;
};

class Collector {
public:
  Collector(const Template& command, Points& result) : command_(command), result_(result) {}

  void add(Row inputs) {
    Point point{.inputs = std::move(inputs)};
    point.refusal = refusalOf(command_, point.inputs);
    if (point.refusal.empty()) {
      point.command = fill(command_, point.inputs);
      point.key = keys_.of(point.command);
    } else
      point.key = point.inputs.dump(-1, ' ', false, Value::error_handler_t::replace);
    if (seen_.insert(point.key).second)
      result_.points.push_back(std::move(point));
    else
      ++repeated_;
  }

  std::size_t repeated() const { return repeated_; }

private:
  const Template& command_;
  Points& result_;
  Keys keys_;
  std::set<std::string> seen_;
  std::size_t repeated_ = 0;
};

} // namespace

std::string valueText(const Value& value) {
  if (value.is_string())
    return value.get<std::string>();
  if (!value.is_array())
    return value.dump();
  std::vector<std::string> parts;
  for (const Value& part : value)
    parts.push_back(valueText(part));
  return fmt::format("{}", fmt::join(parts, " "));
}

Expected<Points> expandPoints(const Spec& spec) {
  HEDDLE_TRY(const Template command, cutCommand(spec.command));
  HEDDLE_CHECK(refuseUnset(command, spec));
  Points result;
  const std::vector<Parameter> grid = usedGrid(command, spec, result);
  Collector collector(command, result);
  if (hasPoints(command, grid, spec.hasGrid, result)) {
    HEDDLE_TRY(const std::size_t size, sizeOf(grid));
    for (std::size_t index = 0; index < size; ++index)
      collector.add(gridRow(grid, index));
  }
  for (const Row& row : spec.list)
    collector.add(row);
  if (collector.repeated() > 0)
    result.problems.push_back(fmt::format(
        "{} given twice {} run once",
        collector.repeated() == 1 ? std::string("a point that is")
                                  : fmt::format("{} points that are", collector.repeated()),
        collector.repeated() == 1 ? "is" : "are"));
  if (result.points.empty())
    return fail(ErrorKind::BadInput, "{}",
                result.problems.empty() ? "empty list: there are no points"
                                        : result.problems.back());
  return result;
}

} // namespace heddle::sweep
