// SPDX-License-Identifier: Apache-2.0
//
// Addresses that say what was meant: a pointer that is null, or one just beside its array.
#pragma once

#include <cstdint>

namespace heddle::engine {

inline constexpr std::uint64_t nullPage = 4096;    ///< addresses below come from a null pointer
inline constexpr std::uint64_t besideBytes = 4096; ///< so far from memory it was probably meant

} // namespace heddle::engine
