// SPDX-License-Identifier: Apache-2.0
//
// Text moved to another indentation, its lines kept as they are against one another.
#pragma once

#include <string>
#include <string_view>

namespace heddle::rewrite {

/// The lines with `indent` in place of the blanks that all of them begin with, without empty lines
/// at both ends and without a line break at the end. Preprocessor lines stay at the margin.
std::string indented(std::string_view text, std::string_view indent);

} // namespace heddle::rewrite
