// SPDX-License-Identifier: Apache-2.0
// Alternating direction implicit diffusion on planes, a thread solves a line.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define PLANES 48
#define NSTEPS 3

static int failed(cudaError_t e, const char* where) {
  if (e == cudaSuccess)
    return 0;
  printf("FAIL %s: %s\n", where, cudaGetErrorString(e));
  return 1;
}

/* Forward elimination factors of (1 + 2s, -s, -s); the same for every line, so one thread is
 * enough. */
__global__ void factor(double* cp, double* inv, int n, double s) {
  double b = 1.0 + 2.0 * s;
  double m = b;
  for (int i = 0; i < n; i++) {
    inv[i] = 1.0 / m;
    cp[i] = -s * inv[i];
    m = b + s * cp[i];
  }
}

/* explicit half in y, right-hand side for the x sweep */
__global__ void rhs_x(const double* u, double* r, int n, double s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n)
    return;
  size_t c = ((size_t)blockIdx.z * n + j) * n + i;
  double lo = j > 0 ? u[c - n] : 0.0, hi = j < n - 1 ? u[c + n] : 0.0;
  r[c] = u[c] + s * (lo - 2.0 * u[c] + hi);
}

__global__ void rhs_y(const double* u, double* r, int n, double s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n)
    return;
  size_t c = ((size_t)blockIdx.z * n + j) * n + i;
  double lo = i > 0 ? u[c - 1] : 0.0, hi = i < n - 1 ? u[c + 1] : 0.0;
  r[c] = u[c] + s * (lo - 2.0 * u[c] + hi);
}

/* rows: neighbouring threads own neighbouring rows, so the accesses are n apart */
__global__ void sweep_rows(double* r, const double* cp, const double* inv, int n, double s) {
  int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= n * PLANES)
    return;
  double* d = r + (size_t)line * n;
  double prev = 0.0;
  for (int i = 0; i < n; i++) {
    prev = (d[i] + s * prev) * inv[i];
    d[i] = prev;
  }
  for (int i = n - 2; i >= 0; i--) {
    prev = d[i] - cp[i] * prev;
    d[i] = prev;
  }
}

/* columns: neighbouring threads own neighbouring columns */
__global__ void sweep_columns(double* r, const double* cp, const double* inv, int n, double s) {
  int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= n * PLANES)
    return;
  int plane = line / n, i = line % n;
  double* d = r + (size_t)plane * n * n + i;
  double prev = 0.0;
  for (int j = 0; j < n; j++) {
    prev = (d[(size_t)j * n] + s * prev) * inv[j];
    d[(size_t)j * n] = prev;
  }
  for (int j = n - 2; j >= 0; j--) {
    prev = d[(size_t)j * n] - cp[j] * prev;
    d[(size_t)j * n] = prev;
  }
}

/* The eigenmodes of the scheme are known, which makes an exact check possible. */
static double amplification(int n, int p, int q, double s) {
  double lx = 2.0 - 2.0 * cos(M_PI * p / (n + 1)), ly = 2.0 - 2.0 * cos(M_PI * q / (n + 1));
  double g = (1.0 - s * ly) / (1.0 + s * lx) * (1.0 - s * lx) / (1.0 + s * ly);
  return pow(g, NSTEPS);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 32;
  if (n < 4) {
    printf("FAIL bad size\n");
    return 1;
  }
  size_t cells = (size_t)n * n * PLANES, bytes = cells * sizeof(double);
  std::vector<double> h(cells);
  for (int z = 0; z < PLANES; z++) {
    int p = 1 + z % 3, q = 1 + z / 3 % 3;
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        h[((size_t)z * n + j) * n + i] =
            (z + 1) * sin(M_PI * p * (i + 1) / (n + 1)) * sin(M_PI * q * (j + 1) / (n + 1));
  }
  double s = 0.35 * n / 16.0;
  double *u, *r, *cp, *inv;
  if (failed(cudaMalloc(&u, bytes), "malloc") || failed(cudaMalloc(&r, bytes), "malloc") ||
      failed(cudaMalloc(&cp, n * sizeof(double)), "malloc") ||
      failed(cudaMalloc(&inv, n * sizeof(double)), "malloc"))
    return 1;
  if (failed(cudaMemcpy(u, h.data(), bytes, cudaMemcpyHostToDevice), "upload"))
    return 1;
  factor<<<1, 1>>>(cp, inv, n, s);
  dim3 block(32, 8), grid((n + 31) / 32, (n + 7) / 8, PLANES);
  int lines = n * PLANES, lb = (lines + 63) / 64;
  for (int t = 0; t < NSTEPS; t++) {
    rhs_x<<<grid, block>>>(u, r, n, s);
    sweep_rows<<<lb, 64>>>(r, cp, inv, n, s);
    rhs_y<<<grid, block>>>(r, u, n, s);
    sweep_columns<<<lb, 64>>>(u, cp, inv, n, s);
  }
  if (failed(cudaDeviceSynchronize(), "run"))
    return 1;
  std::vector<double> g(cells);
  if (failed(cudaMemcpy(g.data(), u, bytes, cudaMemcpyDeviceToHost), "download"))
    return 1;
  double worst = 0.0;
  for (int z = 0; z < PLANES; z++) {
    double a = amplification(n, 1 + z % 3, 1 + z / 3 % 3, s);
    for (size_t c = (size_t)z * n * n; c < (size_t)(z + 1) * n * n; c++) {
      double e = fabs(g[c] - a * h[c]);
      if (!(e <= worst))
        worst = e;
    }
  }
  cudaFree(u);
  cudaFree(r);
  cudaFree(cp);
  cudaFree(inv);
  if (!(worst < 1e-8)) {
    printf("FAIL worst deviation %g\n", worst);
    return 1;
  }
  printf("PASS worst deviation %g\n", worst);
  return 0;
}
