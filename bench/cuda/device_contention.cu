// SPDX-License-Identifier: Apache-2.0
//
// What lanes and warps take that want the same thing: loads from constant memory whose lanes ask for different words,
// shared memory with a stride, atomics of all warps on a few addresses, and values that the thread itself has just written.
// Needs nothing but nvcc:
//
//   nvcc -O3 -std=c++17 -arch=native bench/cuda/device_contention.cu -o device_contention && ./device_contention
#include "device.cuh"

namespace {

__constant__ int words[1024];
__constant__ long long pairs[1024];

constexpr int turns = 256;

/// A chain of loads from constant memory, of lanes that ask for `distinct` words.
template <class T>
__device__ T chainOf(const T (&table)[1024], int distinct, device::Stopwatch watch) {
  T at = threadIdx.x % distinct * (32 / sizeof(T) + 1);
  watch.start();
  for (int i = 0; i < turns; ++i)
    at += table[at & 1023];
  watch.stop();
  return at;
}
__global__ void constantWords(int distinct, long long* cycles, long long* sink) {
  *sink = chainOf(words, distinct, {cycles});
}
__global__ void constantPairs(int distinct, long long* cycles, long long* sink) {
  *sink = chainOf(pairs, distinct, {cycles});
}

/// Loads and stores of shared memory, `stride` words apart.
__global__ void sharedStride(int stride, long long* cycles, long long* sink) {
  extern __shared__ int place[];
  for (int i = threadIdx.x; i < 32 * 33; i += blockDim.x)
    place[i] = 0;
  int at = threadIdx.x % 32 * stride;
  device::Stopwatch watch{cycles};
  watch.start();
  for (int i = 0; i < turns; ++i) {
    at += place[at];
    place[at] = 0;
  }
  watch.stop();
  *sink = at;
}

/// A thread reads what it wrote in the turn before, and what it wrote long ago.
__global__ void readBack(int* memory, int apart, bool writes, long long* cycles, long long* sink) {
  device::Stopwatch watch{cycles};
  int value = 0, at = threadIdx.x;
  for (int i = 0; i < turns; ++i)
    value += memory[at + i * apart];
  watch.start();
  for (int i = 0; i < turns; ++i) {
    if (writes)
      memory[at + i * apart] = value & 1;
    value += memory[at + i * apart];
  }
  watch.stop();
  *sink = value;
}

enum class How { OneLaneReturns, OneLane, AllLanesOneWord, AllLanesOneLine };

/// Each warp adds `count` times.
__global__ void add(How how, int* counters, int apart, int count, long long* sink) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  int* mine = counters + warp % apart * 32, sum = 0;
  for (int i = 0; i < count; ++i)
    switch (how) {
    case How::OneLaneReturns:
      if (lane == 0)
        sum += atomicAdd(mine, 1 + (sum & 1));
      break;
    case How::OneLane:
      if (lane == 0)
        atomicAdd(mine, i + 1);
      break;
    case How::AllLanesOneWord:
      sum += atomicAdd(mine, lane + i);
      break;
    case How::AllLanesOneLine:
      sum += atomicAdd(mine + lane, i);
      break;
    }
  if (sum == -1)
    *sink = sum;
}

} // namespace

int main() {
  auto* sink = device::array<long long>(1);
  for (const int warps : {1, 8, 32})
    for (const int distinct : {1, 2, 4, 8, 16, 32}) {
      const auto each = [&](auto kernel) {
        return device::cyclesOf([&](long long* cycles) { kernel<<<1, 32 * warps>>>(distinct, cycles, sink); }) / turns;
      };
      std::printf("constant, %2d warps, %2d distinct: %7.1f cycles a load of 4 bytes, %7.1f of 8\n", warps, distinct,
                  each(constantWords), each(constantPairs));
    }
  for (const int warps : {1, 8, 32})
    for (const int stride : {1, 2, 4, 8, 16, 32})
      std::printf("shared, %2d warps, stride %2d: %7.1f cycles a load and a store\n", warps, stride,
                  device::cyclesOf([&](long long* cycles) {
                    sharedStride<<<1, 32 * warps, 33 * 32 * sizeof(int)>>>(stride, cycles, sink);
                  }) / turns);
  auto* memory = device::array<int>(4 << 20);
  for (const int warps : {1, 2, 8})
    for (const bool writes : {false, true})
      for (const int apart : {0, 256, 2048})
        std::printf("read back, %d warps, %s, %5d words on: %7.1f cycles a turn\n", warps,
                    writes ? "after a store" : "without one", apart,
                    device::cyclesOf([&](long long* cycles) {
                      readBack<<<1, 32 * warps>>>(memory, apart, writes, cycles, sink);
                    }) / turns);
  const char* const names[] = {"one lane, returns", "one lane", "all lanes, one word", "all lanes, one line"};
  for (int how = 0; how < 4; ++how)
    for (const int apart : {1, 4, 32, 1024}) {
      const auto time = [&](int count) {
        return device::microsecondsOf([&] { add<<<264, 256>>>(How(how), memory, apart, count, sink); });
      };
      constexpr int few = 4, many = 20, warps = 264 * 8;
      std::printf("atomics, %-20s %4d lines: %8.3f ns each warp's\n", names[how], apart,
                  1000 * (time(many) - time(few)) / (many - few) / warps);
    }
  return 0;
}
