// SPDX-License-Identifier: Apache-2.0
//
// Whose turn it is: how long warps of one scheduler take that are in each other's way. Fair turns would end all of them
// together; the oldest first ends them one after the other.
// Needs nothing but nvcc:
//
//   nvcc -O3 -std=c++17 -arch=native bench/cuda/device_turns.cu -o device_turns && ./device_turns
#include "device.cuh"

#include <initializer_list>

namespace {

constexpr int turns = 2048;

/// `chains` chains of multiply-adds a thread: a warp issues that many instructions every 4 cycles, if it may.
template <int chains> __global__ void multiply(long long* ends, float* sink) {
  float sums[chains];
  for (int i = 0; i < chains; ++i)
    sums[i] = float(threadIdx.x + i);
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int turn = 0; turn < turns / 32; ++turn)
#pragma unroll
    for (int step = 0; step < 32; ++step)
      for (int i = 0; i < chains; ++i)
        sums[i] = sums[i] * 1.0001f + 0.5f;
  const long long end = clock64();
  float sum = 0;
  for (int i = 0; i < chains; ++i)
    sum += sums[i];
  if (threadIdx.x % 32 == 0)
    ends[threadIdx.x / 32] = end - begin;
  if (sum == 1.2345f)
    *sink = sum;
}

template <int chains> void report() {
  auto* ends = device::array<long long>(32);
  auto* sink = device::array<float>(1);
  for (const int warps : {1, 2, 4, 5, 6, 7, 8}) { // of each of four schedulers
    for (int repeat = 0; repeat < 2; ++repeat)
      multiply<chains><<<1, 128 * warps>>>(ends, sink);
    std::vector<long long> found(std::size_t(4 * warps));
    CHECK(cudaMemcpy(found.data(), ends, found.size() * sizeof(found[0]), cudaMemcpyDeviceToHost));
    std::printf("%d chains, %d warps of a scheduler, cycles of each:", chains, warps);
    for (int warp = 0; warp < warps; ++warp)
      std::printf(" %6lld", found[std::size_t(4 * warp)]);
    std::printf("   (instructions of all: %d)\n", warps * chains * turns);
  }
}

} // namespace

int main() {
  report<1>();
  report<2>();
  report<4>();
}
