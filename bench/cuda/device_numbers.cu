// SPDX-License-Identifier: Apache-2.0
//
// Measures the numbers that devices/*.json holds for a GPU: latencies in cycles, lanes per cycle of a
// multiprocessor, launch overhead. Prints one JSON object. Needs nothing but nvcc:
//
//   nvcc -O3 -std=c++17 -arch=native bench/cuda/device_numbers.cu -o device_numbers && ./device_numbers
//
// What branches, votes and barriers cost: device_control.cu; memory and launches: device_memory.cu.
//
// Latency: one warp runs a chain in which every instruction needs the one before. Rate: 32 warps on one
// multiprocessor run eight chains each, so that the units, not the latency, are the limit.
#include "device.cuh"

#include <chrono>
#include <cstdint>
#include <numeric>
#include <random>

namespace {

using device::median;

struct Fma32 {
  using Value = float;
  static __device__ void apply(float& x) { asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x)); }
};
struct Fma64 {
  using Value = double;
  static __device__ void apply(double& x) { asm volatile("fma.rn.f64 %0, %0, %0, %0;" : "+d"(x)); }
};
struct Integer { // an exclusive or and an add: two adds alone would be merged
  using Value = int;
  static __device__ void apply(int& x) {
    int y;
    asm volatile("xor.b32 %0, %1, 1234567;" : "=r"(y) : "r"(x));
    asm volatile("add.s32 %0, %0, %1;" : "+r"(x) : "r"(y));
  }
};
struct Multiply32 {
  using Value = int;
  static __device__ void apply(int& x) { asm volatile("mad.lo.s32 %0, %0, %0, %0;" : "+r"(x)); }
};
struct Shift32 {
  using Value = int;
  static __device__ void apply(int& x) { asm volatile("shf.l.wrap.b32 %0, %0, %0, 7;" : "+r"(x)); }
};
struct Special {
  using Value = float;
  static __device__ void apply(float& x) { asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x)); }
};
struct Convert { // two conversions: there and back
  using Value = int;
  static __device__ void apply(int& x) {
    float y;
    asm volatile("cvt.rn.f32.s32 %0, %1;" : "=f"(y) : "r"(x));
    asm volatile("cvt.rzi.s32.f32 %0, %1;" : "=r"(x) : "f"(y));
  }
};

struct Minimum { // and an add: minima alone would be merged
  using Value = int;
  static __device__ void apply(int& x) {
    int y;
    asm volatile("min.s32 %0, %1, 1234567;" : "=r"(y) : "r"(x));
    asm volatile("mad.lo.s32 %0, %0, %1, %1;" : "+r"(x) : "r"(y));
  }
};
struct Choice { // a comparison, a selection by its outcome, and a multiply-add
  using Value = int;
  static __device__ void apply(int& x) {
    asm volatile("{ .reg .pred p; setp.lt.s32 p, %0, 1234567; selp.b32 %0, %0, 77, p; }" : "+r"(x));
    asm volatile("mad.lo.s32 %0, %0, %0, %0;" : "+r"(x));
  }
};
struct Population {
  using Value = int;
  static __device__ void apply(int& x) { asm volatile("popc.b32 %0, %0;" : "+r"(x)); }
};
struct FirstBit {
  using Value = int;
  static __device__ void apply(int& x) { asm volatile("bfind.u32 %0, %0;" : "+r"(x)); }
};
struct Reciprocal { // and an add: a reciprocal of a reciprocal would be left out
  using Value = float;
  static __device__ void apply(float& x) {
    asm volatile("rcp.approx.ftz.f32 %0, %0;" : "+f"(x));
    asm volatile("add.f32 %0, %0, 0f3F800000;" : "+f"(x));
  }
};
struct Sine { // with the product that brings its argument into range
  using Value = float;
  static __device__ void apply(float& x) { asm volatile("sin.approx.ftz.f32 %0, %0;" : "+f"(x)); }
};
constexpr int unrolled = 64;
constexpr int rounds = 64;

