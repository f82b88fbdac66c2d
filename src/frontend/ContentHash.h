// SPDX-License-Identifier: Apache-2.0
//
// A name for content: equal names, equal content.
#pragma once

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/BLAKE3.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::frontend {

class ContentHash {
public:
  /// Parts are told apart: "ab" + "c" is not "a" + "bc".
  void add(std::string_view part) {
    const std::uint64_t size = part.size();
    hash_.update(llvm::ArrayRef(reinterpret_cast<const std::uint8_t*>(&size), sizeof size));
    hash_.update(llvm::StringRef(part));
  }

  /// 32 hexadecimal digits.
  std::string name() { return llvm::toHex(llvm::ArrayRef(hash_.final<16>()), true); }

private:
  llvm::BLAKE3 hash_;
};

inline std::string contentName(std::string_view content) {
  ContentHash hash;
  hash.add(content);
  return hash.name();
}

} // namespace heddle::frontend
