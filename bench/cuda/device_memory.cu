// SPDX-License-Identifier: Apache-2.0
//
// Measures what memory and launches cost on a GPU: bytes a cycle from shared memory, L1, L2 and device
// memory, bank conflicts, atomics, the clock, and the time of a launch by its number of blocks. Prints
// one JSON object. Needs nothing but nvcc:
//
//   nvcc -O3 -std=c++17 -arch=native bench/cuda/device_memory.cu -o device_memory && ./device_memory
#include "device.cuh"

#include <cstdint>
#include <string>

namespace {

using device::print;

constexpr int warpLanes = 32;
constexpr int turns = 256;
constexpr int threads = 1024;

/// Four bytes a lane from shared memory, `stride` words from one lane to the next.
template <class Word> __global__ void sharedLoads(Word* sink, long long* cycles, int stride) {
  constexpr int words = 32768 / sizeof(Word);
  __shared__ Word values[words];
  device::Stopwatch watch{cycles};
  for (int i = int(threadIdx.x); i < words; i += int(blockDim.x))
    values[i] = Word{};
  Word sum{};
  const Word* place = &values[threadIdx.x % warpLanes * stride];
  watch.start();
#pragma unroll 1
  for (int turn = 0; turn < turns / 8; ++turn)
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const Word found = *const_cast<const volatile Word*>(place + i);
      sum += found;
    }
  watch.stop();
  sink[threadIdx.x] = sum;
}

enum class Spread { OneEach, OneOfAWarp, OneOfAll };

__device__ int slotOf(Spread spread) {
  const int thread = int(blockIdx.x * blockDim.x + threadIdx.x);
  return spread == Spread::OneEach ? thread : spread == Spread::OneOfAWarp ? thread / warpLanes : 0;
}

template <bool Returns> __global__ void sharedAtomics(int* sink, long long* cycles, Spread spread) {
  __shared__ int counters[threads];
  counters[threadIdx.x] = 0;
  device::Stopwatch watch{cycles};
  const auto address = std::uint32_t(__cvta_generic_to_shared(&counters[slotOf(spread)]));
  int found = 1;
  watch.start();
#pragma unroll 1
  for (int turn = 0; turn < turns; ++turn)
    if (Returns)
      asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(found) : "r"(address), "r"(found));
    else
      asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(address), "r"(found));
  watch.stop();
  sink[threadIdx.x] = counters[threadIdx.x] + found;
}

/// Written in assembly: the compiler would add up the lanes of a warp first.
template <bool Returns> __global__ void globalAtomics(int* counters, Spread spread, int* sink) {
  int* place = counters + slotOf(spread);
  int found = 1;
#pragma unroll 1
  for (int turn = 0; turn < 16; ++turn)
    if (Returns)
      asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(found) : "l"(place), "r"(found));
    else
      asm volatile("red.global.add.u32 [%0], %1;" ::"l"(place), "r"(found));
  if (found == -1)
    *sink = found;
}

/// Every block reads `words` words of 16 bytes, again and again, `Loads` of them in flight a thread.
template <int Loads, bool L1>
__global__ void __launch_bounds__(threads, 2) readsOf16(const uint4* from, std::size_t words, int laps, bool together, uint4* sink) {
  const std::size_t all = together ? words : words / gridDim.x;
  const uint4* begin = from + (together ? 0 : all * blockIdx.x);
  uint4 sum{};
#pragma unroll 1
  for (int lap = 0; lap < laps; ++lap)
#pragma unroll 1
    for (std::size_t at = threadIdx.x; at + (Loads - 1) * blockDim.x < all; at += Loads * blockDim.x) {
      uint4 found[Loads];
#pragma unroll
      for (int i = 0; i < Loads; ++i) {
        const uint4* place = begin + at + std::size_t(i) * blockDim.x;
        if (L1)
          asm volatile("ld.global.ca.v4.u32 {%0,%1,%2,%3}, [%4];"
                       : "=r"(found[i].x), "=r"(found[i].y), "=r"(found[i].z), "=r"(found[i].w)
                       : "l"(place));
        else
          asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];"
                       : "=r"(found[i].x), "=r"(found[i].y), "=r"(found[i].z), "=r"(found[i].w)
                       : "l"(place));
      }
#pragma unroll
      for (int i = 0; i < Loads; ++i)
        sum.x ^= found[i].x ^ found[i].y ^ found[i].z ^ found[i].w;
    }
  if (sum.x == 12345)
    *sink = sum;
}

/// As kernels mostly are: each thread reads one word of four bytes, and writes one if asked.
template <bool Writes> __global__ void oneWordEach(const float* from, float* to) {
  const std::size_t at = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const float found = from[at];
  if (Writes || found == 12345.0f)
    to[at] = found;
}

