// SPDX-License-Identifier: Apache-2.0
#include "profile/GivenRegisters.h"

#include "support/Parse.h"

namespace heddle::profile {
namespace {

constexpr int mostOfAnyGpu = 255;

} // namespace

Expected<void> addGivenRegisters(GivenRegisters& given, std::string_view text) {
  const std::size_t equals = text.find('=');
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
  for (const std::string_view part : splitText(text, ','))
    HEDDLE_CHECK(addGivenRegisters(given, part));
  return given;
}

std::string writeGivenRegisters(const GivenRegisters& given) {
  std::string text;
  for (const auto& [kernel, registers] : given)
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", kernel, registers);
  return text;
}

} // namespace heddle::profile
