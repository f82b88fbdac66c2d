// SPDX-License-Identifier: Apache-2.0
//
// Ways through the text of a C++ source that no compiler has read yet: forwards over literals and
// comments, backwards over names and brackets.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend {

/// For what is not in a text.
inline constexpr std::size_t notFound = std::string_view::npos;

bool isOfName(char letter);

/// The next such sign outside brackets, in the same statement, or notFound.
std::size_t findOutside(std::string_view text, std::size_t at, std::string_view sign);

/// Behind the bracket that closes the one at `at`; angles count where it is one.
std::optional<std::size_t> behindBrackets(std::string_view text, std::size_t at);

std::size_t backOverBlanks(std::string_view text, std::size_t end);
std::size_t backOverName(std::string_view text, std::size_t end);

/// At the bracket that the one before `end` closes.
std::optional<std::size_t> backOverBrackets(std::string_view text, std::size_t end, char open,
                                            char close);

/// The parts between commas, brackets of all kinds left whole.
std::vector<std::string> splitOutside(std::string_view list);

/// Without comments, on one line.
std::string onOneLine(std::string_view text);

/// As long as it was, with blanks for comments and literals; line breaks stay.
std::string blankedQuotes(std::string text);

} // namespace heddle::frontend