/// Each load of a chain is 64 MiB from the one before; the cycles of each warp.
__global__ void farLoads(const unsigned* from, unsigned mask, int chain, unsigned* cycles) {
  constexpr unsigned stride = 1u << 24;
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned at = thread;
  const unsigned begin = clock();
  for (int i = 0; i < chain; ++i)
    at += from[at & mask] + stride;
  if (threadIdx.x % warpLanes == 0)
    cycles[thread / warpLanes] = clock() - begin + (at == 1);
}

__global__ void empty() {}

__global__ void spin(long long cycles, long long* ran) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
  *ran = clock64() - begin;
}

double measuredMHz() {
  auto* ran = device::array<long long>(1);
  const double less = device::microsecondsOf([&] { spin<<<1, 1>>>(20'000'000, ran); });
  const double more = device::microsecondsOf([&] { spin<<<1, 1>>>(40'000'000, ran); });
  CHECK(cudaFree(ran));
  return 20e6 / (more - less);
}

template <class Word> double cyclesOfSharedLoad(int stride, int count) {
  auto* sink = device::array<Word>(threads);
  const double cycles = device::cyclesOf(
      [&](long long* place) { sharedLoads<Word><<<1, count>>>(sink, place, stride); });
  CHECK(cudaFree(sink));
  return cycles / turns / (count / warpLanes);
}

void showShared() {
  std::puts("  \"sharedCyclesOfALoad\": {");
  for (const int stride : {1, 2, 4, 8, 16, 32})
    print(("stride" + std::to_string(stride)).c_str(), cyclesOfSharedLoad<float>(stride, threads));
  print("oneWarpStride1", cyclesOfSharedLoad<float>(1, warpLanes));
  print("doubles", cyclesOfSharedLoad<double>(1, threads), "\n  },\n");
}

template <bool Returns> double cyclesOfSharedAtomic(Spread spread, int count) {
  auto* sink = device::array<int>(threads);
  const double cycles = device::cyclesOf(
      [&](long long* place) { sharedAtomics<Returns><<<1, count>>>(sink, place, spread); });
  CHECK(cudaFree(sink));
  return cycles / turns / (count / warpLanes);
}

void showSharedAtomics() {
  std::puts("  \"sharedCyclesOfAnAtomic\": {");
  print("oneEach", cyclesOfSharedAtomic<false>(Spread::OneEach, threads));
  print("oneOfAWarp", cyclesOfSharedAtomic<false>(Spread::OneOfAWarp, threads));
  print("oneOfAll", cyclesOfSharedAtomic<false>(Spread::OneOfAll, threads));
  print("returnsOneEach", cyclesOfSharedAtomic<true>(Spread::OneEach, threads));
  print("returnsOneOfAll", cyclesOfSharedAtomic<true>(Spread::OneOfAll, threads));
  print("latency", cyclesOfSharedAtomic<true>(Spread::OneEach, warpLanes));
  print("latencyOneOfAWarp", cyclesOfSharedAtomic<true>(Spread::OneOfAWarp, warpLanes), "\n  },\n");
}

template <bool Returns> double atomicsOfACycle(Spread spread, int blocks, double mhz) {
  auto* counters = device::array<int>(std::size_t(blocks) * threads);
  const double took = device::microsecondsOf(
      [&] { globalAtomics<Returns><<<blocks, threads>>>(counters, spread, counters); });
  CHECK(cudaFree(counters));
  return 16.0 * blocks * threads / (took * mhz);
}

/// Lanes of the whole device a cycle, and of a single multiprocessor.
void showGlobalAtomics(int multiprocessors, double mhz) {
  const int blocks = 8 * multiprocessors;
  std::puts("  \"globalAtomicLanesACycle\": {");
  print("oneEach", atomicsOfACycle<false>(Spread::OneEach, blocks, mhz));
  print("oneOfAWarp", atomicsOfACycle<false>(Spread::OneOfAWarp, blocks, mhz));
  print("oneOfAll", atomicsOfACycle<false>(Spread::OneOfAll, blocks, mhz));
  print("returnsOneEach", atomicsOfACycle<true>(Spread::OneEach, blocks, mhz));
  print("returnsOneOfAll", atomicsOfACycle<true>(Spread::OneOfAll, blocks, mhz), "\n  },\n");
}

/// Bytes a cycle and multiprocessor.
template <int Loads, bool L1>
double bytesACycle(std::size_t bytes, int laps, int blocks, bool together, int of, double mhz) {
  auto* from = device::array<uint4>(bytes / sizeof(uint4));
  const auto time = [&](int count) {
    return device::microsecondsOf([&] {
      readsOf16<Loads, L1><<<blocks, threads>>>(from, bytes / sizeof(uint4), count, together, from);
    });
  };
  const double took = time(2 * laps) - time(laps);
  CHECK(cudaFree(from));
  return double(bytes) * laps * (together ? blocks : 1) / (took * mhz) / of;
}

