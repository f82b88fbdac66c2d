// SPDX-License-Identifier: Apache-2.0
//
// Shared and local memory that nobody wrote hold the pattern of fresh memory in every block, whatever
// blocks before left there.
// FAILS: all values are 2139062143
#include <cstdio>

__global__ void read(int* values, int written) {
  __shared__ int shared[64];
  volatile int local[8];
  const int thread = threadIdx.x;
  if (written > 0) {
    shared[thread] = local[thread % 8] = written;
    local[(thread + 1) % 8] = written;
  }
  values[2 * thread] = shared[63 - thread];
  values[2 * thread + 1] = local[(thread + 1) % 8];
}

int main() {
  static int host[128];
  int* values;
  cudaMalloc(&values, sizeof host);
  for (int launch = 0; launch < 2; ++launch)
    read<<<1, 64>>>(values, 1 - launch);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  for (const int value : host)
    if (value != 0x7f7f7f7f)
      return std::printf("found %d\n", value), 0;
  std::printf("all values are %d\n", host[0]);
  return 1;
}
