// SPDX-License-Identifier: Apache-2.0
#include "driver/SourceTexts.h"

#include <algorithm>
#include <system_error>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;

bool hasOnlyCrlf(std::string_view text) {
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    if (at == 0 || text[at - 1] != '\r')
      return false;
  return text.find('\n') != std::string_view::npos;
}

} // namespace

std::string withLineEndsOf(std::string_view original, std::string rewritten) {
  if (!hasOnlyCrlf(original))
    return rewritten;
  std::string text;
  for (const char letter : rewritten) {
    if (letter == '\n' && !text.ends_with('\r'))
      text += '\r';
    text += letter;
  }
  return text;
}

std::string shownName(const fs::path& file) {
  std::error_code error;
  const fs::path relative = file.lexically_relative(fs::current_path(error));
  return !error && !relative.empty() && *relative.begin() != ".." ? relative.string()
                                                                  : file.string();
}

std::string diffName(const std::string& file) {
  return fs::path(file).lexically_normal().relative_path().string();
}

} // namespace heddle::driver
