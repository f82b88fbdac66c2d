// SPDX-License-Identifier: Apache-2.0
#include "tune/Configuration.h"

#include "support/Parse.h"

namespace heddle::tune {
namespace {

void addWord(std::string& key, const std::string& name, const std::string& value) {
  key += fmt::format("{}{}={}", key.empty() ? "" : " ", name, value);
}

std::string codeWords(const Configuration& of) {
  std::string key;
  for (const auto& [name, value] : of.values)
    addWord(key, name, value);
  for (const auto& [name, value] : of.macros)
    addWord(key, "set:" + name, value);
  return key;
}

/// Where the next word begins: a name without spaces and an equals sign; values may have spaces.
std::size_t endOfWord(std::string_view text) {
  for (std::size_t space = text.find(' '); space != std::string_view::npos;
       space = text.find(' ', space + 1)) {
    const std::string_view rest = text.substr(space + 1);
    const std::size_t equals = rest.find('=');
    if (equals != std::string_view::npos && rest.substr(0, equals).find(' ') == std::string::npos)
      return space;
  }
  return text.size();
}

Expected<void> take(std::string_view word, Configuration& into) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos)
    return fail(ErrorKind::BadInput, "'{}' is no setting such as block=128", word);
  const std::string name(word.substr(0, equals)), value(word.substr(equals + 1));
  if (name == "block") {
    HEDDLE_TRY(into.block, profile::parseExtent(value));
  } else if (name == "bounds") {
    HEDDLE_TRY(const std::int64_t blocks, parseInteger(value));
    into.bounds = static_cast<int>(blocks);
  } else if (name.starts_with("set:"))
    into.macros[name.substr(4)] = value;
  else
    into.values[name] = value;
  return {};
}

} // namespace

std::string Configuration::key() const {
  std::string key;
  if (hasBlock())
    addWord(key, "block", profile::writeExtent(block));
  if (bounds > 0)
    addWord(key, "bounds", fmt::format("{}", bounds));
  const std::string code = codeWords(*this);
  return key.empty() || code.empty() ? key + code : key + " " + code;
}

std::string Configuration::codeKey(const profile::Extent& own) const {
  return boundsText(own) + "|" + codeWords(*this);
}

std::string Configuration::boundsText(const profile::Extent& own) const {
  return bounds == 0 ? ""
                     : fmt::format("{}, {}", profile::threadsOf(hasBlock() ? block : own), bounds);
}

Expected<Configuration> parseConfiguration(std::string_view key) {
  Configuration result;
  while (!key.empty()) {
    const std::size_t end = endOfWord(key);
    HEDDLE_CHECK(take(key.substr(0, end), result));
    key.remove_prefix(std::min(end + 1, key.size()));
  }
  return result;
}

} // namespace heddle::tune
