// SPDX-License-Identifier: Apache-2.0
// COVERS: openmp, openmp: omp_get_wtime
// FLAGS: -Xcompiler -fopenmp
// A two-colour Gauss-Seidel sweep on the device and on the host with the same order of sums; both
// timed with omp_get_wtime. Arguments: size sweeps.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IDX(y, x) ((y) * n + (x))

__global__ void sweep(float* u, int n, int colour) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x < n - 1 && y < n - 1 && (x + y) % 2 == colour)
    u[IDX(y, x)] =
        0.25f * ((u[IDX(y - 1, x)] + u[IDX(y + 1, x)]) + (u[IDX(y, x - 1)] + u[IDX(y, x + 1)]));
}

static void host_sweep(float* u, int n, int colour) {
  int y, x;
#pragma omp parallel for private(x)
  for (y = 1; y < n - 1; ++y)
    for (x = 1; x < n - 1; ++x)
      if ((x + y) % 2 == colour)
        u[IDX(y, x)] =
            0.25f * ((u[IDX(y - 1, x)] + u[IDX(y + 1, x)]) + (u[IDX(y, x - 1)] + u[IDX(y, x + 1)]));
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 66, sweeps = argc > 2 ? atoi(argv[2]) : 10;
  size_t bytes = (size_t)n * n * sizeof(float);
  float *u = (float*)calloc(n * n, sizeof(float)), *v = (float*)malloc(bytes), *d;
  for (int i = 0; i < n; ++i)
    u[IDX(0, i)] = 1.0f, u[IDX(i, n - 1)] = (float)i / n;
  if (cudaMalloc((void**)&d, bytes) != cudaSuccess)
    return 1;
  cudaMemcpy(d, u, bytes, cudaMemcpyHostToDevice);
  double t0 = omp_get_wtime();
  for (int s = 0; s < sweeps; ++s)
    for (int colour = 0; colour < 2; ++colour)
      sweep<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(d, n, colour);
  cudaDeviceSynchronize();
  double t1 = omp_get_wtime();
  for (int s = 0; s < sweeps; ++s)
    for (int colour = 0; colour < 2; ++colour)
      host_sweep(u, n, colour);
  double t2 = omp_get_wtime();
  cudaMemcpy(v, d, bytes, cudaMemcpyDeviceToHost);
  fprintf(stderr, "device %.6f s, host %.6f s, %d threads\n", t1 - t0, t2 - t1,
          omp_get_max_threads());
  int ok = t1 > t0 && t2 >= t1 && omp_get_wtick() > 0 && memcmp(u, v, bytes) == 0 &&
           cudaGetLastError() == cudaSuccess;
  cudaFree(d);
  free(u);
  free(v);
  puts(ok ? "PASS" : "FAIL");
  return !ok;
}
