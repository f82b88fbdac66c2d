// SPDX-License-Identifier: Apache-2.0
//
// What the L1 takes for an access of a warp, by how the addresses of its lanes lie: how many lines
// they touch, and how many different words of four bytes they want of one of 32 banks. With data
// that is in the L1, with data that is in the L2 only, and for stores. One multiprocessor, 32
// warps. Needs nothing but nvcc:
//
//   nvcc -O3 -std=c++17 -arch=native bench/cuda/device_lines.cu -o device_lines && ./device_lines
#include "device.cuh"

#include <algorithm>
#include <cstdint>
#include <set>

namespace {

constexpr int threads = 1024, turns = 64;

__device__ int wordOf(int value) {
  return value;
}
template <class T> __device__ int wordOf(T value) {
  return value.x;
}

enum class Kind { Load, LoadOnce, Store };

/// Lane l of an access goes to offsets[l], further on by a step each turn; `mask` says when it
/// begins again.
template <Kind kind, class T>
__global__ void touch(char* data, const std::uint32_t* offsets, std::uint32_t step,
                      std::uint32_t warpStep, std::uint32_t mask, long long* cycles, int* sink) {
  const std::uint32_t lane = offsets[threadIdx.x % 32], first = threadIdx.x / 32 * warpStep;
  int sum = 0;
  if (kind == Kind::Load)
    for (int i = 0; i < turns; ++i)
      sum += *reinterpret_cast<volatile int*>(data + lane + ((first + i * step) & mask));
  device::Stopwatch watch{cycles};
  watch.start();
#pragma unroll 8
  for (int i = 0; i < turns; ++i) {
    T* at = reinterpret_cast<T*>(data + lane + ((first + i * step) & mask));
    if (kind == Kind::Store)
      *at = T{};
    else
      sum += wordOf(__ldca(at));
  }
  watch.stop();
  if (sum == 1234567)
    *sink = 1;
}

struct Pattern {
  const char* name;
  std::vector<std::uint32_t> offsets;
};

std::vector<std::uint32_t> strided(std::uint32_t bytes) {
  std::vector<std::uint32_t> offsets;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    offsets.push_back(lane * bytes);
  return offsets;
}

std::vector<std::uint32_t> random(std::uint32_t seed, std::uint32_t range, std::uint32_t unit) {
  std::vector<std::uint32_t> offsets;
  for (int lane = 0; lane < 32; ++lane) {
    seed = seed * 1664525u + 1013904223u;
    offsets.push_back((seed >> 8) % (range / unit) * unit);
  }
  return offsets;
}

template <class T> void measure(const Pattern& pattern, char* data, int* sink) {
  std::set<std::uint32_t> lines, sectors;
  std::set<std::uint32_t> wanted[32];
  for (const std::uint32_t offset : pattern.offsets) {
    lines.insert(offset / 128);
    sectors.insert(offset / 32);
    for (std::uint32_t word = offset / 4; word < (offset + sizeof(T)) / 4; ++word)
      wanted[word % 32].insert(word);
  }
  std::size_t most = 0;
  for (const auto& words : wanted)
    most = std::max(most, words.size());
  auto* offsets = device::array<std::uint32_t>(32);
  CHECK(cudaMemcpy(offsets, pattern.offsets.data(), 32 * sizeof(std::uint32_t),
                   cudaMemcpyHostToDevice));
  const double accesses = turns * threads / 32;
  const auto cycles = [&](auto kind, std::uint32_t step, std::uint32_t warpStep,
                          std::uint32_t mask) {
    return device::cyclesOf([&](long long* to) {
             touch<decltype(kind)::value, T>
                 <<<1, threads>>>(data, offsets, step, warpStep, mask, to, sink);
           }) /
           accesses;
  };
  const double near = cycles(std::integral_constant<Kind, Kind::Load>{}, 128, 128, 1023);
  const double far = cycles(std::integral_constant<Kind, Kind::LoadOnce>{}, 1 << 19, 1 << 14, ~0u);
  const double stores = cycles(std::integral_constant<Kind, Kind::Store>{}, 128, 128, 1023);
  std::printf("%-16s %2zu bytes %3zu lines %3zu sectors %3zu of a bank: L1 %6.2f, L2 %6.2f, store "
              "%6.2f cycles\n",
              pattern.name, sizeof(T), lines.size(), sectors.size(), most, near, far, stores);
  CHECK(cudaFree(offsets));
}

} // namespace

int main() {
  auto* data = device::array<char>((std::size_t(turns) << 19) + (1 << 20));
  auto* sink = device::array<int>(1);
  char name[64];
  const auto all = [&](const char* what, const std::vector<std::uint32_t>& offsets,
                       std::uint32_t aligned) {
    measure<int>({what, offsets}, data, sink);
    if (aligned % 8 == 0)
      measure<int2>({what, offsets}, data, sink);
    if (aligned % 16 == 0)
      measure<int4>({what, offsets}, data, sink);
  };
  for (const std::uint32_t stride :
       {0,  4,  8,  12,  16,  20,  24,  32,  36,  40,  48,  64,  68,
        72, 80, 96, 128, 132, 136, 144, 160, 192, 256, 260, 272, 288}) {
    std::snprintf(name, sizeof name, "stride %u", stride);
    all(name, strided(stride), stride);
  }
  for (const std::uint32_t range : {256, 1024, 2048, 4096, 8192})
    for (std::uint32_t seed = 1; seed <= 4; ++seed) {
      std::snprintf(name, sizeof name, "random in %u", range);
      all(name, random(seed, range, 16), 16);
      measure<int>({name, random(seed + 8, range, 4)}, data, sink);
    }
}
