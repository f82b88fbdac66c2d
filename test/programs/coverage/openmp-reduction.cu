// SPDX-License-Identifier: Apache-2.0
// COVERS: openmp, openmp: reduction, double, shared reduction
// FLAGS: -Xcompiler -fopenmp
// Numerical integration on the device and by an OpenMP reduction. Arguments: intervals.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>
#include <omp.h>

#define BLOCK 128

__host__ __device__ inline double f(double x) {
  return 4.0 / (1.0 + x * x);
}

__global__ void integrate(int n, double* partial) {
  __shared__ double cache[BLOCK];
  double h = 1.0 / n, sum = 0;
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK)
    sum += f((i + 0.5) * h);
  cache[threadIdx.x] = sum * h;
  __syncthreads();
  for (int s = BLOCK / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s)
      cache[threadIdx.x] += cache[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    partial[blockIdx.x] = cache[0];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 20000;
  const int blocks = 8;
  double *partial, host[blocks];
  if (cudaMalloc((void**)&partial, sizeof host) != cudaSuccess) {
    puts("no memory\nFAIL");
    return 1;
  }
  integrate<<<blocks, BLOCK>>>(n, partial);
  cudaError_t status = cudaMemcpy(host, partial, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(partial);
  double device = 0, reference = 0, largest = 0;
  for (int b = 0; b < blocks; ++b)
    device += host[b];
#pragma omp parallel for reduction(+ : reference) reduction(max : largest)
  for (int i = 0; i < n; ++i) {
    double v = f((i + 0.5) / n);
    reference += v / n;
    largest = v > largest ? v : largest;
  }
  int inside = 0;
#pragma omp parallel sections
  {
#pragma omp section
    inside = omp_in_parallel() || omp_get_max_threads() == 1 || omp_get_num_threads() == 1;
  }
  bool ok = status == cudaSuccess && fabs(device - reference) < 1e-10 &&
            fabs(device - M_PI) < 1e-6 && largest <= 4.0 && largest > 3.99 && inside;
  printf("pi is about %.6f\n%s\n", device, ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
