// SPDX-License-Identifier: Apache-2.0
//
// What a kernel finds in the caches when it begins: how long loads of one thread take, one after the other, in memory that was copied from
// the host, set, written or read by a kernel, or never touched; and with a second argument the same memory read by a whole grid, to be
// timed by Nsight Compute:
//
//   nvcc -O3 -std=c++17 -arch=native bench/cuda/device_cold.cu -o device_cold && ./device_cold
//   ncu --cache-control none --clock-control none --metrics gpu__time_duration.sum,dram__sectors_read.sum ./device_cold grid
#include "device.cuh"

namespace {

constexpr std::size_t words = 4 << 20; // 16 MiB
constexpr int steps = 256;

// One thread: the cycles of each of `steps` loads, `stride` words apart, each address needing the value before.
__global__ void chase(const int* in, int stride, long long* cycles, int* sink) {
  int at = 0, nothing = 0;
  for (int i = 0; i < steps; ++i) {
    const long long begin = clock64();
    const int value = __ldcg(in + at + nothing);
    asm volatile("and.b32 %0, %1, 0;" : "=r"(nothing) : "r"(value)); // waits for the value
    cycles[i] = clock64() - begin;
    at += stride;
  }
  *sink = nothing;
}

__global__ void fill(int* out, int value) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void take(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] == 77)
    out[i] = 1;
}

void report(const char* what, const int* memory, int stride) {
  static auto* cycles = device::array<long long>(steps);
  static auto* sink = device::array<int>(1);
  std::vector<long long> took(steps);
  for (const char* pass : {"first", "again"}) {
    chase<<<1, 1>>>(memory, stride, cycles, sink);
    CHECK(cudaMemcpy(took.data(), cycles, steps * sizeof(long long), cudaMemcpyDeviceToHost));
    std::sort(took.begin(), took.end());
    std::printf("%-28s stride %6zu B  %s: median %lld, 10th %lld, 90th %lld, longest %lld\n", what,
                stride * sizeof(int), pass, took[steps / 2], took[steps / 10], took[steps * 9 / 10],
                took[steps - 1]);
  }
}

} // namespace

int main(int argc, char**) {
  std::vector<int> host(words, 1);
  auto* warm = device::array<int>(words);
  fill<<<words / 256, 256>>>(warm, 0);
  if (argc > 1) {
    for (const int megabytes : {1, 4, 16}) {
      const std::size_t n = megabytes << 18;
      for (int fresh = 0; fresh < 2; ++fresh) {
        auto* copied = device::array<int>(n);
        CHECK(cudaMemcpy(copied, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));
        take<<<n / 256, 256>>>(copied, warm);
        take<<<n / 256, 256>>>(copied, warm);
      }
      auto* written = device::array<int>(n);
      fill<<<n / 256, 256>>>(written, 0);
      take<<<n / 256, 256>>>(written, warm);
    }
    CHECK(cudaDeviceSynchronize());
    return 0;
  }
  report("warm up", warm, 32);
  for (const int stride : {32, 1024, 16384}) { // 128 B, 4 KiB, 64 KiB
    auto* copied = device::array<int>(words);
    CHECK(cudaMemcpy(copied, host.data(), words * sizeof(int), cudaMemcpyHostToDevice));
    report("copied from the host", copied, stride);
    auto* small = device::array<int>(words);
    for (int i = 0; i < steps; ++i)
      CHECK(cudaMemcpy(small + std::size_t(i) * stride, host.data(), 4, cudaMemcpyHostToDevice));
    report("copied by words", small, stride);
    auto* set = device::array<int>(words);
    CHECK(cudaMemset(set, 0, words * sizeof(int)));
    report("set", set, stride);
    auto* written = device::array<int>(words);
    fill<<<words / 256, 256>>>(written, 0);
    report("written by a kernel", written, stride);
    int* untouched = nullptr;
    CHECK(cudaMalloc(&untouched, words * sizeof(int)));
    report("never touched", untouched, stride);
  }
  return 0;
}
