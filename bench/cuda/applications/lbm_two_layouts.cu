// SPDX-License-Identifier: Apache-2.0
// Lattice Boltzmann D2Q9 flow around an obstacle in two memory layouts.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CK(x)                                                                                      \
  do {                                                                                             \
    if ((x) != cudaSuccess) {                                                                      \
      printf("FAIL %s\n", #x);                                                                     \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

constexpr int Q = 9;
__constant__ int dcx[Q], dcy[Q], dopp[Q];
__constant__ float dw[Q];
const int cx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
const int cy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
const int opp[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
const float wt[Q] = {4.f / 9,  1.f / 9,  1.f / 9,  1.f / 9, 1.f / 9,
                     1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};

struct CellMajor { // all populations of a cell together
  static __host__ __device__ size_t at(int cell, int q, int cells) { return (size_t)cell * Q + q; }
};
struct DirectionMajor { // a plane per direction
  static __host__ __device__ size_t at(int cell, int q, int cells) {
    return (size_t)q * cells + cell;
  }
};

__host__ __device__ inline bool solid(int x, int y, int w, int h) {
  if (y == 0 || y == h - 1)
    return true;
  int s = h / 8;
  return x > w / 4 && x < w / 4 + s && y > h / 2 - s / 2 && y < h / 2 + s / 2 + 1;
}

__host__ __device__ inline float equilibrium(float weight, int ex, int ey, float rho, float ux,
                                             float uy) {
  float eu = ex * ux + ey * uy;
  return weight * rho * (1.f + 3.f * eu + 4.5f * eu * eu - 1.5f * (ux * ux + uy * uy));
}

template <class L> __global__ void init(float* f, int w, int h) {
  int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= w * h)
    return;
  int y = cell / w, x = cell % w;
  float uy = 0.01f * sinf(0.05f * x);
  float ux = 0.08f * (1.f - (2.f * y / h - 1.f) * (2.f * y / h - 1.f));
  for (int q = 0; q < Q; q++)
    f[L::at(cell, q, w * h)] = equilibrium(dw[q], dcx[q], dcy[q], 1.f, ux, uy);
}

// pull, bounce back, collide; x is periodic and a small force drives the flow
template <class L>
__global__ void step(const float* __restrict__ f, float* __restrict__ g, int w, int h,
                     float omega) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int cells = w * h, cell = y * w + x;
  if (solid(x, y, w, h)) {
    for (int q = 0; q < Q; q++)
      g[L::at(cell, q, cells)] = f[L::at(cell, q, cells)];
    return;
  }
  float p[Q], rho = 0, ux = 0, uy = 0;
#pragma unroll
  for (int q = 0; q < Q; q++) {
    int sx = (x - dcx[q] + w) % w, sy = y - dcy[q];
    if (solid(sx, sy, w, h))
      p[q] = f[L::at(cell, dopp[q], cells)];
    else
      p[q] = f[L::at(sy * w + sx, q, cells)];
    rho += p[q];
    ux += dcx[q] * p[q];
    uy += dcy[q] * p[q];
  }
  ux = ux / rho + 1e-5f;
  uy /= rho;
#pragma unroll
  for (int q = 0; q < Q; q++)
    g[L::at(cell, q, cells)] =
        p[q] + omega * (equilibrium(dw[q], dcx[q], dcy[q], rho, ux, uy) - p[q]);
}

template <class L> __global__ void moments(const float* f, float* speed, int w, int h) {
  int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= w * h)
    return;
  float rho = 0, ux = 0, uy = 0;
  for (int q = 0; q < Q; q++) {
    float p = f[L::at(cell, q, w * h)];
    rho += p;
    ux += dcx[q] * p;
    uy += dcy[q] * p;
  }
  speed[cell] = solid(cell % w, cell / w, w, h) ? 0.f : sqrtf(ux * ux + uy * uy) / rho;
}

template <class L> std::vector<float> simulate(int w, int h, int steps, float omega) {
  int n = w * h;
  float *a, *b, *s;
  CK(cudaMalloc(&a, sizeof(float) * Q * n));
  CK(cudaMalloc(&b, sizeof(float) * Q * n));
  CK(cudaMalloc(&s, sizeof(float) * n));
  init<L><<<(n + 127) / 128, 128>>>(a, w, h);
  dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
  for (int t = 0; t < steps; t++) {
    step<L><<<grid, block>>>(a, b, w, h, omega);
    std::swap(a, b);
  }
  moments<L><<<(n + 127) / 128, 128>>>(a, s, w, h);
  CK(cudaDeviceSynchronize());
  std::vector<float> out(n);
  CK(cudaMemcpy(out.data(), s, sizeof(float) * n, cudaMemcpyDeviceToHost));
  cudaFree(a);
  cudaFree(b);
  cudaFree(s);
  return out;
}

static std::vector<float> reference(int w, int h, int steps, float omega) {
  int n = w * h;
  std::vector<float> f((size_t)n * Q), g((size_t)n * Q), out(n, 0.f);
  for (int c = 0; c < n; c++) {
    float v = 2.f * (c / w) / h - 1.f;
    for (int q = 0; q < Q; q++)
      f[(size_t)c * Q + q] = equilibrium(wt[q], cx[q], cy[q], 1.f, 0.08f * (1.f - v * v),
                                         0.01f * std::sin(0.05f * (c % w)));
  }
  for (int t = 0; t < steps; t++) {
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        int c = y * w + x;
        if (solid(x, y, w, h)) {
          for (int q = 0; q < Q; q++)
            g[(size_t)c * Q + q] = f[(size_t)c * Q + q];
          continue;
        }
        float p[Q], rho = 0, ux = 0, uy = 0;
        for (int q = 0; q < Q; q++) {
          int sx = (x - cx[q] + w) % w, sy = y - cy[q];
          p[q] = solid(sx, sy, w, h) ? f[(size_t)c * Q + opp[q]] : f[(size_t)(sy * w + sx) * Q + q];
          rho += p[q];
          ux += cx[q] * p[q];
          uy += cy[q] * p[q];
        }
        ux = ux / rho + 1e-5f;
        uy /= rho;
        for (int q = 0; q < Q; q++)
          g[(size_t)c * Q + q] =
              p[q] + omega * (equilibrium(wt[q], cx[q], cy[q], rho, ux, uy) - p[q]);
      }
    f.swap(g);
  }
  for (int c = 0; c < n; c++) {
    if (solid(c % w, c / w, w, h))
      continue;
    float rho = 0, ux = 0, uy = 0;
    for (int q = 0; q < Q; q++) {
      rho += f[(size_t)c * Q + q];
      ux += cx[q] * f[(size_t)c * Q + q];
      uy += cy[q] * f[(size_t)c * Q + q];
    }
    out[c] = std::sqrt(ux * ux + uy * uy) / rho;
  }
  return out;
}

int main(int argc, char** argv) {
  int w = argc > 1 ? atoi(argv[1]) : 192, h = w / 2 + 3, steps = 5;
  CK(cudaMemcpyToSymbol(dcx, cx, sizeof cx));
  CK(cudaMemcpyToSymbol(dcy, cy, sizeof cy));
  CK(cudaMemcpyToSymbol(dopp, opp, sizeof opp));
  CK(cudaMemcpyToSymbol(dw, wt, sizeof wt));
  auto aos = simulate<CellMajor>(w, h, steps, 1.2f);
  auto soa = simulate<DirectionMajor>(w, h, steps, 1.2f);
  auto ref = reference(w, h, steps, 1.2f);
  double e = 0, mean = 0;
  for (size_t c = 0; c < ref.size(); c++) {
    double d = std::fabs(aos[c] - ref[c]) + std::fabs(soa[c] - ref[c]);
    if (!(d <= e))
      e = d;
    mean += ref[c];
  }
  mean /= ref.size();
  if (!(e < 1e-4) || !(mean > 0.01)) {
    printf("FAIL error %g mean %g\n", e, mean);
    return 1;
  }
  printf("PASS mean speed %g\n", mean);
  return 0;
}