/// `Chains` independent chains of unrolled * rounds instructions; the cycles the block took.
template <class Op, int Chains>
__global__ void chains(typename Op::Value* sink, long long* cycles, typename Op::Value start) {
  typename Op::Value x[Chains];
  for (int c = 0; c < Chains; ++c)
    x[c] = start + static_cast<typename Op::Value>(c + threadIdx.x);
  device::Stopwatch watch{cycles};
  watch.start();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < unrolled / Chains; ++i)
#pragma unroll
      for (int c = 0; c < Chains; ++c)
        Op::apply(x[c]);
  watch.stop();
  typename Op::Value sum = 0;
  for (int c = 0; c < Chains; ++c)
    sum += x[c];
  sink[threadIdx.x] = sum;
}

template <class Op, int Chains> double cyclesOf(int threads) {
  auto* sink = device::array<typename Op::Value>(1024);
  const double cycles = device::cyclesOf(
      [&](long long* place) { chains<Op, Chains><<<1, threads>>>(sink, place, 1); });
  CHECK(cudaFree(sink));
  return cycles;
}

template <class Op> double latencyOf() { return cyclesOf<Op, 1>(32) / (unrolled * rounds); }
template <class Op> double lanesPerCycle() {
  return 1024.0 * unrolled * rounds / cyclesOf<Op, 8>(1024);
}

/// Follows a ring of indices; the mean cycles of a step after a first lap that warms the caches.
template <bool Shared>
__global__ void chase(const std::uint32_t* ring, std::uint32_t count, std::uint32_t steps,
                      std::uint32_t* sink, long long* cycles) {
  extern __shared__ std::uint32_t local[];
  if (Shared)
    for (std::uint32_t i = 0; i < count; ++i)
      local[i] = ring[i];
  const std::uint32_t* place = Shared ? local : ring;
  std::uint32_t at = 0;
  const std::uint32_t warmUp = count / (Shared ? 1 : 32) + 1;
  for (std::uint32_t i = 0; i < warmUp; ++i)
    at = place[at];
  const long long begin = clock64();
  for (std::uint32_t i = 0; i < steps; ++i)
    at = place[at];
  const long long end = clock64();
  *sink = at;
  *cycles = end - begin;
}

/// A random ring over `bytes` of memory with one index per `stride` words.
double chaseLatency(std::size_t bytes, std::uint32_t stride, bool shared) {
  const std::size_t words = bytes / sizeof(std::uint32_t);
  std::vector<std::uint32_t> order(words / stride), ring(words, 0);
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), std::mt19937(1));
  for (std::size_t i = 0; i < order.size(); ++i)
    ring[order[i] * stride] = order[(i + 1) % order.size()] * stride;
  auto* device = device::array<std::uint32_t>(words);
  auto* sink = device::array<std::uint32_t>(1);
  auto* cycles = device::array<long long>(1);
  CHECK(cudaMemcpy(device, ring.data(), bytes, cudaMemcpyHostToDevice));
  constexpr std::uint32_t steps = 4096;
  std::vector<long long> samples;
  for (int repeat = 0; repeat < 7; ++repeat) {
    const auto count = static_cast<std::uint32_t>(words);
    if (shared)
      chase<true><<<1, 1, bytes>>>(device, count, steps, sink, cycles);
    else
      chase<false><<<1, 1>>>(device, count, steps, sink, cycles);
    long long found = 0;
    CHECK(cudaMemcpy(&found, cycles, sizeof found, cudaMemcpyDeviceToHost));
    samples.push_back(found);
  }
  CHECK(cudaFree(device));
  CHECK(cudaFree(sink));
  CHECK(cudaFree(cycles));
  return double(median(samples)) / steps;
}

__global__ void empty() {}

/// Microseconds between the starts of what the host puts into the stream one after the other.
template <class Start> double microsecondsBetween(Start start) {
  constexpr int launches = 2000;
  std::vector<double> samples;
  for (int repeat = 0; repeat < 7; ++repeat) {
    CHECK(cudaDeviceSynchronize());
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < launches; ++i)
      start();
    CHECK(cudaDeviceSynchronize());
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    samples.push_back(took.count() / launches);
  }
  return median(samples);
}

