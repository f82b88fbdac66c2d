// SPDX-License-Identifier: Apache-2.0
//
// What the terminal can do, and the few colours we use, each with one meaning.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace heddle {

enum class ColorMode { Auto, Always, Never };

bool isTerminal(std::FILE* stream);

/// Whether to colour what goes to `stream`: --color first, then NO_COLOR, then "is it a terminal".
bool useColor(ColorMode mode, std::FILE* stream);

/// Columns of the terminal that `stream` is; nothing where it is none or does not say.
std::optional<std::size_t> terminalColumns(std::FILE* stream);

/// Wraps text in the colour of its meaning, or leaves it as it is.
class TextStyle {
public:
  explicit TextStyle(bool colored) : colored_(colored) {}

  std::string bold(std::string_view text) const { return wrap("1", text); }
  std::string faint(std::string_view text) const { return wrap("2", text); }
  std::string good(std::string_view text) const { return wrap("32", text); }
  std::string bad(std::string_view text) const { return wrap("31", text); }

private:
  std::string wrap(std::string_view code, std::string_view text) const;

  bool colored_;
};

} // namespace heddle
