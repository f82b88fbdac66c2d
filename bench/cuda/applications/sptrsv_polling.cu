// SPDX-License-Identifier: Apache-2.0
// Sparse forward and backward substitution without levels: rows wait for flags of rows before them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CU(x)                                                                                      \
  {                                                                                                \
    cudaError_t err = (x);                                                                         \
    if (err != cudaSuccess) {                                                                      \
      printf("FAIL cuda error %d at %d\n", (int)err, __LINE__);                                    \
      exit(1);                                                                                     \
    }                                                                                              \
  }

#define WARPS_PER_BLOCK 4

typedef struct {
  int n, nnz;
  int *ptr, *idx;
  float *val, *dia;
} csr_t;

static unsigned rng_state = 12345u;
static unsigned rng(void) {
  rng_state = rng_state * 1664525u + 1013904223u;
  return rng_state >> 8;
}

// strictly lower part: a few neighbours near by, a few far away
static csr_t make_lower(int n, int width) {
  csr_t a;
  a.n = n;
  a.ptr = (int*)malloc((n + 1) * sizeof(int));
  a.idx = (int*)malloc((size_t)n * width * sizeof(int));
  a.val = (float*)malloc((size_t)n * width * sizeof(float));
  a.dia = (float*)malloc(n * sizeof(float));
  int pos = 0;
  for (int i = 0; i < n; i++) {
    a.ptr[i] = pos;
    int cnt = rng() % width;
    for (int k = 0; k < cnt && i > 0; k++) {
      int span = (k % 4 == 0) ? 4096 : i;
      if (span > i)
        span = i;
      int back = 1 + rng() % span;
      /* mostly long jumps, so that chains stay short */
      if (k % 4 == 0 && back < 64 && i >= 64)
        back = 64;
      a.idx[pos] = i - back;
      a.val[pos] = ((int)(rng() % 2001) - 1000) * 0.00004f;
      pos++;
    }
    a.dia[i] = 1.0f + (rng() % 100) * 0.01f;
  }
  a.ptr[n] = pos;
  a.nnz = pos;
  return a;
}

__global__ void clear_flags(int n, int* flags, unsigned* ticket) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    flags[i] = 0;
  if (i == 0)
    *ticket = 0;
}

// A warp takes the next row.  All rows before it are held by warps that run already.
__global__ void solve_warp(int n, const int* ptr, const int* idx, const float* val,
                           const float* dia, const float* b, volatile float* x, volatile int* flags,
                           unsigned* ticket) {
  const int lane = threadIdx.x % 32;
  unsigned row = 0;
  if (lane == 0)
    row = atomicAdd(ticket, 1u);
  row = __shfl_sync(0xffffffffu, row, 0);
  if (row >= n)
    return;
  float sum = 0.f;
  for (int k = ptr[row] + lane; k < ptr[row + 1]; k += 32) {
    int c = idx[k];
    while (flags[c] == 0) {
    }
    __threadfence();
    sum += val[k] * x[c];
  }
  __syncwarp();
  for (int o = 16; o > 0; o /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, o);
  if (lane == 0) {
    x[row] = (b[row] - sum) / dia[row];
    __threadfence();
    flags[row] = 1;
  }
}

// One thread for each row of the transposed order (rows from the last to the first).  A single
// loop, in which a thread finishes its row, so that lanes of the same warp can wait for each other.
__global__ void solve_thread_reverse(int n, const int* ptr, const int* idx, const float* val,
                                     const float* dia, const float* b, volatile float* x,
                                     volatile int* flags, unsigned* ticket) {
  __shared__ unsigned first;
  if (threadIdx.x == 0)
    first = atomicAdd(ticket, blockDim.x);
  __syncthreads();
  unsigned t = first + threadIdx.x;
  if (t >= n)
    return;
  // row t of the lower matrix, read as row n-1-t of an upper one
  int k = ptr[t], end = ptr[t + 1];
  int me = n - 1 - (int)t;
  float sum = 0.f;
  bool done = false;
  while (!done) {
    if (k == end) {
      x[me] = (b[me] - sum) / dia[t];
      __threadfence();
      flags[me] = 1;
      done = true;
    } else {
      int c = n - 1 - idx[k];
      if (flags[c] != 0) {
        __threadfence();
        sum += val[k] * x[c];
        k++;
      }
    }
  }
}

