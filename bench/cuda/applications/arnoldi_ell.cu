// SPDX-License-Identifier: Apache-2.0
// Arnoldi steps of GMRES on a sparse ELLPACK matrix with classical Gram-Schmidt.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define M 8 /* Krylov dimension */
#define WIDTH 7
#define BLK 256

#define TRY(e)                                                                                     \
  do {                                                                                             \
    cudaError_t _rc = (e);                                                                         \
    if (_rc) {                                                                                     \
      fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(_rc));                         \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)

/* column-major ELL: entry k of row i at k * n + i */
__global__ void spmv_ell(int n, const int* col, const double* val, const double* x, double* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double s = 0;
  for (int k = 0; k < WIDTH; k++) {
    int c = col[k * n + i];
    if (c >= 0)
      s += val[k * n + i] * x[c];
  }
  y[i] = s;
}

/* one block per basis vector: h[b] = v_b . w */
__global__ void project(int n, const double* V, const double* w, double* h) {
  __shared__ double buf[BLK];
  const double* v = V + (size_t)blockIdx.x * n;
  double s = 0;
  for (int i = threadIdx.x; i < n; i += BLK)
    s += v[i] * w[i];
  buf[threadIdx.x] = s;
  __syncthreads();
  for (int st = BLK / 2; st > 0; st /= 2) {
    if (threadIdx.x < st)
      buf[threadIdx.x] += buf[threadIdx.x + st];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    h[blockIdx.x] = buf[0];
}

__global__ void orthogonalise(int n, int m, const double* V, const double* h, double* w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double s = w[i];
  for (int k = 0; k < m; k++)
    s -= h[k] * V[(size_t)k * n + i];
  w[i] = s;
}

__global__ void add_corrections(int m, double* h, const double* d) {
  int k = threadIdx.x;
  if (k < m)
    h[k] += d[k];
}

__global__ void norm2(int n, const double* w, double* out) {
  __shared__ double buf[BLK];
  double s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += BLK * gridDim.x)
    s += w[i] * w[i];
  buf[threadIdx.x] = s;
  __syncthreads();
  for (int st = BLK / 2; st > 0; st /= 2) {
    if (threadIdx.x < st)
      buf[threadIdx.x] += buf[threadIdx.x + st];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(out, buf[0]);
}

__global__ void normalise(int n, const double* w, const double* nrm2, double* v, double* hentry) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double r = sqrt(*nrm2);
  if (i < n)
    v[i] = w[i] / r;
  if (i == 0)
    *hentry = r;
}

