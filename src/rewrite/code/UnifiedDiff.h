// SPDX-License-Identifier: Apache-2.0
//
// The difference of two texts in the form that patch(1) and people read.
#pragma once

#include <string>
#include <string_view>

namespace heddle::rewrite {

/// With three lines around each change. Empty for equal texts.
std::string unifiedDiff(const std::string& file, std::string_view before, std::string_view after);

} // namespace heddle::rewrite
