// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace heddle::rewrite {

/// Whether a text has a word, not as a part of a longer one.
bool hasWord(std::string_view text, std::string_view word);

} // namespace heddle::rewrite
