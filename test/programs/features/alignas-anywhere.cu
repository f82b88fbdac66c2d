// SPDX-License-Identifier: Apache-2.0
// alignas between other specifiers, as nvcc takes it, with numbers, types and packs of types.
#include <cstdint>

#include "../check.h"

template <int bytes> struct alignas(bytes) Padded {
  char value;
};
template <class T> struct Box {
  alignas(T) unsigned char raw[sizeof(T)];
};
template <class... Ts> struct Any {
  alignas(Ts...) unsigned char raw[64];
};

static constexpr int tileAlignment = 128;
__device__ alignas(64) int table[4] = {1, 2, 3, 4};
alignas(16) extern __shared__ unsigned char dynamic[];

__device__ int over(const void* pointer, int alignment) {
  return int(reinterpret_cast<std::uintptr_t>(pointer) % unsigned(alignment));
}

__global__ void places(int* misplaced, int* sum) {
  __shared__ alignas(16) float between[5];
  alignas(tileAlignment) __shared__ float before[3];
  __shared__ alignas(double) char asDouble[9];
  __shared__ alignas(alignof(float4)) int asFloat4[4];
  __shared__ char odd;
  alignas(32) int local[8];
  const int i = threadIdx.x;
  odd = char(i);
  for (int k = 0; k < 8; ++k)
    local[k] = k + i;
  if (i == 0) {
    between[4] = 1;
    before[2] = 2;
    asDouble[8] = 3;
    asFloat4[3] = 4;
    dynamic[0] = 5;
  }
  __syncthreads();
  misplaced[i] = over(between, 16) + over(before, tileAlignment) + over(asDouble, 8) +
                 over(asFloat4, 16) + over(dynamic, 16) + over(table, 64) + over(local, 32);
  sum[i] = int(between[4]) + int(before[2]) + asDouble[8] + asFloat4[3] + dynamic[0] + table[3] +
           local[i % 8] + (odd < 0);
}

int main() {
  static_assert(alignof(Padded<32>) == 32 && sizeof(Padded<32>) == 32, "");
  static_assert(alignof(Box<double>) == alignof(double), "");
  static_assert(alignof(Any<char, double, short>) == alignof(double), "");
  const int n = 32;
  int *misplaced = nullptr, *sum = nullptr;
  CHECK_CUDA(cudaMallocManaged(&misplaced, n * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&sum, n * sizeof(int)));
  places<<<1, n, 64>>>(misplaced, sum);
  CHECK_LAUNCH();
  for (int i = 0; i < n; ++i)
    if (misplaced[i] != 0 || sum[i] != 19 + i % 8 + i) {
      printf("FAIL: thread %d: %d bytes from where it should lie, sum %d, expected %d\n", i,
             misplaced[i], sum[i], 19 + i % 8 + i);
      return 1;
    }
  CHECK_CUDA(cudaFree(misplaced));
  CHECK_CUDA(cudaFree(sum));
  puts("PASS");
  return 0;
}
