// SPDX-License-Identifier: Apache-2.0
//
// What the first load of a line takes after it was written, by a copy or by a kernel, and how much of its neighbourhood it
// brings: chains of loads of one warp.
// Needs nothing but nvcc:
//
//   nvcc -O3 -std=c++17 -arch=native bench/cuda/device_copied.cu -o device_copied && ./device_copied
#include "device.cuh"

namespace {

constexpr int turns = 63;

/// Each load tells where the next one is: `step` words behind it. Lanes are `apart` words from each other.
__global__ void chain(const int* data, int step, int apart, long long* cycles, int* sink) {
  int at = threadIdx.x % 32 * apart;
  device::Stopwatch watch{cycles};
  watch.start();
  for (int i = 0; i < turns; ++i)
    at = data[at] + step;
  watch.stop();
  sink[threadIdx.x] = at;
}

__global__ void number(int* data, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    data[i] = i;
}

struct Chain {
  int step, apart, warps;
};

/// Cycles of a load, in the first launch that reads the data.
double firstOf(const Chain& which, int words, bool copied, long long* cycles, int* sink) {
  auto* data = device::array<int>(std::size_t(words));
  std::vector<int> numbers(static_cast<std::size_t>(words));
  for (int i = 0; i < words; ++i)
    numbers[std::size_t(i)] = i;
  if (copied)
    CHECK(cudaMemcpy(data, numbers.data(), numbers.size() * sizeof(int), cudaMemcpyHostToDevice));
  else
    number<<<(words + 255) / 256, 256>>>(data, words);
  CHECK(cudaDeviceSynchronize());
  chain<<<1, 32 * which.warps>>>(data, which.step, which.apart, cycles, sink);
  long long found = 0;
  CHECK(cudaMemcpy(&found, cycles, sizeof(found), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(data));
  return double(found) / turns;
}

} // namespace

int main() {
  auto* cycles = device::array<long long>(1);
  auto* sink = device::array<int>(1024);
  for (const bool copied : {true, false}) {
    const char* const how = copied ? "copied" : "written by a kernel";
    for (const int kib : {16, 256, 4096, 16384}) {
      const int words = kib * 256, step = words / (turns + 1) / 32 * 32;
      std::printf("%5d KiB %-20s lines far apart:   %6.1f cycles a load\n", kib, how,
                  firstOf({step, 1, 1}, words, copied, cycles, sink));
    }
    for (const int bytes : {4, 8, 16, 32, 64, 96, 128, 256, 512})
      for (const int warps : {1, 8})
        std::printf("%d warps, one word, next one after %3d bytes, %-20s %6.1f cycles a load\n", warps, bytes, how,
                    firstOf({bytes / 4, 0, warps}, 64 * 1024, copied, cycles, sink));
    for (const int bytes : {4, 32, 64, 128})
      std::printf("lanes 4096 bytes apart, next one after %3d bytes, %-20s %6.1f cycles a load\n", bytes, how,
                  firstOf({bytes / 4, 1024, 1}, 64 * 1024, copied, cycles, sink));
  }
}
