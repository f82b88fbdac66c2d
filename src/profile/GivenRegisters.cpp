// SPDX-License-Identifier: Apache-2.0
#include "profile/GivenRegisters.h"

#include "support/Parse.h"

namespace heddle::profile {
namespace {

constexpr int mostOfAnyGpu = 255;

/// The end of the first kernel's part: a comma that parts no template arguments, or the end.
std::size_t endOfFirst(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '<' ? 1 : text[i] == '>' ? -1 : 0;
    if (text[i] == ',' && depth == 0)
      return i;
  }
  return text.size();
}

} // namespace

Expected<void> addGivenRegisters(GivenRegisters& given, std::string_view text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0)
    return fail(ErrorKind::BadInput, "'{}' is not KERNEL=N, as in transport=40", text);
  const std::string kernel(text.substr(0, equals));
  const auto count = parseInteger(text.substr(equals + 1));
  if (!count || *count < 1 || *count > mostOfAnyGpu)
    return fail(ErrorKind::BadInput, "'{}': found '{}' registers, expected 1 to {}", text,
                text.substr(equals + 1), mostOfAnyGpu);
  if (!given.try_emplace(kernel, static_cast<int>(*count)).second)
    return fail(ErrorKind::BadInput, "'{}': registers of '{}' are given twice", text, kernel);
  return {};
}

Expected<GivenRegisters> parseGivenRegisters(std::string_view text) {
  GivenRegisters given;
  if (text.empty())
    return given;
  for (std::size_t end = endOfFirst(text);; end = endOfFirst(text)) {
    HEDDLE_CHECK(addGivenRegisters(given, text.substr(0, end)));
    if (end == text.size())
      return given;
    text.remove_prefix(end + 1);
  }
}

std::string writeGivenRegisters(const GivenRegisters& given) {
  std::string text;
  for (const auto& [kernel, registers] : given)
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", kernel, registers);
  return text;
}

} // namespace heddle::profile
