// SPDX-License-Identifier: Apache-2.0
// Scalar wave equation with absorbing borders, a source and a line of receivers.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NT 14
#define NREC 64

inline void cudaOk(cudaError_t code, int line) {
  if (code != cudaSuccess) {
    printf("FAIL cuda error %s at line %d\n", cudaGetErrorString(code), line);
    exit(1);
  }
}
#define OK(x) cudaOk((x), __LINE__)

/* one thread per cell, flat index; c2 holds (c dt / dx)^2 */
__global__ void waveStep(float* next, const float* cur, const float* prev, const float* c2, int n) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= n * n)
    return;
  int x = id % n;
  int y = id / n;
  if (x > 0 && x < n - 1 && y > 0 && y < n - 1) {
    float lap = cur[id - 1] + cur[id + 1] + cur[id - n] + cur[id + n] - 4.0f * cur[id];
    next[id] = 2.0f * cur[id] - prev[id] + c2[id] * lap;
  }
}

/* Mur condition on the four sides; corners take the average of their neighbours afterwards. */
__global__ void murBorder(float* next, const float* cur, const float* c2, int n) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < 1 || k >= n - 1)
    return;
  int b[4], in[4];
  b[0] = k, in[0] = n + k;
  b[1] = (n - 1) * n + k, in[1] = (n - 2) * n + k;
  b[2] = k * n, in[2] = k * n + 1;
  b[3] = k * n + n - 1, in[3] = k * n + n - 2;
  for (int s = 0; s < 4; s++) {
    float c = sqrtf(c2[b[s]]);
    float r = (c - 1.0f) / (c + 1.0f);
    next[b[s]] = cur[in[s]] + r * (next[in[s]] - cur[b[s]]);
  }
}

__global__ void sourceAndRecord(float* next, float* traces, int step, int n) {
  int t = threadIdx.x;
  if (t == 0) {
    float a = 0.35f * (step - 6);
    next[(n / 2) * n + n / 3] += (1.0f - 2.0f * a * a) * expf(-a * a);
  }
  __syncthreads();
  int x = n / 3 - NREC / 4 + t;
  if (x < 0)
    x = 0;
  if (x >= n)
    x = n - 1;
  traces[step * NREC + t] = next[(n / 2 + 2) * n + x];
}

__global__ void energy(const float* cur, const float* prev, float* out, int n) {
  __shared__ float acc[8];
  int row = blockIdx.x;
  float e = 0;
  for (int x = threadIdx.x; x < n; x += blockDim.x) {
    float v = cur[row * n + x] - prev[row * n + x];
    e += v * v;
  }
  for (int o = 16; o > 0; o /= 2)
    e += __shfl_xor_sync(0xffffffff, e, o);
  if (threadIdx.x % 32 == 0)
    acc[threadIdx.x / 32] = e;
  __syncthreads();
  if (threadIdx.x == 0) {
    float s = 0;
    for (int w = 0; w < blockDim.x / 32; w++)
      s += acc[w];
    out[row] = s;
  }
}

