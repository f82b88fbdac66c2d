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

/// The name of something static: L in front of the last piece. What has a namespace without a name
/// around it is not marked, and neither are a compiler's own names.
std::string staticName(const std::string& symbol) {
  if (symbol.find("_GLOBAL__N_1") != std::string::npos || symbol.find('$') != std::string::npos ||
      !symbol.starts_with("_Z") || symbol.starts_with("_ZZ"))
    return symbol;
  const bool isNested = symbol.starts_with("_ZN");
  std::size_t at = isNested ? 3 : 2;
  std::size_t last = at;
  while (const std::size_t length = pieceAt(std::string_view(symbol).substr(at)).length) {
    last = at;
    at += length;
    if (!isNested)
      break;
  }
  return symbol.substr(0, last) + "L" + symbol.substr(last);
}

/// Without the file's name in it.
std::string withoutFile(std::string_view symbol) {
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

/// nvcc -rdc=true: __nv_static_, the length of a text that names the file, the text, the name.
std::string_view withoutStaticFile(std::string_view symbol) {
  constexpr std::string_view mark = "__nv_static_";
  if (!symbol.starts_with(mark))
    return symbol;
  const std::string_view rest = symbol.substr(mark.size());
  std::size_t length = 0;
  const char* const digits = std::from_chars(rest.data(), rest.data() + rest.size(), length).ptr;
  const std::size_t begin = std::size_t(digits - rest.data()) + length + 2; // and two of '_'
  return begin < rest.size() ? rest.substr(begin) : symbol;
}

} // namespace

std::string commonName(std::string_view symbol, bool isVisible) {
  symbol = withoutStaticFile(symbol);
  const bool namesFile = symbol.find("_INTERNAL_") != std::string_view::npos ||
                         symbol.find("_GLOBAL__N__") != std::string_view::npos;
  std::string name = namesFile ? withoutFile(symbol) : std::string(symbol);
  return isVisible ? name : staticName(name);
}

} // namespace heddle::ptx
