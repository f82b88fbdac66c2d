// SPDX-License-Identifier: Apache-2.0
//
// PTX text to its syntax. What an instruction means, and whether there is such a one, is not asked
// here: one whose operands have an unknown form is marked and refused where it is needed.
#pragma once

#include "ptx/Syntax.h"
#include "support/Error.h"

#include <concepts>
#include <string>
#include <string_view>

namespace heddle::ptx {

/// The result refers to `text`. An error says the line.
Expected<File> parse(std::string_view text);

/// Of a temporary, nothing would be left to refer to.
template <typename Text>
  requires std::same_as<Text, std::string>
Expected<File> parse(Text&& text) = delete;

} // namespace heddle::ptx
