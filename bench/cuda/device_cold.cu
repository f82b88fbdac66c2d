// SPDX-License-Identifier: Apache-2.0
//
// What a kernel finds in the L2 when it begins: memory that was copied from the host, and memory that a kernel wrote, read by a
// whole grid, to be timed by Nsight Compute. On an H200 nothing of either comes from memory:
//
//   nvcc -O3 -std=c++17 -arch=native bench/cuda/device_cold.cu -o device_cold
//   ncu --cache-control none --clock-control none --metrics gpu__time_duration.sum,dram__sectors_read.sum ./device_cold
#include "device.cuh"

namespace {

__global__ void fill(int* out, int value) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void take(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] == 77)
    out[i] = 1;
}

} // namespace

int main() {
  constexpr std::size_t most = 4 << 20;
  const std::vector<int> host(most, 1);
  auto* found = device::array<int>(most);
  for (const int megabytes : {1, 4, 16}) {
    const std::size_t n = std::size_t(megabytes) << 18;
    for (int fresh = 0; fresh < 2; ++fresh) {
      auto* copied = device::array<int>(n);
      CHECK(cudaMemcpy(copied, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));
      take<<<n / 256, 256>>>(copied, found);
      take<<<n / 256, 256>>>(copied, found);
    }
    auto* written = device::array<int>(n);
    fill<<<n / 256, 256>>>(written, 0);
    take<<<n / 256, 256>>>(written, found);
  }
  CHECK(cudaDeviceSynchronize());
  return 0;
}
