// SPDX-License-Identifier: Apache-2.0
//
// Text that others wrote (source lines, names of files, kernels and devices, messages) as it may go
// to a terminal, a report or a picture: what moves the cursor, changes colours, turns the direction
// of writing or is no UTF-8 is spelled out.
//
//   "a\x1b[2Jb"  ->  a\x1b[2Jb       a byte that is no UTF-8  ->  \xff       U+202E  ->  \u{202e}
#pragma once

#include <string>
#include <string_view>

namespace heddle {

/// Of several lines: line feeds and tabs stay.
std::string printable(std::string_view text);

/// A name, or one line of a text: line feeds are spelled out, too.
std::string printableLine(std::string_view text);

/// A text that holds colours of ours (support/Terminal.h): those stay, too.
std::string printableColored(std::string_view text);

} // namespace heddle
