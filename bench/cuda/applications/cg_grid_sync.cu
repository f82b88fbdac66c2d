// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients for a 2D Poisson problem in one kernel that synchronises the grid.
#include <algorithm>
#include <cmath>
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cg = cooperative_groups;

#define CHECKED(call)                                                                              \
  do {                                                                                             \
    cudaError_t status = call;                                                                     \
    if (status != cudaSuccess) {                                                                   \
      std::printf("FAIL %s in %s:%d\n", cudaGetErrorString(status), __FILE__, __LINE__);           \
      std::exit(EXIT_FAILURE);                                                                     \
    }                                                                                              \
  } while (0)

constexpr int kBlock = 256;

// (4 + shift) on the diagonal, -1 for the four neighbours
__device__ __forceinline__ float applyStencil(const float* p, int w, int h, int i, float shift) {
  int x = i % w, y = i / w;
  float v = (4.0f + shift) * p[i];
  if (x > 0)
    v -= p[i - 1];
  if (x + 1 < w)
    v -= p[i + 1];
  if (y > 0)
    v -= p[i - w];
  if (y + 1 < h)
    v -= p[i + w];
  return v;
}

__device__ void addToTotal(double value, double* total, double* scratch) {
  for (int o = 16; o > 0; o /= 2)
    value += __shfl_down_sync(0xffffffffu, value, o);
  if (threadIdx.x % 32 == 0)
    scratch[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x == 0) {
    double sum = 0;
    for (int w = 0; w < kBlock / 32; ++w)
      sum += scratch[w];
    atomicAdd(total, sum);
  }
  __syncthreads();
}

// dots holds 2 values for each iteration, all of them 0 at the start
__global__ void __launch_bounds__(kBlock)
    solve(const float* b, float* x, float* r, float* p, float* q, double* dots, int w, int h,
          float shift, int iterations) {
  cg::grid_group grid = cg::this_grid();
  __shared__ double scratch[kBlock / 32];
  int n = w * h;
  int first = (int)grid.thread_rank(), step = (int)grid.size();
  double part = 0;
  for (int i = first; i < n; i += step) {
    x[i] = 0.0f;
    r[i] = b[i];
    p[i] = b[i];
    part += (double)b[i] * b[i];
  }
  addToTotal(part, &dots[0], scratch);
  grid.sync();
  for (int it = 0; it < iterations; ++it) {
    double rr = dots[2 * it];
    part = 0;
    for (int i = first; i < n; i += step) {
      float v = applyStencil(p, w, h, i, shift);
      q[i] = v;
      part += (double)p[i] * v;
    }
    addToTotal(part, &dots[2 * it + 1], scratch);
    grid.sync();
    float alpha = (float)(rr / dots[2 * it + 1]);
    part = 0;
    for (int i = first; i < n; i += step) {
      x[i] += alpha * p[i];
      float v = r[i] - alpha * q[i];
      r[i] = v;
      part += (double)v * v;
    }
    addToTotal(part, &dots[2 * it + 2], scratch);
    grid.sync();
    float beta = (float)(dots[2 * it + 2] / rr);
    for (int i = first; i < n; i += step)
      p[i] = r[i] + beta * p[i];
    grid.sync();
  }
}

__global__ void rightSide(float* b, int w, int h, int step) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    b[y * w + x] = sinf(0.05f * x + step) * cosf(0.03f * y) + ((x * 7 + y * 13) % 11) * 0.1f;
}

__global__ void residual(const float* b, const float* x, double* norm, int w, int h, float shift) {
  __shared__ double scratch[kBlock / 32];
  double part = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < w * h; i += gridDim.x * blockDim.x) {
    float v = b[i] - applyStencil(x, w, h, i, shift);
    part += (double)v * v;
  }
  addToTotal(part, norm, scratch);
}

int main(int argc, char** argv) {
  int w = argc > 1 ? std::atoi(argv[1]) : 64;
  int h = w;
  int n = w * h;
  const float shift = 0.5f;
  int iterations = 20;
  float *b, *x, *r, *p, *q;
  double *dots, *norm;
  for (float** ptr : {&b, &x, &r, &p, &q})
    CHECKED(cudaMalloc(ptr, n * sizeof(float)));
  CHECKED(cudaMalloc(&dots, (2 * iterations + 1) * sizeof(double)));
  CHECKED(cudaMalloc(&norm, sizeof(double)));

  int device = 0, sms = 0, perSm = 0;
  CHECKED(cudaGetDevice(&device));
  CHECKED(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  CHECKED(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, solve, kBlock, 0));
  int grid = std::min(sms * std::min(perSm, 2), (n + kBlock - 1) / kBlock);

  bool ok = true;
  for (int step = 0; step < 2; ++step) {
    dim3 tb(32, 4), tg((w + 31) / 32, (h + 3) / 4);
    rightSide<<<tg, tb>>>(b, w, h, step);
    CHECKED(cudaMemset(dots, 0, (2 * iterations + 1) * sizeof(double)));
    CHECKED(cudaMemset(norm, 0, sizeof(double)));
    void* args[] = {&b, &x, &r, &p, &q, &dots, &w, &h, (void*)&shift, &iterations};
    CHECKED(cudaLaunchCooperativeKernel((void*)solve, dim3(grid), dim3(kBlock), args));
    residual<<<64, kBlock>>>(b, x, norm, w, h, shift);
    std::vector<double> d(2 * iterations + 1);
    double rn;
    std::vector<float> hb(n), hx(n);
    CHECKED(cudaMemcpy(d.data(), dots, d.size() * sizeof(double), cudaMemcpyDeviceToHost));
    CHECKED(cudaMemcpy(&rn, norm, sizeof rn, cudaMemcpyDeviceToHost));
    CHECKED(cudaMemcpy(hb.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost));
    CHECKED(cudaMemcpy(hx.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost));

    // the residual again on the host: small, and the same as the device says
    double bb = 0, rr = 0;
    for (int i = 0; i < n; ++i) {
      int cx = i % w, cy = i / w;
      double v = (4.0 + shift) * hx[i];
      v -= (cx > 0 ? hx[i - 1] : 0) + (cx + 1 < w ? hx[i + 1] : 0);
      v -= (cy > 0 ? hx[i - w] : 0) + (cy + 1 < h ? hx[i + w] : 0);
      bb += (double)hb[i] * hb[i];
      rr += (hb[i] - v) * (hb[i] - v);
    }
    double relative = std::sqrt(rr / bb);
    std::printf("step %d: residual %g of %g (device %g)\n", step, std::sqrt(rr), std::sqrt(bb),
                std::sqrt(rn));
    ok = ok && relative < 1e-3 && std::fabs(d[0] - bb) < 1e-6 * bb &&
         std::fabs(std::sqrt(rn / bb) - relative) < 1e-5;
  }
  std::printf(ok ? "PASS\n" : "FAIL not solved\n");
  return ok ? 0 : 1;
}
