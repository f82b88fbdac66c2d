// SPDX-License-Identifier: Apache-2.0
// COVERS: cudaLaunchKernelEx, cudaLaunchKernel, cudaLaunchKernelExC
// The same kernel by chevrons, cudaLaunchKernel, cudaLaunchKernelExC and the typed
// cudaLaunchKernelEx.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#define CUDA(x)                                                                                    \
  do {                                                                                             \
    cudaError_t error = (x);                                                                       \
    if (error != cudaSuccess) {                                                                    \
      printf("%s\nFAIL\n", cudaGetErrorString(error));                                             \
      return 1;                                                                                    \
    }                                                                                              \
  } while (0)

struct Affine {
  double a, b;
};

__global__ void apply(double* v, int n, Affine f, signed char shift) {
  extern __shared__ double s[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? v[i] : 0;
  __syncthreads();
  if (i < n)
    v[i] = f.a * s[threadIdx.x] + f.b + shift;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 300;
  double* v;
  CUDA(cudaMallocManaged(&v, n * sizeof(double)));
  for (int i = 0; i < n; ++i)
    v[i] = i;
  Affine f = {2, 1};
  signed char shift = -1;
  dim3 grid((n + 63) / 64), block(64);
  size_t bytes = 64 * sizeof(double);
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  apply<<<grid, block, bytes, stream>>>(v, n, f, shift);
  void* args[] = {&v, &n, &f, &shift};
  CUDA(cudaLaunchKernel((const void*)apply, grid, block, args, bytes, stream));
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = bytes;
  config.stream = stream;
  cudaLaunchAttribute attributes[1];
  attributes[0].id = cudaLaunchAttributePriority;
  attributes[0].val.priority = 0;
  config.attrs = attributes;
  config.numAttrs = 1;
  CUDA(cudaLaunchKernelExC(&config, (const void*)apply, args));
  CUDA(cudaLaunchKernelEx(&config, apply, v, n, Affine{0.5, 0}, (signed char)3));
  CUDA(cudaStreamSynchronize(stream));
  int bad = 0;
  for (int i = 0; i < n; ++i) {
    double x = i;
    for (int k = 0; k < 3; ++k)
      x = 2 * x + 1 - 1;
    bad += v[i] != 0.5 * x + 3;
  }
  CUDA(cudaStreamDestroy(stream));
  CUDA(cudaFree(v));
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
