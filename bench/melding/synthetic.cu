// SPDX-License-Identifier: Apache-2.0
// Branches by the parity of a thread's number whose arms are alike to different extents, one kernel
// each.
#include <cstdio>
#include <cstdlib>
#include <vector>

__device__ unsigned long_way(unsigned x, unsigned k) {
  for (unsigned r = 0; r < 24; ++r)
    x = (x ^ x >> 13) * 2654435761u + k;
  return x;
}

/// The same tail.
__global__ void tail(unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2 == 0) {
    unsigned x = long_way(i, 3) / 7;
    x = long_way(x, 11);
    out[i] = long_way(x, 13);
  } else {
    unsigned x = i << 5;
    x = long_way(x, 11);
    out[i] = long_way(x, 13);
  }
}

/// The same in the middle, something else on both sides.
__global__ void middle(unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2 == 0) {
    unsigned x = 0;
    for (unsigned k = 0; k < 9; ++k)
      x += k * i;
    unsigned y = long_way(x, 11);
    for (unsigned k = 0; k < 9; ++k)
      y ^= y << k;
    out[i] = y;
  } else {
    unsigned x = i << 5;
    x -= x / 3;
    unsigned y = long_way(x, 17);
    out[i] = y * y;
  }
}

/// Two like parts, one of which has other operands.
__global__ void twice(unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = i, b = i * 3;
  if (i % 2 == 0) {
    a = long_way(a, 5);
    for (unsigned k = 0; k < 5; ++k)
      b ^= a >> k;
    a = long_way(a ^ b, 9);
  } else {
    a = long_way(b, 7);
    b = a / 11;
    a = long_way(a ^ b, 9);
  }
  out[i] = a + b;
}

/// Nothing is alike.
__global__ void nothing(unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = i;
  if (i % 2 == 0) {
    a = long_way(a, 5) / 3;
  } else {
    for (unsigned k = 0; k < 50; ++k)
      a += a << 3 ^ k;
  }
  out[i] = a;
}

int main(int argc, char** argv) {
  const int blocks = argc > 1 ? std::atoi(argv[1]) : 4000;
  std::vector<unsigned> results(std::size_t(blocks) * 128);
  unsigned* device;
  cudaMalloc(&device, results.size() * sizeof(unsigned));
  unsigned long long sum = 0;
  for (const auto kernel : {tail, middle, twice, nothing}) {
    kernel<<<blocks, 128>>>(device);
    cudaMemcpy(results.data(), device, results.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
    for (const unsigned each : results)
      sum = sum * 31 + each;
  }
  std::printf("check %016llx\n", sum);
  cudaFree(device);
  return 0;
}