void showBandwidth(int multiprocessors, double mhz) {
  constexpr std::size_t kib = 1024, mib = 1024 * kib, gib = 1024 * mib;
  const int all = 2 * multiprocessors;
  std::puts("  \"bytesACycleAndMultiprocessor\": {");
  print("l1", bytesACycle<4, true>(64 * kib, 2000, 1, true, 1, mhz));
  // 64 KiB a block, what its threads ask for at once
  print("l2All", bytesACycle<4, false>(all * 64 * kib, 40, all, false, multiprocessors, mhz));
  print("l2SameAll", bytesACycle<4, false>(2 * mib, 20, all, true, multiprocessors, mhz));
  print("l2One", bytesACycle<4, false>(4 * mib, 20, 1, true, 1, mhz));
  print("l2OneTwoBlocks", bytesACycle<4, false>(4 * mib, 20, 2, false, 1, mhz));
  print("memoryAll", bytesACycle<4, false>(4 * gib, 2, all, false, multiprocessors, mhz));
  print("memoryAllOneLoad", bytesACycle<1, false>(4 * gib, 2, all, false, multiprocessors, mhz));
  print("memoryOne", bytesACycle<4, false>(512 * mib, 1, 1, false, 1, mhz));
  std::puts("    \"note\": \"l2OneTwoBlocks: two blocks on two multiprocessors, together\"\n  },");
}

template <bool Writes> double microsecondsOfWords(std::size_t words) {
  auto* from = device::array<float>(words);
  auto* to = device::array<float>(words);
  const double took = device::microsecondsOf(
      [&] { oneWordEach<Writes><<<unsigned(words / 256), 256>>>(from, to); });
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));
  return took;
}

/// Mean cycles of a load from memory, in blocks of `size` threads on every multiprocessor.
double cyclesFromMemory(int multiprocessors, int size) {
  constexpr std::size_t words = std::size_t{1} << 29;
  constexpr int chain = 16;
  auto* from = device::array<unsigned>(words);
  const std::size_t warps = std::size_t(multiprocessors) * size / warpLanes;
  auto* cycles = device::array<unsigned>(warps);
  constexpr std::size_t further = 1 << 18; // in the same pages, so that the second launch finds those
  for (const unsigned* place : {from, from + further})
    farLoads<<<multiprocessors, size>>>(place, unsigned(words / 2 - 1), chain, cycles);
  std::vector<unsigned> found(warps);
  CHECK(cudaMemcpy(found.data(), cycles, warps * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(from));
  CHECK(cudaFree(cycles));
  double sum = 0;
  for (const unsigned each : found)
    sum += each;
  return sum / double(warps) / chain;
}

void showLatency(int multiprocessors) {
  std::puts("  \"cyclesOfALoadFromMemory\": {");
  for (const int size : {32, 64, 256, 1024})
    print(("warps" + std::to_string(size / warpLanes)).c_str(),
          cyclesFromMemory(multiprocessors, size), size == 1024 ? "\n  },\n" : ",\n");
}

void showWords() {
  std::puts("  \"microsecondsOfAWordEach\": {");
  for (const int log2 : {16, 18, 20, 22, 24, 26, 28}) {
    const std::size_t words = std::size_t{1} << log2;
    print(("read2to" + std::to_string(log2)).c_str(), microsecondsOfWords<false>(words));
    print(("copy2to" + std::to_string(log2)).c_str(), microsecondsOfWords<true>(words),
          log2 == 28 ? "\n  },\n" : ",\n");
  }
}

/// Blocks that do nothing: what a launch takes, and what each further block on a multiprocessor.
void showLaunches(int multiprocessors) {
  std::puts("  \"microsecondsOfEmptyLaunch\": {");
  print("oneBlock", device::microsecondsOf([] { empty<<<1, 32>>>(); }));
  for (const int size : {32, 128, 256, 1024})
    for (const int blocks : {1, 16, 64, 256})
      print(("threads" + std::to_string(size) + "blocks" + std::to_string(blocks)).c_str(),
            device::microsecondsOf([&] { empty<<<blocks * multiprocessors, size>>>(); }),
            size == 1024 && blocks == 256 ? "\n  }\n" : ",\n");
}

} // namespace

int main() {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  const double mhz = measuredMHz();
  std::printf("{\n  \"gpu\": \"%s\", \"MHz\": %.0f,\n", properties.name, mhz);
  showShared();
  showSharedAtomics();
  showGlobalAtomics(properties.multiProcessorCount, mhz);
  showBandwidth(properties.multiProcessorCount, mhz);
  showLatency(properties.multiProcessorCount);
  showWords();
  showLaunches(properties.multiProcessorCount);
  std::puts("}");
  return 0;
}
