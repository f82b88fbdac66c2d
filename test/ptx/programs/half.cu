// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_fp16.h>
__global__ void axpy(__half2* y, const __half2* x, __half2 a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = __hfma2(a, x[i], y[i]);
}
__global__ void sum(const __half2* y, __half2* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    atomicAdd(out, y[i]);
}
int main() {
  const int n = 64;
  __half2 x[n], y[n], z = __floats2half2_rn(0, 0), *dx, *dy, *dz;
  for (int i = 0; i < n; ++i) {
    x[i] = __floats2half2_rn(i, 2 * i);
    y[i] = __float2half2_rn(1.0f);
  }
  cudaMalloc(&dx, sizeof x);
  cudaMalloc(&dy, sizeof y);
  cudaMalloc(&dz, sizeof z);
  cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y, sizeof y, cudaMemcpyHostToDevice);
  cudaMemcpy(dz, &z, sizeof z, cudaMemcpyHostToDevice);
  axpy<<<1, 64>>>(dy, dx, __float2half2_rn(0.5f), n);
  sum<<<1, 32>>>(dy, dz, n);
  cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost);
  cudaMemcpy(&z, dz, sizeof z, cudaMemcpyDeviceToHost);
  printf("%g %g %g %g\n", __low2float(y[3]), __high2float(y[3]), __low2float(z), __high2float(z));
}
