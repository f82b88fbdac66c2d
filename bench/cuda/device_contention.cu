// SPDX-License-Identifier: Apache-2.0
//
// What lanes and warps take that want the same thing: loads from constant memory whose lanes ask for different words, and
// atomics of all warps on a few addresses.
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

enum class Who { OneLane, AllLanesOneWord, FourWords, AllLanesOneLine };

/// Each warp adds `count` times, and wants to know what was there or does not.
template <class T, bool Returns>
__global__ void add(Who who, T* counters, int apart, int count, long long* sink) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  T *mine = counters + warp % apart * 32, sum = 0;
  const int words = who == Who::FourWords ? 4 : who == Who::AllLanesOneLine ? 32 : 1;
  if (who == Who::OneLane && lane != 0)
    return;
  for (int i = 0; i < count; ++i)
    if constexpr (Returns)
      sum += atomicAdd(mine + lane % words, T(lane + i));
    else
      atomicAdd(mine + lane % words, T(lane + i));
  if (sum == T(-1))
    *sink = 1;
}

template <class T, bool Returns> void report(const char* what, void* memory, long long* sink) {
  const char* const names[] = {"one lane", "all lanes, one word", "all lanes, four words", "all lanes, one line"};
  for (int who = 0; who < 4; ++who)
    for (const int apart : {1, 4, 32, 1024}) {
      const auto time = [&](int count) {
        return device::microsecondsOf(
            [&] { add<T, Returns><<<264, 256>>>(Who(who), static_cast<T*>(memory), apart, count, sink); });
      };
      constexpr int few = 4, many = 20, warps = 264 * 8;
      std::printf("atomics, %-20s %-22s %4d lines: %8.3f ns each warp's\n", what, names[who], apart,
                  1000 * (time(many) - time(few)) / (many - few) / warps);
    }
}

/// Some lanes of each warp add, lane i to word i % words of one sector or of sectors side by side.
template <class T> __global__ void addSome(int lanes, int words, T* counters, int count) {
  const int lane = threadIdx.x % 32;
  if (lane < lanes)
    for (int i = 0; i < count; ++i)
      atomicAdd(counters + lane % words, T(lane + i));
}

/// One lane of each warp adds to a word that all want, all lanes to some of many lines `others` times.
__global__ void addToOneAndMany(int others, unsigned long long* hot, unsigned long long* many, int count) {
  const int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  for (int i = 0; i < count; ++i) {
    if (lane == 0)
      atomicAdd(hot, 1ull + i);
    for (int j = 0; j < others; ++j)
      atomicAdd(many + ((warp * 37 + i * 11 + j * 101 + lane * 29) % 1024) * 16, 1ull + i);
  }
}

/// The time of one turn of all warps, by the warp.
template <class Launch> double nanosecondsOfATurn(Launch launch) {
  constexpr int few = 4, many = 20, warps = 264 * 8;
  const auto time = [&](int count) { return device::microsecondsOf([&] { launch(count); }); };
  return 1000 * (time(many) - time(few)) / (many - few) / warps;
}

template <class T> void reportSome(const char* what, T* counters) {
  for (const int lanes : {1, 2, 4, 8, 16, 32})
    for (const int words : {1, 2, 4, 8, 16, 32})
      if (words <= lanes)
        std::printf("atomics, %-20s %2d lanes, %2d words: %8.3f ns each warp's\n", what, lanes, words,
                    nanosecondsOfATurn([&](int count) { addSome<<<264, 256>>>(lanes, words, counters, count); }));
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
  auto* memory = device::array<int>(4 << 20);
  report<int, true>("int, returned", memory, sink);
  report<int, false>("int", memory, sink);
  report<float, true>("float, returned", memory, sink);
  report<float, false>("float", memory, sink);
  reportSome("int", memory);
  reportSome("long long", reinterpret_cast<unsigned long long*>(memory));
  reportSome("float", reinterpret_cast<float*>(memory));
  reportSome("double", reinterpret_cast<double*>(memory));
  auto* hot = reinterpret_cast<unsigned long long*>(memory);
  for (const int others : {0, 1, 2, 4, 8})
    std::printf("atomics, long long, one hot word and %d times 32 of 1024 lines: %8.3f ns each warp's\n", others,
                nanosecondsOfATurn([&](int count) { addToOneAndMany<<<264, 256>>>(others, hot, hot + 64, count); }));
  return 0;
}
