// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include "bodies.h"

#define TILE 64
#define SOFTENING 0.01f

static void check(cudaError_t e)
{
  if (e != cudaSuccess) {
    printf("CUDA: %s\n", cudaGetErrorString(e));
    exit(1);
  }
}

// Bodies beyond the radius are too far away to matter; the body itself is skipped.
__global__ void accelerate(Bodies b, float dt, float radius2)
{
  __shared__ float sx[TILE], sy[TILE], sz[TILE], sm[TILE];
  int i = blockIdx.x * TILE + threadIdx.x;
  float px = 0, py = 0, pz = 0;
  if (i < b.count) {
    px = b.x[i];
    py = b.y[i];
    pz = b.z[i];
  }
  float ax = 0, ay = 0, az = 0;
  for (int tile = 0; tile < b.count; tile += TILE) {
    int j = tile + threadIdx.x;
    if (j < b.count) {
      sx[threadIdx.x] = b.x[j];
      sy[threadIdx.x] = b.y[j];
      sz[threadIdx.x] = b.z[j];
      sm[threadIdx.x] = b.mass[j];
    }
    __syncthreads();
    int last = min(TILE, b.count - tile);
    for (int k = 0; k < last; k++) {
      if (tile + k == i)
        continue;
      float dx = sx[k] - px, dy = sy[k] - py, dz = sz[k] - pz;
      float r2 = dx * dx + dy * dy + dz * dz;
      if (r2 < radius2) {
        float inv = rsqrtf(r2 + SOFTENING);
        float f = sm[k] * inv * inv * inv;
        ax += f * dx;
        ay += f * dy;
        az += f * dz;
      }
    }
    __syncthreads();
  }
  if (i < b.count) {
    b.vx[i] += dt * ax;
    b.vy[i] += dt * ay;
    b.vz[i] += dt * az;
  }
}

__global__ void move(Bodies b, float dt)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= b.count)
    return;
  b.x[i] += dt * b.vx[i];
  b.y[i] += dt * b.vy[i];
  b.z[i] += dt * b.vz[i];
}

float advance_gpu(Bodies h, int steps, float dt, float radius)
{
  size_t bytes = h.count * sizeof(float);
  float *host[7] = {h.x, h.y, h.z, h.mass, h.vx, h.vy, h.vz}, *dev[7];
  for (int k = 0; k < 7; k++) {
    check(cudaMalloc(&dev[k], bytes));
    check(cudaMemcpy(dev[k], host[k], bytes, cudaMemcpyHostToDevice));
  }
  Bodies d = {h.count, dev[0], dev[1], dev[2], dev[3], dev[4], dev[5], dev[6]};

  cudaEvent_t start, stop;
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&stop));
  check(cudaEventRecord(start));
  int blocks = (h.count + TILE - 1) / TILE;
  for (int s = 0; s < steps; s++) {
    accelerate<<<blocks, TILE>>>(d, dt, radius * radius);
    move<<<blocks, TILE>>>(d, dt);
  }
  check(cudaGetLastError());
  check(cudaEventRecord(stop));
  check(cudaEventSynchronize(stop));
  float ms;
  check(cudaEventElapsedTime(&ms, start, stop));

  for (int k = 0; k < 7; k++) {
    check(cudaMemcpy(host[k], dev[k], bytes, cudaMemcpyDeviceToHost));
    check(cudaFree(dev[k]));
  }
  check(cudaEventDestroy(start));
  check(cudaEventDestroy(stop));
  return ms;
}
