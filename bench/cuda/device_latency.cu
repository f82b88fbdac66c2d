// SPDX-License-Identifier: Apache-2.0
//
// What a load takes that hits, with the arithmetic of its address and without: chains of loads of one warp.
// Needs nothing but nvcc:
//
//   nvcc -O3 -std=c++17 -arch=native bench/cuda/device_latency.cu -o device_latency && ./device_latency
#include "device.cuh"

namespace {

constexpr int turns = 1024;

/// Each place holds the address of the next.
__global__ void pointers(void** place, long long* cycles, void** sink) {
  for (int repeat = 0; repeat < 2; ++repeat) { // the second time it is in the L1
    void** at = place;
    device::Stopwatch watch{cycles};
    watch.start();
#pragma unroll 16
    for (int i = 0; i < turns; ++i)
      at = static_cast<void**>(*at);
    watch.stop();
    *sink = at;
  }
}
__global__ void linkUp(void** place, int count) {
  for (int i = 0; i < count; ++i)
    place[i] = place + (i + 17) % count;
}

/// Each place holds the index of the next.
__global__ void indices(const int* data, long long* cycles, int* sink) {
  for (int repeat = 0; repeat < 2; ++repeat) {
    int at = threadIdx.x;
    device::Stopwatch watch{cycles};
    watch.start();
#pragma unroll 16
    for (int i = 0; i < turns; ++i)
      at = data[at];
    watch.stop();
    sink[threadIdx.x] = at;
  }
}

/// Bytes from the begin of an array of the thread.
__global__ void onTheStack(const int* zeros, long long* cycles, int* sink) {
  int data[64];
  for (int i = 0; i < 64; ++i)
    data[i] = zeros[i];
  int at = zeros[0];
  device::Stopwatch watch{cycles};
  watch.start();
#pragma unroll 16
  for (int i = 0; i < turns; ++i)
    at = *reinterpret_cast<int*>(reinterpret_cast<char*>(data) + at);
  watch.stop();
  sink[threadIdx.x] = at;
}

__global__ void inShared(long long* cycles, unsigned* sink) {
  __shared__ unsigned data[256];
  const auto begin = unsigned(__cvta_generic_to_shared(data));
  for (int i = threadIdx.x; i < 256; i += 32)
    data[i] = begin + (i * 4 + 128) % 1024;
  unsigned at = begin + threadIdx.x * 4;
  device::Stopwatch watch{cycles};
  watch.start();
#pragma unroll 16
  for (int i = 0; i < turns; ++i)
    asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
  watch.stop();
  sink[threadIdx.x] = at;
}

template <class Launch> void report(const char* what, Launch launch) {
  std::printf("%-28s %6.1f cycles\n", what, device::cyclesOf(launch) / turns);
}

} // namespace

int main() {
  auto* places = device::array<void*>(256);
  auto* sink = device::array<void*>(64);
  auto* zeros = device::array<int>(1024);
  linkUp<<<1, 1>>>(places, 256);
  report("pointers, in the L1", [&](long long* cycles) { pointers<<<1, 1>>>(places, cycles, sink); });
  report("indices, in the L1", [&](long long* cycles) { indices<<<1, 32>>>(zeros, cycles, reinterpret_cast<int*>(sink)); });
  report("bytes, on the stack", [&](long long* cycles) { onTheStack<<<1, 32>>>(zeros, cycles, reinterpret_cast<int*>(sink)); });
  report("addresses, in shared memory",
         [&](long long* cycles) { inShared<<<1, 32>>>(cycles, reinterpret_cast<unsigned*>(sink)); });
}
