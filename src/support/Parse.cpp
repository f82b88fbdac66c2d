// SPDX-License-Identifier: Apache-2.0
#include "support/Parse.h"

#include <charconv>
#include <cmath>

namespace heddle {

Expected<std::int64_t> parseInteger(std::string_view text) {
  const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range)
    return fail(ErrorKind::BadInput, "'{}' is too large a number", text);
  if (error != std::errc{} || end != digits.data() + digits.size())
    return fail(ErrorKind::BadInput, "'{}' is not a whole number", text);
  return value;
}

Expected<double> parseNumber(std::string_view text) {
  const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range)
    return fail(ErrorKind::BadInput, "'{}' is out of the range of numbers", text);
  if (error != std::errc{} || end != digits.data() + digits.size())
    return fail(ErrorKind::BadInput, "'{}' is not a number", text);
  if (!std::isfinite(value))
    return fail(ErrorKind::BadInput, "'{}' is not a finite number", text);
  return value;
}

Expected<std::vector<double>> parseNumberList(std::string_view text) {
  std::vector<double> values;
  for (const std::string_view part : splitText(text, ',')) {
    HEDDLE_TRY(const double value, parseNumber(part));
    values.push_back(value);
  }
  return values;
}

std::vector<std::string_view> splitText(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos)
      return parts;
    text.remove_prefix(at + 1);
  }
}

} // namespace heddle
