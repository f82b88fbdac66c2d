// SPDX-License-Identifier: Apache-2.0
//
// Scores are whole numbers: their sum is the same in any order, so that all forms of a program must
// agree to the bit. What a particle loses is the difference of what it had and has, both as whole
// numbers, so that nothing is lost between the scores either.
#pragma once

#include <cstdint>

namespace transport {

using Score = unsigned long long; // what atomicAdd takes

/// `Bits` of them are a fraction.
template <int Bits> __host__ __device__ inline Score fixed(float value) {
  return static_cast<Score>(value * static_cast<float>(std::uint64_t{1} << Bits));
}

template <int Bits> inline double fromFixed(Score score) {
  return static_cast<double>(score) / static_cast<double>(std::uint64_t{1} << Bits);
}

} // namespace transport
