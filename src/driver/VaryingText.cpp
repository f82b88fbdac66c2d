// SPDX-License-Identifier: Apache-2.0
#include "driver/VaryingText.h"

#include "support/Parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

namespace heddle::driver {
namespace {

/// A line as words, and what stands between them; blanks count as one, since numbers that have
/// fewer digits are often padded.
struct LineWords {
  std::vector<std::string_view> words;
  std::vector<std::string> between; ///< one more than words
};

bool isOfWord(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '.' ||
         letter == '+' || letter == '-' || letter == '#';
}

LineWords wordsOf(std::string_view line) {
  LineWords result;
  result.between.emplace_back();
  for (std::size_t at = 0; at < line.size();) {
    if (!isOfWord(line[at])) {
      const bool isBlank = line[at] == ' ' || line[at] == '\t';
      std::string& gap = result.between.back();
      if (!isBlank || !gap.ends_with(' '))
        gap += isBlank ? ' ' : line[at];
      ++at;
      continue;
    }
    const auto end = std::ranges::find_if_not(line.substr(at), isOfWord);
    const auto length = std::size_t(end - line.substr(at).begin());
    result.words.push_back(line.substr(at, length));
    result.between.emplace_back();
    at += length;
  }
  return result;
}

/// One in the last digit of "12.250" or "1.5e+03"; nothing: it is no fraction.
std::optional<double> lastDigitOf(std::string_view word) {
  const std::size_t point = word.find('.');
  if (point == std::string_view::npos)
    return std::nullopt;
  const std::size_t mantissa = std::min(word.find_first_of("eE"), word.size());
  const auto exponent =
      mantissa < word.size() ? std::atoi(std::string(word.substr(mantissa + 1)).c_str()) : 0;
  return std::pow(10.0, exponent - double(mantissa - point - 1));
}

/// Two fractions as they were printed.
bool areClose(std::string_view before, std::string_view after, double tolerance) {
  const auto digit = lastDigitOf(before), otherDigit = lastDigitOf(after);
  const std::string old(before), fresh(after);
  char *oldEnd = nullptr, *freshEnd = nullptr;
  const double was = std::strtod(old.c_str(), &oldEnd), is = std::strtod(fresh.c_str(), &freshEnd);
  if (tolerance <= 0 || !digit || !otherDigit || *oldEnd != 0 || *freshEnd != 0)
    return false;
  const double allowed = std::max(tolerance * std::max(std::abs(was), std::abs(is)),
                                  1.01 * std::max(*digit, *otherDigit));
  return std::abs(was - is) <= allowed;
}

std::string_view lineAt(const std::vector<std::string_view>& lines, std::size_t number) {
  return number < lines.size() ? lines[number] : std::string_view{};
}

} // namespace

void VaryingText::learn(std::string_view first, std::string_view second) {
  const std::vector<std::string_view> one = splitText(first, '\n'), two = splitText(second, '\n');
  for (std::size_t i = 0; i < std::max(one.size(), two.size()); ++i) {
    const std::string_view a = lineAt(one, i), b = lineAt(two, i);
    if (a == b)
      continue;
    Line& line = words_[i];
    if (one.size() != two.size()) {
      openFrom_ = std::min(openFrom_.value_or(i), i);
      line.example = a;
      line.isWhole = true;
      return;
    }
    const LineWords old = wordsOf(a), fresh = wordsOf(b);
    if (old.between != fresh.between || old.words.size() != fresh.words.size()) {
      line.isWhole = true;
      line.example = a;
      continue;
    }
    for (std::size_t word = 0; word < old.words.size(); ++word)
      if (old.words[word] != fresh.words[word]) {
        line.words.insert(word);
        if (line.example.empty())
          line.example = old.words[word];
      }
    line.isWhole |= line.words.empty(); // only its blanks differ
  }
}

std::optional<std::string> VaryingText::difference(std::string_view before, std::string_view after,
                                                   double tolerance, std::string_view where) const {
  const std::vector<std::string_view> old = splitText(before, '\n'), fresh = splitText(after, '\n');
  for (std::size_t i = 0; i < std::max(old.size(), fresh.size()); ++i) {
    if (openFrom_ && i >= *openFrom_)
      return std::nullopt;
    const std::string_view a = lineAt(old, i), b = lineAt(fresh, i);
    if (a == b)
      continue;
    const auto says = fmt::format("line {}{} was '{}' and is '{}'", i + 1, where, a, b);
    const auto known = words_.find(i);
    if ((known == words_.end() && tolerance == 0) || i >= old.size() || i >= fresh.size())
      return says;
    const bool isKnown = known != words_.end();
    if (isKnown && known->second.isWhole)
      continue;
    const LineWords was = wordsOf(a), is = wordsOf(b);
    if (was.between != is.between || was.words.size() != is.words.size())
      return says;
    for (std::size_t word = 0; word < was.words.size(); ++word)
      if (was.words[word] != is.words[word] && !(isKnown && known->second.words.contains(word)) &&
          !areClose(was.words[word], is.words[word], tolerance))
        return says;
  }
  return std::nullopt;
}

std::vector<std::string> VaryingText::setAside() const {
  std::vector<std::string> all;
  for (const auto& [number, line] : words_)
    all.push_back(fmt::format("line {}{} ('{}')", number + 1,
                              openFrom_ == number ? " and all behind it" : "", line.example));
  return all;
}

} // namespace heddle::driver
