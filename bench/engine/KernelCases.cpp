// SPDX-License-Identifier: Apache-2.0
#include "KernelCases.h"

#include "engine/Textures.h"
#include "support/SplitMix64.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string_view>

namespace heddle::bench {
namespace {

template <class T> Bytes scalar(T value) {
  Bytes bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

template <class T> Bytes buffer(std::size_t count, const std::function<T(std::size_t)>& make) {
  Bytes bytes(count * sizeof(T));
  for (std::size_t i = 0; i < count; ++i) {
    const T value = make(i);
    std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
  }
  return bytes;
}

std::vector<float> randomFloats(std::size_t count, std::uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<float> values(count);
  for (float& value : values)
    value = float(random.next() >> 40) * 0x1p-24f;
  return values;
}

Bytes floats(std::size_t count, std::uint64_t seed) {
  const std::vector<float> values = randomFloats(count, seed);
  return buffer<float>(count, [&](std::size_t i) { return values[i]; });
}

Bytes zeros(std::size_t count) {
  return Bytes(count * 4);
}

/// Rows whose length falls off like a power law, edges anywhere.
Case graphCase() {
  constexpr int nodes = 1 << 18;
  SplitMix64 random(11);
  std::vector<int> first = {0};
  for (int i = 0; i < nodes; ++i) {
    const double u = double(random.next() >> 11) * 0x1p-53;
    first.push_back(first.back() + std::min(200, int(2 / std::sqrt(u + 1e-4))));
  }
  const auto edges = std::size_t(first.back());
  const auto make = [&](int most) {
    return buffer<int>(edges, [&](std::size_t) { return int(random.next() % unsigned(most)); });
  };
  return {{nodes / 256, 1},
          {256, 1},
          {zeros(nodes), buffer<int>(nodes, [&](std::size_t i) { return int(i * 7919 % 100003); }),
           buffer<int>(first.size(), [&](std::size_t i) { return first[i]; }), make(nodes),
           make(100)},
          {scalar(nodes)}};
}

/// Lines of words, numbers and strings.
Case stateMachineCase() {
  constexpr int lines = 1 << 14, length = 256;
  constexpr std::string_view alphabet = "aabcdefgehiioxyz0123456789  ..\"\"\\";
  SplitMix64 random(21);
  return {{lines / 128, 1},
          {128, 1},
          {zeros(lines), buffer<unsigned char>(std::size_t{lines} * length,
                                               [&](std::size_t) {
                                                 return static_cast<unsigned char>(
                                                     alphabet[random.next() % alphabet.size()]);
                                               })},
          {scalar(length)}};
}

/// Programs of 64 words: an operation and a number.
Case interpreterCase() {
  constexpr int threads = 1 << 14, size = 64, programs = 8, operations = 9;
  SplitMix64 random(22);
  return {{threads / 128, 1},
          {128, 1},
          {zeros(threads), buffer<unsigned>(std::size_t{size} * programs,
                                            [&](std::size_t) {
                                              const auto word = unsigned(random.next());
                                              return word << 8 | (word >> 24) % operations;
                                            })},
          {scalar(size), scalar(programs), scalar(256)}};
}

/// A table that three quarters of the slots fill, and twice as many keys as it holds.
Case hashProbeCase() {
  constexpr unsigned slots = 1 << 16, held = slots / 4 * 3;
  SplitMix64 random(23);
  std::vector<unsigned> keys(std::size_t{2} * held), table(slots);
  for (unsigned& key : keys)
    key = unsigned(random.next()) | 1;
  for (std::size_t i = 0; i < keys.size(); i += 2) {
    unsigned slot = keys[i] * 2654435761u >> 7 & (slots - 1);
    while (table[slot] != 0)
      slot = (slot + 1) & (slots - 1);
    table[slot] = keys[i];
  }
  constexpr std::size_t lookups = 1 << 19;
  return {
      {lookups / 256, 1},
      {256, 1},
      {zeros(lookups), buffer<unsigned>(slots, [&](std::size_t i) { return table[i]; }),
       buffer<unsigned>(lookups, [&](std::size_t) { return keys[random.next() % keys.size()]; })},
      {scalar(int(slots))}};
}

/// A thread for each way to begin; one in five is legal.
Case backtrackingCase() {
  constexpr int size = 10, threads = size * size * size, block = 200;
  return {{threads / block, 1}, {block, 1}, {zeros(threads)}, {scalar(size)}};
}

/// 100,000 photons through a slab: absorption 10/cm, scattering 90/cm, g 0.75, 0.02 cm.
Case photonCase() {
  constexpr float g = 0.75f;
  const float slab[] = {1, 0, 0.02f, 0.01f, 0.1f, 1 - g, 2 * g, 1 - g * g, 1 + g * g, 1 / (2 * g)};
  const auto layers = buffer<float>(30, [&](std::size_t i) {
    return i >= 10 && i < 20 ? slab[i - 10] : i % 10 == 0 ? 1.0f : 0.0f; // air above and below
  });
  return {{64, 1},
          {128, 1},
          {zeros(3), Bytes(20 * 50 * 8), Bytes(50 * 8), Bytes(50 * 8), Bytes(256 * 64), layers},
          {scalar(100000)},
          true};
}

} // namespace

std::map<std::string, std::function<Case()>> cases() {
  return {
      {"lcg", [] { return Case{{1024, 1}, {128, 1}, {zeros(1 << 17)}, {scalar(100)}}; }},
      {"verification",
       [] {
         return Case{{128, 1},
                     {128, 1},
                     {zeros(1 << 14)},
                     {scalar(100), scalar(100), scalar(unsigned(0.25 * (1 << 24)))},
                     true};
       }},
      {"mandelbrot",
       [] {
         return Case{{32, 64}, {32, 8}, {zeros(1 << 19)}, {scalar(1024), scalar(512), scalar(256)}};
       }},
      {"nbody",
       [] {
         constexpr int n = 8192;
         return Case{{n / 256, 1},
                     {256, 1},
                     {zeros(3 * n), floats(n, 1), floats(n, 2), floats(n, 3), floats(n, 4)},
                     {scalar(n)},
                     true};
       }},
      {"saxpy",
       [] {
         constexpr int n = 1 << 23;
         return Case{
             {n / 256, 1}, {256, 1}, {floats(n, 1), floats(n, 2)}, {scalar(1.5f), scalar(n)}, true};
       }},
      {"reduction",
       [] {
         constexpr int n = 1 << 23;
         return Case{{n / 256, 1},
                     {256, 1},
                     {zeros(n / 256), buffer<int>(n, [](std::size_t i) { return int(i % 1000); })},
                     {}};
       }},
      {"transpose",
       [] {
         constexpr int n = 2048;
         return Case{{n / 32, n / 32}, {32, 8}, {zeros(n * n), floats(n * n, 5)}, {scalar(n)}};
       }},
      {"matmul",
       [] {
         constexpr int n = 512;
         return Case{{n / 16, n / 16},
                     {16, 16},
                     {zeros(n * n), floats(n * n, 6), floats(n * n, 7)},
                     {scalar(n)},
                     true};
       }},
      {"histogram",
       [] {
         constexpr int n = 1 << 22;
         SplitMix64 random(8);
         return Case{{n / 256 / 16, 1},
                     {256, 1},
                     {zeros(256),
                      buffer<unsigned>(n, [&](std::size_t) { return unsigned(random.next()); })},
                     {scalar(16)}};
       }},
      {"photon", photonCase},
      {"graph", graphCase},
      {"state_machine", stateMachineCase},
      {"interpreter", interpreterCase},
      {"backtracking", backtrackingCase},
      {"hash_probe", hashProbeCase},
      {"walk", [] { return Case{{256, 1}, {128, 1}, {zeros(1 << 15)}, {scalar(40)}}; }},
      {"small_blocks",
       [] {
         constexpr int n = 1 << 18;
         SplitMix64 random(24);
         return Case{
             {n / 4, 1},
             {4, 1},
             {zeros(n), buffer<unsigned>(n, [&](std::size_t) { return unsigned(random.next()); })},
             {scalar(64)}};
       }},
      {"half",
       [] {
         constexpr int n = 1 << 18;
         SplitMix64 random(31);
         const auto halves = buffer<std::uint16_t>(n, [&](std::size_t i) { // from 0.5 to 1
           return std::uint16_t(i == 0 ? 0x3800 : 0x3800 | (random.next() & 0x3ff));
         });
         return Case{{n / 256, 1}, {256, 1}, {Bytes(n * 2), halves}, {scalar(64)}};
       }},
      {"texture",
       [] {
         constexpr int size = 1024;
         Case made{{size / 32, size / 8},
                   {32, 8},
                   {zeros(size * size), floats(std::size_t{size} * size, 32)},
                   {scalar(size)},
                   true};
         made.textureSize = size;
         return made;
       }},
      {"mma",
       [] {
         constexpr int size = 256, tiles = size / 16;
         const auto matrix = [](std::uint64_t seed) { // small integers: all sums are exact
           SplitMix64 random(seed);
           constexpr std::uint16_t numbers[] = {0x0000, 0x3c00, 0x4000, 0x4200};
           return buffer<std::uint16_t>(std::size_t{size} * size, [&](std::size_t) {
             return numbers[random.next() % std::size(numbers)];
           });
         };
         return Case{{tiles * tiles / 4, 1},
                     {128, 1},
                     {zeros(size * size), matrix(33), matrix(34)},
                     {scalar(size)},
                     true};
       }},
      {"idle_warps",
       [] {
         constexpr int warps = 4000;
         return Case{{warps / 8, 1},
                     {256, 1},
                     {zeros(warps * 32),
                      buffer<unsigned>(
                          warps, [](std::size_t i) { return unsigned(i % 500 == 7 ? 1 : 0); })},
                     {scalar(200)}};
       }},
      {"idle_lanes", [] { return Case{{256, 1}, {256, 1}, {zeros(1 << 16)}, {scalar(2000)}}; }},
  };
}

engine::LaunchRequest requestOf(const engine::CompiledKernel& kernel, Case& data,
                                engine::DeviceMemory& memory) {
  engine::LaunchRequest request;
  request.grid = {data.grid.x, data.grid.y, 1};
  request.block = {data.block.x, data.block.y, 1};
  request.arguments.resize(kernel.argumentSize());
  std::size_t argument = 0;
  for (Bytes& bytes : data.buffers) {
    memory.add(bytes.data(), bytes.size(), "buffer");
    const std::byte* pointer = bytes.data();
    std::memcpy(request.arguments.data() + kernel.argumentOffsets()[argument++], &pointer,
                sizeof pointer);
  }
  for (const Bytes& bytes : data.scalars)
    std::memcpy(request.arguments.data() + kernel.argumentOffsets()[argument++], bytes.data(),
                bytes.size());
  if (data.textureSize > 0) {
    engine::Texture texture;
    texture.data = data.buffers.at(1).data();
    texture.size = {data.textureSize, data.textureSize, 1};
    texture.pitch = std::size_t(data.textureSize) * sizeof(float);
    texture.slice = texture.pitch * std::size_t(data.textureSize);
    texture.linear = true;
    const std::uint64_t object = engine::TextureTable::instance().add(texture);
    std::memcpy(request.arguments.data() + kernel.argumentOffsets()[argument], &object,
                sizeof object);
  }
  return request;
}

void die(const std::string& message) {
  std::fprintf(stderr, "heddle: error: %s\n", message.c_str());
  std::exit(2);
}

} // namespace heddle::bench
