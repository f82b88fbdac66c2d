// SPDX-License-Identifier: Apache-2.0
//
// Shows a word of memory as what it most likely is.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace heddle::profile {

enum class WordType { Integer, Float, Double };

/// What most words of a piece of memory look like; a multiple of 8 bytes from its beginning on.
WordType guessType(std::span<const std::byte> memory);

/// The word of 4 bytes at an offset, or the double that holds it: "1.5 (0x3fc00000)".
std::string wordText(std::span<const std::byte> memory, std::size_t offset, WordType type);

} // namespace heddle::profile
