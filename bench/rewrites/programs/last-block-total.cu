// SPDX-License-Identifier: Apache-2.0
// One-launch sum: every block stores its part, the block that arrives last adds up the parts.
#include <cstdio>
#include <cstdlib>
#include <vector>

__device__ unsigned arrived = 0;

__global__ void total(const int* values, long long* part, long long* result, int n) {
  __shared__ long long sum[256];
  __shared__ bool last;
  long long mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    mine += values[i];
  }
  sum[threadIdx.x] = mine;
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (threadIdx.x < s) sum[threadIdx.x] += sum[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    part[blockIdx.x] = sum[0];
    __threadfence();
    last = atomicAdd(&arrived, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    volatile long long* all = part;
    long long t = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) t += all[b];
    *result = t;
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 4000000;
  const int blocks = 528;
  std::vector<int> values(n);
  unsigned s = 1234567;
  for (int& v : values) {
    s = s * 1664525u + 1013904223u;
    v = static_cast<int>(s >> 9) - 3000000;
  }
  int* dValues;
  long long *dPart, *dResult;
  cudaMalloc(&dValues, n * sizeof(int));
  cudaMalloc(&dPart, blocks * sizeof(long long));
  cudaMalloc(&dResult, sizeof(long long));
  cudaMemcpy(dValues, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  total<<<blocks, 256>>>(dValues, dPart, dResult, n);
  long long result = 0;
  cudaMemcpy(&result, dResult, sizeof(result), cudaMemcpyDeviceToHost);
  std::printf("total %lld\n", result);
  cudaFree(dValues);
  cudaFree(dPart);
  cudaFree(dResult);
  return 0;
}