static void hostRun(float* nx, float* cu, float* pr, const float* c2, float* traces, int n,
                    float** last, float** before) {
  for (int step = 0; step < NT; step++) {
    for (int y = 1; y < n - 1; y++)
      for (int x = 1; x < n - 1; x++) {
        int id = y * n + x;
        float lap = cu[id - 1] + cu[id + 1] + cu[id - n] + cu[id + n] - 4.0f * cu[id];
        nx[id] = 2.0f * cu[id] - pr[id] + c2[id] * lap;
      }
    for (int k = 1; k < n - 1; k++) {
      int b[4] = {k, (n - 1) * n + k, k * n, k * n + n - 1};
      int in[4] = {n + k, (n - 2) * n + k, k * n + 1, k * n + n - 2};
      for (int s = 0; s < 4; s++) {
        float c = sqrtf(c2[b[s]]);
        nx[b[s]] = cu[in[s]] + (c - 1.0f) / (c + 1.0f) * (nx[in[s]] - cu[b[s]]);
      }
    }
    float a = 0.35f * (step - 6);
    nx[(n / 2) * n + n / 3] += (1.0f - 2.0f * a * a) * expf(-a * a);
    for (int t = 0; t < NREC; t++) {
      int x = n / 3 - NREC / 4 + t;
      x = x < 0 ? 0 : x >= n ? n - 1 : x;
      traces[step * NREC + t] = nx[(n / 2 + 2) * n + x];
    }
    float* t = pr;
    pr = cu;
    cu = nx;
    nx = t;
  }
  *last = cu;
  *before = pr;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 256;
  if (n < 32)
    n = 32;
  size_t bytes = (size_t)n * n * sizeof(float);
  float* hc = (float*)malloc(bytes);
  float* h0 = (float*)calloc(n * n, sizeof(float));
  float* h1 = (float*)calloc(n * n, sizeof(float));
  float* h2 = (float*)calloc(n * n, sizeof(float));
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) {
      hc[y * n + x] = y > n / 2 ? 0.30f : 0.18f;
      float dx = (x - 0.1f * n) / (0.05f * n), dy = (y - 0.7f * n) / (0.05f * n);
      h0[y * n + x] = h1[y * n + x] = expf(-dx * dx - dy * dy);
    }
  float *prev, *cur, *next, *c2, *traces, *rows;
  OK(cudaMalloc((void**)&prev, bytes));
  OK(cudaMalloc((void**)&cur, bytes));
  OK(cudaMalloc((void**)&next, bytes));
  OK(cudaMalloc((void**)&c2, bytes));
  OK(cudaMalloc((void**)&traces, NT * NREC * sizeof(float)));
  OK(cudaMalloc((void**)&rows, n * sizeof(float)));
  OK(cudaMemcpy(prev, h0, bytes, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(cur, h1, bytes, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(c2, hc, bytes, cudaMemcpyHostToDevice));
  OK(cudaMemset(next, 0, bytes));

  cudaEvent_t t0, t1;
  cudaEventCreate(&t0);
  cudaEventCreate(&t1);
  cudaEventRecord(t0);
  for (int step = 0; step < NT; step++) {
    waveStep<<<(n * n + 511) / 512, 512>>>(next, cur, prev, c2, n);
    murBorder<<<(n + 127) / 128, 128>>>(next, cur, c2, n);
    sourceAndRecord<<<1, NREC>>>(next, traces, step, n);
    float* t = prev;
    prev = cur;
    cur = next;
    next = t;
  }
  energy<<<n, 256>>>(cur, prev, rows, n);
  cudaEventRecord(t1);
  OK(cudaDeviceSynchronize());
  float ms = 0;
  cudaEventElapsedTime(&ms, t0, t1);
  printf("time loop %f ms\n", ms);

  float* out = (float*)malloc(bytes);
  float htr[NT * NREC], gtr[NT * NREC];
  float* hrows = (float*)malloc(n * sizeof(float));
  OK(cudaMemcpy(out, cur, bytes, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(gtr, traces, sizeof gtr, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(hrows, rows, n * sizeof(float), cudaMemcpyDeviceToHost));
  float *last, *before;
  hostRun(h2, h1, h0, hc, htr, n, &last, &before);
  double worst = 0, e1 = 0, e2 = 0;
  for (int i = 0; i < n * n; i++) {
    double d = fabs((double)out[i] - last[i]);
    if (!(d <= worst))
      worst = d;
    e2 += (double)(last[i] - before[i]) * (last[i] - before[i]);
  }
  for (int i = 0; i < NT * NREC; i++)
    if (!(fabs(gtr[i] - htr[i]) <= worst))
      worst = fabs(gtr[i] - htr[i]);
  for (int i = 0; i < n; i++)
    e1 += hrows[i];
  if (!(worst < 2e-4) || !(fabs(e1 - e2) < 1e-3 * (1 + e2))) {
    printf("FAIL worst %g energies %g %g\n", worst, e1, e2);
    return 1;
  }
  printf("PASS energy %g\n", e1);
  return 0;
}
