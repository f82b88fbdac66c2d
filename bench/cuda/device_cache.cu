// SPDX-License-Identifier: Apache-2.0
//
// What the L2 of a GPU keeps of one sweep over memory for the next: kernels that read, write and copy
// 8 to 128 MB, three times each. How much of it comes from memory and goes there is what the GPU's
// counters say:
//
//   nvcc -O3 -std=c++17 -arch=native bench/cuda/device_cache.cu -o device_cache
//   ncu --cache-control none --replay-mode application \
//     --metrics dram__bytes_read.sum,dram__bytes_write.sum ./device_cache
#include "device.cuh"

namespace {

constexpr unsigned threads = 256;
constexpr unsigned blocksOfAMegabyte = (1 << 20) / (threads * sizeof(float));

__device__ unsigned place() {
  return blockIdx.x * threads + threadIdx.x;
}

__global__ void read(const float* in, float* out) {
  if (in[place()] != 0)
    out[place()] = 1;
}

__global__ void write(const float*, float* out) {
  out[place()] = 1;
}

__global__ void copy(const float* in, float* out) {
  out[place()] = in[place()];
}

} // namespace

int main() {
  constexpr std::size_t most = 128;
  const auto* in = device::array<float>(most << 18);
  auto* out = device::array<float>(most << 18);
  for (const unsigned megabytes : {8, 16, 20, 24, 28, 32, 36, 40, 48, 64, 128})
    for (const auto kernel : {read, write, copy})
      for (int sweep = 0; sweep < 3; ++sweep)
        kernel<<<megabytes * blocksOfAMegabyte, threads>>>(in, out);
  CHECK(cudaDeviceSynchronize());
  return 0;
}