__global__ void spin(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

double copyMicroseconds() {
  constexpr std::size_t bytes = 1024;
  char* memory = nullptr;
  CHECK(cudaMalloc(&memory, 2 * bytes));
  const double found = microsecondsBetween(
      [&] { CHECK(cudaMemcpyAsync(memory, memory + bytes, bytes, cudaMemcpyDeviceToDevice)); });
  CHECK(cudaFree(memory));
  return found;
}

/// Microseconds from the end of a kernel to the start of the next one, which has been waiting.
double gapMicroseconds() {
  constexpr int launches = 100;
  constexpr long long shortSpin = 10000;
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  std::vector<double> samples;
  for (int repeat = 0; repeat < 7; ++repeat) {
    float milliseconds[2];
    for (const int factor : {1, 2}) { // as many cycles, in half as many kernels
      spin<<<1, 32>>>(2000000);       // meanwhile all others arrive
      CHECK(cudaEventRecord(begin));
      for (int i = 0; i < launches / factor; ++i)
        spin<<<1, 32>>>(factor * shortSpin);
      CHECK(cudaEventRecord(end));
      CHECK(cudaEventSynchronize(end));
      CHECK(cudaEventElapsedTime(&milliseconds[factor - 1], begin, end));
    }
    samples.push_back(1e3 * (milliseconds[0] - milliseconds[1]) / (launches / 2));
  }
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  return median(samples);
}

} // namespace

int main() {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf("{\n  \"gpu\": \"%s\", \"computeCapability\": \"%d.%d\", \"multiprocessors\": %d,\n",
              properties.name, properties.major, properties.minor, properties.multiProcessorCount);
  std::printf("  \"sizeMiB\": %zu, \"l2KiB\": %d,\n", properties.totalGlobalMem >> 20,
              properties.l2CacheSize >> 10);
  std::printf("  \"latencyCycles\": { \"arithmetic\": %.2f, \"special\": %.2f, \"int32\": %.2f, "
              "\"intMultiply\": %.2f, \"fp64\": %.2f,\n",
              latencyOf<Fma32>(), latencyOf<Special>(), latencyOf<Integer>() / 2, latencyOf<Multiply32>(),
              latencyOf<Fma64>());
  std::printf("    \"choiceAndMultiply\": %.2f, \"minimumAndMultiply\": %.2f, \"population\": %.2f, "
              "\"firstBit\": %.2f, \"thereAndBack\": %.2f, \"sine\": %.2f,\n",
              latencyOf<Choice>(), latencyOf<Minimum>(), latencyOf<Population>(), latencyOf<FirstBit>(),
              latencyOf<Convert>(), latencyOf<Sine>());
  std::printf("    \"shared\": %.1f, \"l1\": %.1f, \"l2\": %.1f, \"global\": %.1f },\n",
              chaseLatency(16 << 10, 1, true), chaseLatency(32 << 10, 32, false),
              chaseLatency(16 << 20, 32, false), chaseLatency(std::size_t{2} << 30, 1024, false));
  std::printf("  \"lanesPerCycle\": { \"fp32\": %.1f, \"fp64\": %.1f, \"int32\": %.1f, "
              "\"intMultiply\": %.1f, \"shift\": %.1f, \"special\": %.1f, \"convert\": %.1f,\n",
              lanesPerCycle<Fma32>(), lanesPerCycle<Fma64>(), 2 * lanesPerCycle<Integer>(),
              lanesPerCycle<Multiply32>(), lanesPerCycle<Shift32>(), lanesPerCycle<Special>(),
              2 * lanesPerCycle<Convert>());
  std::printf("    \"choiceAndMultiply\": %.1f, \"minimumAndMultiply\": %.1f, \"population\": %.1f, "
              "\"firstBit\": %.1f, \"reciprocal\": %.1f, \"sine\": %.1f },\n",
              lanesPerCycle<Choice>(), lanesPerCycle<Minimum>(), lanesPerCycle<Population>(),
              lanesPerCycle<FirstBit>(), lanesPerCycle<Reciprocal>(), lanesPerCycle<Sine>());
  std::printf("  \"launch\": { \"overheadMicroseconds\": %.2f, \"gapMicroseconds\": %.2f, "
              "\"copyOverheadMicroseconds\": %.2f }\n}\n",
              microsecondsBetween([] { empty<<<1, 32>>>(); }), gapMicroseconds(),
              copyMicroseconds());
  return 0;
}
