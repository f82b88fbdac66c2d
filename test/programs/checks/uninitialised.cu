// SPDX-License-Identifier: Apache-2.0
// Accumulates into memory that nobody cleared; where it is zero by chance the sums look right.
// EXPECT: no fault, but poison shows in the sums and the program prints FAIL: atomicAdd(&bins[in[i] % 8], 1);
// FAILS: FAIL: bin 0 is 2139062271, expected 128
#include <cstdio>
#include <cuda_runtime.h>

__global__ void histogram(const int* in, int n, int* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&bins[in[i] % 8], 1); // HERE
}

int main() {
  const int n = 1024;
  int *in = nullptr, *bins = nullptr, host[n], got[8];
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&bins, sizeof got); // a cudaMemset is missing
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  histogram<<<4, 256>>>(in, n, bins);
  cudaMemcpy(got, bins, sizeof got, cudaMemcpyDeviceToHost);
  for (int k = 0; k < 8; ++k)
    if (got[k] != n / 8) {
      printf("FAIL: bin %d is %d, expected %d\n", k, got[k], n / 8);
      return 1;
    }
  printf("PASS\n");
  return 0;
}
