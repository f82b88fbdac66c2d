// SPDX-License-Identifier: Apache-2.0
#include "ptx/TokenReader.h"

#include <bit>
#include <charconv>

namespace heddle::ptx {
namespace {

std::optional<std::uint64_t> parseBits(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size() && !text.empty()
             ? std::optional(value)
             : std::nullopt;
}

std::optional<std::uint64_t> parseInteger(std::string_view text) {
  if (text.ends_with('U'))
    text.remove_suffix(1);
  if (text.starts_with("0x") || text.starts_with("0X"))
    return parseBits(text.substr(2), 16);
  if (text.starts_with("0b") || text.starts_with("0B"))
    return parseBits(text.substr(2), 2);
  return text.size() > 1 && text.starts_with('0') ? parseBits(text.substr(1), 8)
                                                  : parseBits(text, 10);
}

} // namespace

Expected<Operand> numberOf(const Token& token) {
  const std::string_view text = token.text;
  Operand result;
  result.kind = Operand::Kind::Float;
  const auto prefix = text.substr(0, 2);
  if (prefix == "0f" || prefix == "0F" || prefix == "0d" || prefix == "0D") {
    result.single = prefix[1] == 'f' || prefix[1] == 'F';
    if (const auto bits = parseBits(text.substr(2), 16)) {
      result.bits = *bits;
      return result;
    }
  } else if (const auto bits = parseInteger(text)) {
    result.kind = Operand::Kind::Integer;
    result.bits = *bits;
    return result;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return fail(ErrorKind::BadInput, "PTX line {}: '{}' is no number", token.line, text);
  result.bits = std::bit_cast<std::uint64_t>(value);
  return result;
}

Expected<std::uint64_t> TokenReader::integer() {
  const bool negative = take("-");
  if (peek().kind != Token::Kind::Number)
    return wrong("a number");
  HEDDLE_TRY(const Operand number, numberOf(next()));
  if (number.kind != Operand::Kind::Integer)
    return wrong("a whole number");
  return negative ? -number.bits : number.bits;
}

void TokenReader::skipStatement() {
  int depth = 0;
  while (!atEnd()) {
    if (isNext("{") || isNext("("))
      ++depth;
    if (isNext("}") && depth == 0)
      return;
    if (isNext("}") || isNext(")"))
      --depth;
    if (next().is(";") && depth <= 0)
      return;
  }
}

} // namespace heddle::ptx
