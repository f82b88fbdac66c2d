// SPDX-License-Identifier: Apache-2.0
//
// The numbers in the name of a form, such as "word<0, 1, 1>" or "strip of 16".
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace heddle::rewrite {

/// Those between the two; nothing where the name is another one, or they are no whole numbers of at
/// least 0.
std::optional<std::vector<int>> numbersOf(std::string_view form, std::string_view before,
                                          std::string_view after);

} // namespace heddle::rewrite
