// SPDX-License-Identifier: Apache-2.0
// FLAGS: -rdc=true
// The definitions that main.cu uses.
#include "particles.h"

__device__ int steps = 1;
__constant__ int gravity[2] = {0, 0};

__host__ __device__ void Particle::advance(int width) {
  x = (x + vx + 10 * width) % width;
  y = (y + vy + 10 * width) % width;
}

__host__ __device__ int Particle::energy() const {
  return vx * vx + vy * vy;
}

__device__ int weigh(const Particle& p) {
  return p.energy() + steps;
}

__global__ void clearAll(int* v, int n) {
  if ((int)threadIdx.x < n)
    v[threadIdx.x] = 0;
}
