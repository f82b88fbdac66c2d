// SPDX-License-Identifier: Apache-2.0
#include "machine/ComputeCapability.h"

#include <algorithm>
#include <cctype>

namespace heddle::machine {
namespace {

std::string_view withoutPrefix(std::string_view text) {
  for (const std::string_view prefix : {"cc", "CC", "sm_", "compute_"})
    if (text.starts_with(prefix))
      return text.substr(prefix.size());
  return text;
}

bool allDigits(std::string_view text) {
  return !text.empty() && text.size() <= 3 &&
         std::ranges::all_of(text, [](unsigned char letter) { return std::isdigit(letter); });
}

int toInt(std::string_view digits) {
  int value = 0;
  for (const char digit : digits)
    value = value * 10 + (digit - '0');
  return value;
}

} // namespace

bool looksLikeComputeCapability(std::string_view text) {
  const std::string_view number = withoutPrefix(text);
  const bool prefixed = number.size() != text.size();
  const std::size_t dot = number.find('.');
  if (dot == std::string_view::npos)
    return prefixed && allDigits(number);
  return allDigits(number.substr(0, dot)) && allDigits(number.substr(dot + 1));
}

Expected<ComputeCapability> parseComputeCapability(std::string_view text) {
  if (!looksLikeComputeCapability(text))
    return fail(ErrorKind::BadInput, "'{}' is not a compute capability; write it like 9.0 or cc9.0",
                text);
  const std::string_view number = withoutPrefix(text);
  const std::size_t dot = number.find('.');
  if (dot != std::string_view::npos)
    return ComputeCapability{toInt(number.substr(0, dot)), toInt(number.substr(dot + 1))};
  const int joined = toInt(number); // sm_90 is 9.0, sm_120 is 12.0
  return ComputeCapability{joined / 10, joined % 10};
}

} // namespace heddle::machine
