// SPDX-License-Identifier: Apache-2.0
#include "support/Terminal.h"

#include "support/Parse.h"

#include <fmt/format.h>

#include <cstdlib>

#include <sys/ioctl.h>
#include <unistd.h>

namespace heddle {

bool isTerminal(std::FILE* stream) {
  return isatty(fileno(stream)) == 1;
}

bool useColor(ColorMode mode, std::FILE* stream) {
  if (mode != ColorMode::Auto)
    return mode == ColorMode::Always;
  const char* noColor = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool refused = noColor != nullptr && *noColor != '\0';
  const bool dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  return !refused && !dumb && isTerminal(stream);
}

std::optional<std::size_t> terminalColumns(std::FILE* stream) {
  if (!isTerminal(stream))
    return std::nullopt;
  winsize size = {};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  const char* const columns = std::getenv("COLUMNS");
  const auto stated = parseInteger(columns != nullptr ? columns : "");
  return stated && *stated > 0 ? std::optional(std::size_t(*stated)) : std::nullopt;
}

std::string TextStyle::wrap(std::string_view code, std::string_view text) const {
  return colored_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

} // namespace heddle
