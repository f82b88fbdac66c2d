// SPDX-License-Identifier: Apache-2.0
// 3D acoustic wave modelling with an 8th-order stencil, damping and receivers.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RADIUS 4
#define STEPS 5

__constant__ float coef[RADIUS + 1];
static const float hcoef[RADIUS + 1] = {-205.0f / 72.0f, 8.0f / 5.0f, -1.0f / 5.0f, 8.0f / 315.0f,
                                        -1.0f / 560.0f};

struct Model {
  int nx, ny, nz; /* inner points; arrays carry RADIUS points on each side */
  int sy, sz;     /* strides */
  size_t total;
};

static void abortOn(cudaError_t e, int line) {
  if (e != cudaSuccess) {
    printf("FAIL line %d %s\n", line, cudaGetErrorString(e));
    exit(1);
  }
}
#define G(x) abortOn(x, __LINE__)

__host__ __device__ inline float velocity2(int z, int nz) {
  /* (v dt / dx)^2, three layers */
  return z < nz / 3 ? 0.06f : z < 2 * nz / 3 ? 0.10f : 0.15f;
}
__host__ __device__ inline float damping(const Model& m, int x, int y, int z) {
  int d = min(min(min(x, m.nx - 1 - x), min(y, m.ny - 1 - y)), m.nz - 1 - z);
  return d < 6 ? 1.0f - 0.01f * (6 - d) : 1.0f;
}

/* every neighbour from global memory */
__global__ void propagateSimple(Model m, const float* __restrict__ cur, float* __restrict__ prev) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= m.nx || y >= m.ny || z >= m.nz)
    return;
  size_t c = (size_t)(z + RADIUS) * m.sz + (y + RADIUS) * m.sy + x + RADIUS;
  float lap = 3.0f * coef[0] * cur[c];
#pragma unroll
  for (int r = 1; r <= RADIUS; r++)
    lap += coef[r] * (cur[c - r] + cur[c + r] + cur[c - r * m.sy] + cur[c + r * m.sy] +
                      cur[c - r * m.sz] + cur[c + r * m.sz]);
  float d = damping(m, x, y, z);
  prev[c] = d * (2.0f * cur[c] - d * prev[c] + velocity2(z, m.nz) * lap);
}

/* tile of a plane in shared memory, the z column in registers */
template <int BX, int BY> __global__ void propagateMarch(Model m, const float* cur, float* prev) {
  __shared__ float tile[BY + 2 * RADIUS][BX + 2 * RADIUS];
  int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
  bool inside = x < m.nx && y < m.ny;
  int xs = min(x, m.nx - 1), ys = min(y, m.ny - 1);
  size_t base = (size_t)(ys + RADIUS) * m.sy + xs + RADIUS;
  float q[2 * RADIUS + 1];
  for (int k = 0; k < 2 * RADIUS; k++)
    q[k + 1] = cur[base + (size_t)k * m.sz];
  for (int z = 0; z < m.nz; z++) {
    for (int k = 0; k < 2 * RADIUS; k++)
      q[k] = q[k + 1];
    q[2 * RADIUS] = cur[base + (size_t)(z + 2 * RADIUS) * m.sz];
    __syncthreads();
    const float* plane = cur + (size_t)(z + RADIUS) * m.sz;
    for (int b = threadIdx.y; b < BY + 2 * RADIUS; b += BY)
      for (int a = threadIdx.x; a < BX + 2 * RADIUS; a += BX) {
        int gx = blockIdx.x * BX + a, gy = blockIdx.y * BY + b;
        tile[b][a] =
            gx < m.nx + 2 * RADIUS && gy < m.ny + 2 * RADIUS ? plane[gy * m.sy + gx] : 0.0f;
      }
    __syncthreads();
    if (inside) {
      int tx = threadIdx.x + RADIUS, ty = threadIdx.y + RADIUS;
      float lap = 3.0f * coef[0] * q[RADIUS];
#pragma unroll
      for (int r = 1; r <= RADIUS; r++)
        lap += coef[r] * (tile[ty][tx - r] + tile[ty][tx + r] + tile[ty - r][tx] +
                          tile[ty + r][tx] + q[RADIUS - r] + q[RADIUS + r]);
      size_t c = base + (size_t)(z + RADIUS) * m.sz;
      float d = damping(m, x, y, z);
      prev[c] = d * (2.0f * q[RADIUS] - d * prev[c] + velocity2(z, m.nz) * lap);
    }
  }
}

__global__ void inject(Model m, float* p, float amplitude) {
  /* a small cube of points around the shot */
  int dx = threadIdx.x - 1, dy = threadIdx.y - 1, dz = threadIdx.z - 1;
  size_t c = (size_t)(m.nz / 4 + dz + RADIUS) * m.sz + (m.ny / 2 + dy + RADIUS) * m.sy + m.nx / 2 +
             dx + RADIUS;
  p[c] += amplitude / (1 + dx * dx + dy * dy + dz * dz);
}

