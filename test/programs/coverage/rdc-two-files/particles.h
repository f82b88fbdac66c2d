// SPDX-License-Identifier: Apache-2.0
// What the two files of this program share: a type with functions of the other file, variables of
// the device, and a kernel.
#ifndef PARTICLES_H
#define PARTICLES_H

struct Particle {
  int x, y, vx, vy;
  __host__ __device__ void advance(int width); // particles.cu
  __host__ __device__ int energy() const;
};

extern __device__ int steps;
extern __constant__ int gravity[2];
__device__ int weigh(const Particle& p);
__global__ void clearAll(int* v, int n);

#endif
