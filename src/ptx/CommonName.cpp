// SPDX-License-Identifier: Apache-2.0
#include "ptx/Symbols.h"

#include <charconv>

namespace heddle::ptx {
namespace {

/// A name with its length in front, as C++ compilers write them: "5split".
struct Piece {
  std::size_t length = 0; ///< of the whole; 0: there is none
  std::string_view name;
};

Piece pieceAt(std::string_view text) {
  std::size_t size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  const auto digits = std::size_t(end - text.data());
  if (error != std::errc() || size == 0 || size > text.size() - digits)
    return {};
  return {digits + size, text.substr(digits, size)};
}

bool isOfFile(std::string_view name) {
  return name.starts_with("_INTERNAL_");
}
bool isUnnamed(std::string_view name) {
  return name.starts_with("_GLOBAL__N__");
}

/// `_ZN<file>1xE` is a variable that clang calls `_ZL1x`.
std::string staticName(std::string_view symbol) {
  constexpr std::string_view begin = "_ZN";
  if (!symbol.starts_with(begin))
    return "";
  const Piece file = pieceAt(symbol.substr(begin.size()));
  if (file.length == 0 || !isOfFile(file.name))
    return "";
  const std::string_view rest = symbol.substr(begin.size() + file.length);
  const Piece own = pieceAt(rest);
  if (own.length == 0 || isUnnamed(own.name) || !rest.substr(own.length).starts_with('E'))
    return "";
  return fmt::format("_ZL{}{}", rest.substr(0, own.length), rest.substr(own.length + 1));
}

} // namespace

std::string commonName(std::string_view symbol) {
  if (symbol.find("_INTERNAL_") == std::string_view::npos &&
      symbol.find("_GLOBAL__N__") == std::string_view::npos)
    return std::string(symbol);
  if (std::string name = staticName(symbol); !name.empty())
    return name;
  std::string result;
  for (std::size_t at = 0; at < symbol.size();) {
    const bool startsNumber = symbol[at] >= '1' && symbol[at] <= '9' &&
                              (at == 0 || symbol[at - 1] < '0' || symbol[at - 1] > '9');
    const Piece piece = startsNumber ? pieceAt(symbol.substr(at)) : Piece{};
    if (piece.length != 0 && (isOfFile(piece.name) || isUnnamed(piece.name))) {
      result += isUnnamed(piece.name) ? "12_GLOBAL__N_1" : "";
      at += piece.length;
    } else {
      const std::size_t length = std::max<std::size_t>(piece.length, 1);
      result += symbol.substr(at, length);
      at += length;
    }
  }
  return result;
}

} // namespace heddle::ptx
