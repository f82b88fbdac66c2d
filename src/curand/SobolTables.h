// SPDX-License-Identifier: Apache-2.0
//
// The direction vectors of Sobol's sequences: Joe and Kuo's D6 set, and the same times cuRAND's
// random matrices. scripts/make_sobol says what is stored of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::curand {

using SobolVectors = std::array<std::uint64_t, 64>; ///< those of 32 bits are the upper halves

/// How many dimensions cuRAND has, and how many of them are known here.
inline constexpr std::size_t sobolDimensions = 20000;
inline constexpr std::size_t knownDimensions = 1111;
inline constexpr std::size_t knownScrambled = 64;

/// Made at the first call: some milliseconds.
const std::vector<SobolVectors>& sobolVectors();

struct ScrambledVectors {
  std::vector<SobolVectors> vectors;
  std::vector<std::uint64_t> constants; ///< added to each number of a dimension
};
const ScrambledVectors& scrambledSobolVectors();

} // namespace heddle::curand
