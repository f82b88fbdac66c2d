// SPDX-License-Identifier: Apache-2.0
// The source of lines.ptx: nvcc -ptx -arch=sm_90 -lineinfo, with the folders taken out of its names.
__device__ __forceinline__ unsigned collatz(unsigned n) {
  unsigned steps = 0;
  while (n > 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    ++steps;
  }
  return steps;
}

__global__ void lengths(unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = collatz(i + 1);
}
