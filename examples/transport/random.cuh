// SPDX-License-Identifier: Apache-2.0
//
// Random numbers that depend on nothing but a key and a counter: number `draw` of particle `id` is
// the same whoever asks for it and when, so that no order of threads changes a history.
//
// Philox with two words of 32 bits (Salmon and others, Parallel random numbers: as easy as 1, 2, 3,
// 2011). Seven rounds pass the batteries of tests there; ten are its standard.
#pragma once

#include <cstdint>

namespace transport {

struct Words {
  std::uint32_t first, second;
};

template <int Rounds = 7>
__device__ inline Words philox(std::uint32_t key, std::uint32_t id, std::uint32_t draw) {
  Words words{id, draw};
#pragma unroll
  for (int round = 0; round < Rounds; ++round) {
    const std::uint64_t product = std::uint64_t{0xd256d193u} * words.first;
    words.first = static_cast<std::uint32_t>(product >> 32) ^ key ^ words.second;
    words.second = static_cast<std::uint32_t>(product);
    key += 0x9e3779b9u;
  }
  return words;
}

/// Between 0 and 1, never either of them: its logarithm is finite and below 0.
__device__ inline float unit(std::uint32_t word) {
  return (static_cast<float>(word >> 9) + 0.5f) * (1.0f / 8388608.0f);
}

} // namespace transport
