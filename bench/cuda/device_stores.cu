// SPDX-License-Identifier: Apache-2.0
//
// What a load takes of data that the same thread has stored before: whether a store leaves its line in the L1.
// Needs nothing but nvcc:
//
//   nvcc -O3 -std=c++17 -arch=native bench/cuda/device_stores.cu -o device_stores && ./device_stores
#include "device.cuh"

namespace {

constexpr int turns = 64, lines = 256;

enum class Before { Nothing, Load, Store, LoadAndStore };

/// A chain of loads, a line a turn. What was done with the line `distance` turns before it is loaded, or a turn
/// after the whole array was touched where that is 0.
__global__ void chain(Before before, int distance, int* data, long long* cycles, int* sink) {
  const int lane = threadIdx.x % 32;
  int sum = 0;
  const auto touch = [&](int line) {
    int* at = data + line * 32 + lane;
    if (before == Before::Load || before == Before::LoadAndStore)
      sum += *at;
    if (before == Before::Store || before == Before::LoadAndStore)
      *at = sum & 0;
  };
  for (int line = 0; line < (distance == 0 ? turns : distance); ++line)
    touch(line);
  device::Stopwatch watch{cycles};
  watch.start();
  int at = sum & 0;
  for (int i = 0; i < turns; ++i) {
    at = data[(i + at) * 32 + lane];
    if (distance > 0)
      touch(i + distance + at);
  }
  watch.stop();
  if (sum + at == 1234567)
    *sink = at;
}

} // namespace

int main() {
  auto* data = device::array<int>(lines * 32);
  auto* sink = device::array<int>(1);
  const char* const names[] = {"nothing", "a load", "a store", "a load and a store"};
  for (int before = 0; before < 4; ++before)
    for (const int distance : {0, 1, 4, 16, 64})
      std::printf("load, %2d turns after %-20s %7.1f cycles\n", distance, names[before],
                  device::cyclesOf([&](long long* cycles) { chain<<<1, 32>>>(Before(before), distance, data, cycles, sink); }) /
                      turns);
}
