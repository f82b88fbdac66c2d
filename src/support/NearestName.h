// SPDX-License-Identifier: Apache-2.0
//
// "unknown device 'gtx208'; did you mean gtx280 or gtx780?": finds what the user may have meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// The known names closest to a mistyped one, best first, at most `most`; empty when none is close.
std::vector<std::string> nearestNames(std::string_view typed, const std::vector<std::string>& known,
                                      std::size_t most = 3);

/// The sentence part "; did you mean a, b or c?" for the nearest names, or empty.
std::string didYouMean(std::string_view typed, const std::vector<std::string>& known);

} // namespace heddle
