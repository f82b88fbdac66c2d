// SPDX-License-Identifier: Apache-2.0
//
// Numbers and lists as users type them. Every refusal says what was found and what was expected.
#pragma once

#include "support/Error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// A whole number in decimal, sign allowed; the whole text must be used.
Expected<std::int64_t> parseInteger(std::string_view text);

/// A finite number such as 0.1, .1 or 1e-3; NaN and infinities are refused.
Expected<double> parseNumber(std::string_view text);

/// Numbers separated by commas, at least one.
Expected<std::vector<double>> parseNumberList(std::string_view text);

/// Splits at a separator; "a,,b" has an empty middle part.
std::vector<std::string_view> splitText(std::string_view text, char separator);

} // namespace heddle