static unsigned long long state = 88172645463325252ull;
static double uniform(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) / 9007199254740992.0;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 20000;
  assert(n > 100);
  int* hcol = (int*)malloc(sizeof(int) * WIDTH * n);
  double* hval = (double*)malloc(sizeof(double) * WIDTH * n);
  double* hb = (double*)malloc(sizeof(double) * n);
  for (int i = 0; i < n; i++) {
    hb[i] = uniform() - 0.5;
    for (int k = 0; k < WIDTH; k++) {
      int c;
      if (k == 0)
        c = i;
      else if (k < 5)
        c = i + (k % 2 ? 1 : -1) * (k < 3 ? 1 : 37);
      else
        c = (int)(uniform() * n); /* far entry */
      if (c < 0 || c >= n)
        c = -1;
      hcol[k * n + i] = c;
      hval[k * n + i] = k == 0 ? 4.0 + uniform() : uniform() - 0.6;
    }
  }
  int* col;
  double *val, *V, *w, *H, *tmp, *nrm;
  TRY(cudaMalloc((void**)&col, sizeof(int) * WIDTH * n));
  TRY(cudaMalloc((void**)&val, sizeof(double) * WIDTH * n));
  TRY(cudaMalloc((void**)&V, sizeof(double) * (M + 1) * n));
  TRY(cudaMalloc((void**)&w, sizeof(double) * n));
  TRY(cudaMalloc((void**)&H, sizeof(double) * (M + 1) * (M + 1)));
  TRY(cudaMalloc((void**)&tmp, sizeof(double) * (M + 1)));
  TRY(cudaMalloc((void**)&nrm, sizeof(double) * (M + 1)));
  TRY(cudaMemset(H, 0, sizeof(double) * (M + 1) * (M + 1)));
  TRY(cudaMemset(nrm, 0, sizeof(double) * (M + 1)));
  TRY(cudaMemcpy(col, hcol, sizeof(int) * WIDTH * n, cudaMemcpyHostToDevice));
  TRY(cudaMemcpy(val, hval, sizeof(double) * WIDTH * n, cudaMemcpyHostToDevice));
  TRY(cudaMemcpy(w, hb, sizeof(double) * n, cudaMemcpyHostToDevice));

  int g = (n + BLK - 1) / BLK;
  /* H is stored by columns of M + 1; the last column takes the norm of b */
  norm2<<<64, BLK>>>(n, w, nrm);
  normalise<<<g, BLK>>>(n, w, nrm, V, H + M * (M + 1));
  for (int j = 0; j < M; j++) {
    spmv_ell<<<g, BLK>>>(n, col, val, V + (size_t)j * n, w);
    project<<<j + 1, BLK>>>(n, V, w, H + j * (M + 1));
    orthogonalise<<<g, BLK>>>(n, j + 1, V, H + j * (M + 1), w);
    if (j == M / 2) { /* one reorthogonalisation */
      project<<<j + 1, BLK>>>(n, V, w, tmp);
      orthogonalise<<<g, BLK>>>(n, j + 1, V, tmp, w);
      add_corrections<<<1, 32>>>(j + 1, H + j * (M + 1), tmp);
    }
    norm2<<<64, BLK>>>(n, w, nrm + j + 1);
    normalise<<<g, BLK>>>(n, w, nrm + j + 1, V + (size_t)(j + 1) * n, H + j * (M + 1) + j + 1);
  }
  TRY(cudaDeviceSynchronize());

  double* v = (double*)malloc(sizeof(double) * (M + 1) * n);
  double h[(M + 1) * (M + 1)];
  TRY(cudaMemcpy(v, V, sizeof(double) * (M + 1) * n, cudaMemcpyDeviceToHost));
  TRY(cudaMemcpy(h, H, sizeof h, cudaMemcpyDeviceToHost));
  /* Orthonormal basis? A V_j = V_{j+1} H_j? */
  double orth = 0, rel = 0;
  for (int a = 0; a <= M; a++)
    for (int b = 0; b <= a; b++) {
      double s = 0;
      for (int i = 0; i < n; i++)
        s += v[(size_t)a * n + i] * v[(size_t)b * n + i];
      double e = fabs(s - (a == b));
      if (!(e <= orth))
        orth = e;
    }
  for (int j = 0; j < M; j++)
    for (int i = 0; i < n; i++) {
      double s = 0;
      for (int k = 0; k < WIDTH; k++)
        if (hcol[k * n + i] >= 0)
          s += hval[k * n + i] * v[(size_t)j * n + hcol[k * n + i]];
      for (int k = 0; k <= j + 1; k++)
        s -= h[j * (M + 1) + k] * v[(size_t)k * n + i];
      if (!(fabs(s) <= rel))
        rel = fabs(s);
    }
  double b0 = 0;
  for (int i = 0; i < n; i++)
    b0 = fmax(b0, fabs(v[i] * h[M * (M + 1)] - hb[i]));
  printf("orthogonality %.2e, Arnoldi relation %.2e\n", orth, rel);
  if (!(orth < 1e-8) || !(rel < 1e-10) || !(b0 < 1e-10)) {
    printf("FAIL\n");
    return 1;
  }
  printf("PASS\n");
  return 0;
}
