// SPDX-License-Identifier: Apache-2.0
#include "support/NearestName.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace heddle {
namespace {

std::string lowered(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return result;
}

/// Insertions, deletions, substitutions and swaps of neighbours that turn one text into the other
/// (optimal string alignment distance).
std::size_t editDistance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> beforeLast(to.size() + 1), last(to.size() + 1), row(to.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= from.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t substituted = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, substituted});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
        row[j] = std::min(row[j], beforeLast[j - 2] + 1);
    }
    std::swap(beforeLast, last);
    std::swap(last, row);
  }
  return last[to.size()];
}

} // namespace

std::vector<std::string> nearestNames(std::string_view typed, const std::vector<std::string>& known,
                                      std::size_t most) {
  const std::string wanted = lowered(typed);
  const std::size_t tolerance = std::max<std::size_t>(2, wanted.size() / 3);
  std::vector<std::pair<std::size_t, std::size_t>> ranked; // distance, then place in the list
  for (std::size_t place = 0; place < known.size(); ++place) {
    const std::string candidate = lowered(known[place]);
    const bool contains = !wanted.empty() && candidate.find(wanted) != std::string::npos;
    const std::size_t distance = contains ? 1 : editDistance(wanted, candidate);
    if (distance <= tolerance)
      ranked.emplace_back(distance, place);
  }
  std::ranges::sort(ranked);
  std::vector<std::string> names;
  for (const auto& [distance, place] : ranked)
    if (names.size() < most)
      names.push_back(known[place]);
  return names;
}

std::string didYouMean(std::string_view typed, const std::vector<std::string>& known) {
  const std::vector<std::string> names = nearestNames(typed, known);
  if (names.empty())
    return "";
  std::string text = "; did you mean " + names.front();
  for (std::size_t i = 1; i < names.size(); ++i)
    text += (i + 1 == names.size() ? " or " : ", ") + names[i];
  return text + "?";
}

} // namespace heddle
