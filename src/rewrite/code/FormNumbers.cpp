// SPDX-License-Identifier: Apache-2.0
#include "rewrite/code/FormNumbers.h"

#include "support/Parse.h"

#include <algorithm>
#include <limits>

namespace heddle::rewrite {

std::optional<std::vector<int>> numbersOf(std::string_view form, std::string_view before,
                                          std::string_view after) {
  if (!form.starts_with(before) || !form.ends_with(after) ||
      form.size() < before.size() + after.size())
    return std::nullopt;
  form.remove_prefix(before.size());
  form.remove_suffix(after.size());
  std::vector<int> numbers;
  for (std::string_view part : splitText(form, ',')) {
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    const auto number = parseInteger(part);
    if (!number || *number < 0 || *number > std::numeric_limits<int>::max())
      return std::nullopt;
    numbers.push_back(int(*number));
  }
  return numbers;
}

} // namespace heddle::rewrite
