// SPDX-License-Identifier: Apache-2.0
//
// PTX text to tokens. Comments are left out; words keep their dots: `ld.global.f32`, `%tid.x`,
// `.param`.
#pragma once

#include "support/Error.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace heddle::ptx {

struct Token {
  enum class Kind : std::uint8_t {
    Word,   ///< an opcode, a directive, a name
    Number, ///< as it is written: 12, 0x1f, 0f3F800000, 1.5
    Text,   ///< between quotes, which are left out
    Sign,   ///< one character
    End
  };
  Kind kind = Kind::End;
  std::uint32_t line = 0;
  std::string_view text;

  bool is(std::string_view wanted) const { return kind != Kind::Text && text == wanted; }
};

/// Without the three bytes that some editors put in front of UTF-8.
std::string_view withoutMark(std::string_view text);

/// The last token is an End. The views are of `text`.
Expected<std::vector<Token>> tokenize(std::string_view text);

} // namespace heddle::ptx