__global__ void receivers(Model m, const float* p, float* gather, int step) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < m.nx)
    gather[r * STEPS + step] =
        p[(size_t)(m.nz / 4 + 3 + RADIUS) * m.sz + (m.ny / 2 + RADIUS) * m.sy + r + RADIUS];
}

int main(int argc, char** argv) {
  Model m;
  m.nx = argc > 1 ? atoi(argv[1]) : 48;
  if (m.nx < 16)
    m.nx = 16;
  m.ny = m.nx - 3;
  m.nz = m.nx - 8;
  m.sy = m.nx + 2 * RADIUS;
  m.sz = m.sy * (m.ny + 2 * RADIUS);
  m.total = (size_t)m.sz * (m.nz + 2 * RADIUS);
  size_t bytes = m.total * sizeof(float);
  float *cur, *prev, *gather;
  G(cudaMalloc(&cur, bytes));
  G(cudaMalloc(&prev, bytes));
  G(cudaMalloc(&gather, m.nx * STEPS * sizeof(float)));
  G(cudaMemset(prev, 0, bytes));
  G(cudaMemcpyToSymbol(coef, hcoef, sizeof hcoef));
  float* hc = (float*)calloc(m.total, sizeof(float));
  float* hp = (float*)calloc(m.total, sizeof(float));
  unsigned s = 7;
  for (int z = 0; z < m.nz; z++)
    for (int y = 0; y < m.ny; y++)
      for (int x = 0; x < m.nx; x++) {
        s = s * 69069u + 1u;
        hc[(size_t)(z + RADIUS) * m.sz + (y + RADIUS) * m.sy + x + RADIUS] =
            (s >> 16) / 65536.0f * 0.1f;
      }
  G(cudaMemcpy(cur, hc, bytes, cudaMemcpyHostToDevice));

  for (int t = 0; t < STEPS; t++) {
    float a = 0.5f * (t - 2), amp = (1 - 2 * a * a) * expf(-a * a);
    if (t % 2 == 0)
      propagateSimple<<<dim3((m.nx + 31) / 32, (m.ny + 3) / 4, (m.nz + 1) / 2), dim3(32, 4, 2)>>>(
          m, cur, prev);
    else
      propagateMarch<32, 8><<<dim3((m.nx + 31) / 32, (m.ny + 7) / 8), dim3(32, 8)>>>(m, cur, prev);
    inject<<<1, dim3(3, 3, 3)>>>(m, prev, amp);
    receivers<<<(m.nx + 127) / 128, 128>>>(m, prev, gather, t);
    float* tmp = cur;
    cur = prev;
    prev = tmp;
  }
  G(cudaDeviceSynchronize());
  float* out = (float*)malloc(bytes);
  float* hg = (float*)malloc(m.nx * STEPS * sizeof(float));
  G(cudaMemcpy(out, cur, bytes, cudaMemcpyDeviceToHost));
  G(cudaMemcpy(hg, gather, m.nx * STEPS * sizeof(float), cudaMemcpyDeviceToHost));
  double worst = 0;
  for (int t = 0; t < STEPS; t++) {
    for (int z = 0; z < m.nz; z++)
      for (int y = 0; y < m.ny; y++)
        for (int x = 0; x < m.nx; x++) {
          size_t c = (size_t)(z + RADIUS) * m.sz + (y + RADIUS) * m.sy + x + RADIUS;
          float lap = 3.0f * hcoef[0] * hc[c];
          for (int r = 1; r <= RADIUS; r++)
            lap += hcoef[r] * (hc[c - r] + hc[c + r] + hc[c - r * m.sy] + hc[c + r * m.sy] +
                               hc[c - (size_t)r * m.sz] + hc[c + (size_t)r * m.sz]);
          float d = damping(m, x, y, z);
          hp[c] = d * (2.0f * hc[c] - d * hp[c] + velocity2(z, m.nz) * lap);
        }
    float a = 0.5f * (t - 2), amp = (1 - 2 * a * a) * expf(-a * a);
    for (int k = 0; k < 27; k++) {
      int dx = k % 3 - 1, dy = k / 3 % 3 - 1, dz = k / 9 - 1;
      hp[(size_t)(m.nz / 4 + dz + RADIUS) * m.sz + (m.ny / 2 + dy + RADIUS) * m.sy + m.nx / 2 + dx +
         RADIUS] += amp / (1 + dx * dx + dy * dy + dz * dz);
    }
    for (int r = 0; r < m.nx; r++) {
      double e = fabs(
          hg[r * STEPS + t] -
          hp[(size_t)(m.nz / 4 + 3 + RADIUS) * m.sz + (m.ny / 2 + RADIUS) * m.sy + r + RADIUS]);
      if (!(e <= worst))
        worst = e;
    }
    float* tmp = hc;
    hc = hp;
    hp = tmp;
  }
  for (size_t c = 0; c < m.total; c++) {
    double e = fabs(out[c] - hc[c]);
    if (!(e <= worst))
      worst = e;
  }
  if (!(worst < 1e-4)) {
    printf("FAIL worst %g\n", worst);
    return 1;
  }
  printf("PASS worst %g\n", worst);
  return 0;
}