__global__ void combine(int n, const float* y, float* b, float w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = b[i] * (1.0f - w) + w * y[i];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2000;
  csr_t a = make_lower(n, 24);
  float* b = (float*)malloc(n * sizeof(float));
  for (int i = 0; i < n; i++)
    b[i] = 1.0f + (rng() % 1000) * 0.001f;

  int *d_ptr, *d_idx, *d_flags;
  float *d_val, *d_dia, *d_b, *d_x;
  unsigned* d_ticket;
  CU(cudaMalloc((void**)&d_ptr, (n + 1) * sizeof(int)));
  CU(cudaMalloc((void**)&d_idx, (a.nnz + 1) * sizeof(int)));
  CU(cudaMalloc((void**)&d_val, (a.nnz + 1) * sizeof(float)));
  CU(cudaMalloc((void**)&d_dia, n * sizeof(float)));
  CU(cudaMalloc((void**)&d_b, n * sizeof(float)));
  CU(cudaMalloc((void**)&d_x, n * sizeof(float)));
  CU(cudaMalloc((void**)&d_flags, n * sizeof(int)));
  CU(cudaMalloc((void**)&d_ticket, sizeof(unsigned)));
  CU(cudaMemcpy(d_ptr, a.ptr, (n + 1) * sizeof(int), cudaMemcpyHostToDevice));
  CU(cudaMemcpy(d_idx, a.idx, a.nnz * sizeof(int), cudaMemcpyHostToDevice));
  CU(cudaMemcpy(d_val, a.val, a.nnz * sizeof(float), cudaMemcpyHostToDevice));
  CU(cudaMemcpy(d_dia, a.dia, n * sizeof(float), cudaMemcpyHostToDevice));
  CU(cudaMemcpy(d_b, b, n * sizeof(float), cudaMemcpyHostToDevice));

  const int sweeps = 3;
  int grid = (n + 255) / 256;
  int warp_grid = (n + WARPS_PER_BLOCK - 1) / WARPS_PER_BLOCK;
  for (int s = 0; s < sweeps; s++) {
    clear_flags<<<grid, 256>>>(n, d_flags, d_ticket);
    solve_warp<<<warp_grid, 32 * WARPS_PER_BLOCK>>>(n, d_ptr, d_idx, d_val, d_dia, d_b, d_x,
                                                    d_flags, d_ticket);
    combine<<<grid, 256>>>(n, d_x, d_b, 0.5f);
    clear_flags<<<grid, 256>>>(n, d_flags, d_ticket);
    solve_thread_reverse<<<(n + 63) / 64, 64>>>(n, d_ptr, d_idx, d_val, d_dia, d_b, d_x, d_flags,
                                                d_ticket);
    combine<<<grid, 256>>>(n, d_x, d_b, 0.25f);
    CU(cudaGetLastError());
  }
  CU(cudaDeviceSynchronize());
  float* got = (float*)malloc(n * sizeof(float));
  CU(cudaMemcpy(got, d_b, n * sizeof(float), cudaMemcpyDeviceToHost));

  double* hb = (double*)malloc(n * sizeof(double));
  double* hx = (double*)malloc(n * sizeof(double));
  for (int i = 0; i < n; i++)
    hb[i] = b[i];
  for (int s = 0; s < sweeps; s++) {
    for (int i = 0; i < n; i++) {
      double t = hb[i];
      for (int k = a.ptr[i]; k < a.ptr[i + 1]; k++)
        t -= a.val[k] * hx[a.idx[k]];
      hx[i] = t / a.dia[i];
    }
    for (int i = 0; i < n; i++)
      hb[i] = 0.5 * hb[i] + 0.5 * hx[i];
    for (int i = 0; i < n; i++) {
      int me = n - 1 - i;
      double t = hb[me];
      for (int k = a.ptr[i]; k < a.ptr[i + 1]; k++)
        t -= a.val[k] * hx[n - 1 - a.idx[k]];
      hx[me] = t / a.dia[i];
    }
    for (int i = 0; i < n; i++)
      hb[i] = 0.75 * hb[i] + 0.25 * hx[i];
  }
  int bad = 0;
  for (int i = 0; i < n; i++)
    if (!(fabs(hb[i] - got[i]) < 1e-3))
      bad++;
  printf("nnz %d, last value %f\n", a.nnz, got[n - 1]);
  if (bad)
    printf("FAIL %d wrong values\n", bad);
  else
    printf("PASS\n");
  return bad ? 1 : 0;
}
