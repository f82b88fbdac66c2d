// SPDX-License-Identifier: Apache-2.0
//
// How long thread blocks keep their places on a GPU. A line is a kernel and a block size; its numbers
// are the cycles from the start of a block to the start of the next one in its place, with 1, 2 and 4
// blocks on a multiprocessor. All data is in the L2. Needs nothing but nvcc:
//
//   nvcc -O3 -std=c++17 -arch=native bench/cuda/device_blocks.cu -o device_blocks && ./device_blocks
#include "device.cuh"

namespace {

constexpr int rounds = 120; ///< blocks one after the other in a place
constexpr unsigned words = 1 << 21;
constexpr int most = 227 * 1024; ///< bytes of shared memory of a multiprocessor

__global__ void nothing(const unsigned*, unsigned*) {}

__device__ unsigned place() {
  return (blockIdx.x * blockDim.x + threadIdx.x) % words;
}

__global__ void loads(const unsigned* in, unsigned* out) {
  if (in[place()] != 0)
    out[place()] = 1;
}

__global__ void stores(const unsigned*, unsigned* out) {
  out[place()] = threadIdx.x;
}

__global__ void copies(const unsigned* in, unsigned* out) {
  out[place()] = in[place()];
}

using Kernel = void (*)(const unsigned*, unsigned*);

double cyclesOfAPlace(Kernel kernel, int size, int resident, const unsigned* in, unsigned* out) {
  int multiprocessors = 0, kilohertz = 0;
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  CHECK(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0));
  const int shared = most / resident - 1024; // which keeps others away
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  const int blocks = multiprocessors * resident * rounds;
  const auto take = [&](int count) {
    return device::microsecondsOf([&] { kernel<<<count, size, shared>>>(in, out); });
  };
  return (take(2 * blocks) - take(blocks)) * kilohertz / 1000 / rounds;
}

} // namespace

int main() {
  const auto* in = device::array<unsigned>(words);
  auto* out = device::array<unsigned>(words);
  const struct {
    const char* name;
    Kernel kernel;
  } kernels[] = {{"nothing", nothing}, {"loads", loads}, {"stores", stores}, {"copies", copies}};
  std::printf("%-8s %7s %8d %8d %8d\n", "kernel", "threads", 1, 2, 4);
  for (const auto& [name, kernel] : kernels)
    for (const int size : {32, 64, 128, 256, 512}) {
      std::printf("%-8s %7d", name, size);
      for (const int resident : {1, 2, 4})
        std::printf(" %8.1f", cyclesOfAPlace(kernel, size, resident, in, out));
      std::puts("");
    }
  return 0;
}
