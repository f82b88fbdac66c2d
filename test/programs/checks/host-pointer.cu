// SPDX-License-Identifier: Apache-2.0
// Memory of the host, from malloc, given to a kernel.
// EXPECT: access to host memory that is not mapped, from malloc and not from cudaMalloc: values[i] *= 2;
// STOPS: memory of the host, which a kernel cannot see
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void twice(int* values, int n) {
  const int i = threadIdx.x;
  if (i < n)
    values[i] *= 2; // HERE
}

int main() {
  int* values = static_cast<int*>(malloc(32 * sizeof(int)));
  for (int i = 0; i < 32; ++i)
    values[i] = i;
  twice<<<1, 32>>>(values, 32);
  const bool fine = cudaDeviceSynchronize() == cudaSuccess;
  free(values);
  return fine ? 0 : 1;
}
