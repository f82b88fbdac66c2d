// SPDX-License-Identifier: Apache-2.0
// Blocked right-looking Cholesky factorisation in double precision.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define NB 32

#define cudaSafe(ans) gpuAssert((ans), __FILE__, __LINE__)
inline void gpuAssert(cudaError_t code, const char* file, int line) {
  if (code != cudaSuccess) {
    fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
    exit(code);
  }
}

// A is lower, stored by rows with leading dimension n.
__global__ void buildSpd(double* A, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n)
    A[(size_t)i * n + j] =
        exp(-0.05 * abs(i - j)) * cos(0.1 * (i - j)) + (i == j ? 1.0 + 0.01 * (i % 17) : 0.0);
}

__global__ void diagonalBlock(double* A, int n, int k) {
  __shared__ double s[NB][NB + 1];
  int t = threadIdx.x; // NB threads, one row each
  int nb = min(NB, n - k);
  for (int c = 0; c < nb; c++)
    if (t < nb)
      s[t][c] = A[(size_t)(k + t) * n + k + c];
  __syncthreads();
  for (int c = 0; c < nb; c++) {
    if (t == c)
      s[c][c] = sqrt(s[c][c]);
    __syncthreads();
    if (t > c && t < nb)
      s[t][c] /= s[c][c];
    __syncthreads();
    if (t > c && t < nb)
      for (int j = c + 1; j <= t; j++)
        s[t][j] -= s[t][c] * s[j][c];
    __syncthreads();
  }
  for (int c = 0; c <= t && t < nb; c++)
    A[(size_t)(k + t) * n + k + c] = s[t][c];
}

// Row i of the panel: solve L x = a, one thread per row.
__global__ void panelSolve(double* A, int n, int k) {
  __shared__ double L[NB][NB];
  for (int e = threadIdx.x; e < NB * NB; e += blockDim.x)
    L[e / NB][e % NB] = A[(size_t)(k + e / NB) * n + k + e % NB];
  __syncthreads();
  int i = k + NB + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double* row = A + (size_t)i * n + k;
  for (int c = 0; c < NB; c++) {
    double v = row[c];
    for (int j = 0; j < c; j++)
      v -= row[j] * L[c][j];
    row[c] = v / L[c][c];
  }
}

// A22 -= P P^T on the lower tiles, tiles of 16.
__global__ void trailingUpdate(double* A, int n, int k) {
  if (blockIdx.x > blockIdx.y)
    return;
  __shared__ double a[16][NB], b[16][NB];
  int i = k + NB + blockIdx.y * 16 + threadIdx.y;
  int j0 = k + NB + blockIdx.x * 16;
  int jr = j0 + threadIdx.y;
  for (int c = threadIdx.x; c < NB; c += 16) {
    a[threadIdx.y][c] = i < n ? A[(size_t)i * n + k + c] : 0.0;
    b[threadIdx.y][c] = jr < n ? A[(size_t)jr * n + k + c] : 0.0;
  }
  __syncthreads();
  double s = 0.0;
  for (int c = 0; c < NB; c++)
    s += a[threadIdx.y][c] * b[threadIdx.x][c];
  int j = j0 + threadIdx.x;
  if (i < n && j <= i)
    A[(size_t)i * n + j] -= s;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 192;
  double* A;
  cudaSafe(cudaMalloc((void**)&A, sizeof(double) * n * n));
  buildSpd<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(A, n);
  std::vector<double> orig((size_t)n * n), L((size_t)n * n);
  cudaSafe(cudaMemcpy(orig.data(), A, sizeof(double) * n * n, cudaMemcpyDeviceToHost));

  cudaEvent_t beg, end;
  cudaSafe(cudaEventCreate(&beg));
  cudaSafe(cudaEventCreate(&end));
  cudaSafe(cudaEventRecord(beg, 0));
  for (int k = 0; k < n; k += NB) {
    diagonalBlock<<<1, NB>>>(A, n, k);
    int rest = n - k - NB;
    if (rest > 0) {
      panelSolve<<<(rest + 63) / 64, 64>>>(A, n, k);
      int t = (rest + 15) / 16;
      trailingUpdate<<<dim3(t, t), dim3(16, 16)>>>(A, n, k);
    }
  }
  cudaSafe(cudaEventRecord(end, 0));
  cudaSafe(cudaEventSynchronize(end));
  cudaSafe(cudaGetLastError());
  float ms;
  cudaSafe(cudaEventElapsedTime(&ms, beg, end));
  printf("factorisation of order %d took %.3f ms\n", n, ms);
  cudaSafe(cudaMemcpy(L.data(), A, sizeof(double) * n * n, cudaMemcpyDeviceToHost));

  // L (L^T v) against A v
  std::vector<double> v(n), t(n, 0.0);
  for (int i = 0; i < n; i++)
    v[i] = 1.0 + 0.5 * sin(1.7 * i);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      t[j] += L[(size_t)i * n + j] * v[i];
  double worst = 0.0;
  for (int i = 0; i < n; i++) {
    double got = 0.0, want = 0.0;
    for (int j = 0; j <= i; j++)
      got += L[(size_t)i * n + j] * t[j];
    for (int j = 0; j < n; j++)
      want += orig[(size_t)i * n + j] * v[j];
    double e = fabs(got - want);
    if (!(e <= worst))
      worst = e;
  }
  // and the entries of the matrix, against the formula
  double d = fabs(orig[(size_t)(n - 1) * n] - exp(-0.05 * (n - 1)) * cos(0.1 * (n - 1)));
  cudaFree(A);
  if (!(worst < 1e-8) || !(d < 1e-10)) {
    printf("FAIL worst %g\n", worst);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
