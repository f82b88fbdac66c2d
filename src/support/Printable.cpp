// SPDX-License-Identifier: Apache-2.0
#include "support/Printable.h"

#include <fmt/format.h>

#include <cstdint>

namespace heddle {
namespace {

struct Letter {
  std::size_t bytes = 0; ///< 0: this is no UTF-8
  std::uint32_t code = 0;
};

/// The letter that a text begins with. Overlong forms, surrogates and what is cut off are none.
Letter firstLetter(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return std::uint32_t(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t first = byte(0);
  if (first < 0x80)
    return {1, first};
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  static constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (first < 0xc2 || first > 0xf4 || text.size() < size)
    return {};
  std::uint32_t code = first & (0xffU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80)
      return {};
    code = code << 6 | (byte(i) & 0x3f);
  }
  const bool isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code < least[size] || isSurrogate || code > 0x10ffff ? Letter{} : Letter{size, code};
}

bool isControl(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code <= 0x9f) || // C0, DEL, C1
         code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0xfeff || code == 0xfffe || code == 0xffff;
}

/// How many bytes a colour takes that a text begins with; 0: it begins with none.
std::size_t colorSize(std::string_view text) {
  if (!text.starts_with("\x1b["))
    return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

std::string escaped(std::string_view text, std::string_view kept, bool keepColors) {
  std::string result;
  while (!text.empty()) {
    const Letter letter = firstLetter(text);
    std::size_t size = letter.bytes;
    if (const std::size_t color = keepColors ? colorSize(text) : 0; color > 0) {
      size = color;
      result += text.substr(0, size);
    } else if (size == 0) {
      size = 1;
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    } else if (!isControl(letter.code) || kept.find(text[0]) != std::string_view::npos)
      result += text.substr(0, size);
    else if (letter.code == '\n')
      result += "\\n";
    else
      result += letter.code < 0x100 ? fmt::format("\\x{:02x}", letter.code)
                                    : fmt::format("\\u{{{:x}}}", letter.code);
    text.remove_prefix(size);
  }
  return result;
}

} // namespace

std::string printable(std::string_view text) {
  return escaped(text, "\n\t", false);
}

std::string printableLine(std::string_view text) {
  return escaped(text, "\t", false);
}

std::string printableColored(std::string_view text) {
  return escaped(text, "\n\t", true);
}

} // namespace heddle
