// SPDX-License-Identifier: Apache-2.0
//
// Photons walk through a slab of tissue until they are absorbed. Two branches diverge: whether a step hits
// the boundary, and how many steps a photon lives. Try:
//
//   heddle run examples/01-divergence/photon.cu
#include <cstdio>
#include <heddle/schedule.cuh>

__device__ float uniform(unsigned& state) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) * (1.0f / 16777216.0f);
}

__global__ void transport(unsigned* seeds, float* absorbed, float thickness) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned state = seeds[i];
  float depth = 0.0f, direction = 1.0f, weight = 1.0f;
  heddle::scheduled_loop<heddle::word<0, 1, 1, 1, 1>, 2>(
      [&] {
        if (!(weight > 0.01f))
          return heddle::done;
        const float step = -0.1f * logf(uniform(state) + 1e-6f);
        depth += direction * step;
        return depth < 0.0f || depth > thickness ? 0 : 1;
      },
      [&] {
        const float inside = depth < 0.0f ? -depth : 2.0f * thickness - depth;
        const float reflected = 0.3f + 0.5f * fabsf(direction);
        depth = fminf(fmaxf(inside, 0.0f), thickness);
        direction = -direction;
        weight *= reflected;
        for (int bounce = 0; bounce < 4; ++bounce)
          weight *= 0.99f + 0.01f * cosf(weight * float(bounce));
      },
      [&] {
        weight *= 0.9f;
        direction = 2.0f * uniform(state) - 1.0f;
      });
  absorbed[i] = depth;
}

int main() {
  const int blocks = 512, threads = 128, photons = blocks * threads;
  static unsigned seeds[photons];
  static float absorbed[photons];
  for (int i = 0; i < photons; ++i)
    seeds[i] = 2654435761u * (i + 1);
  unsigned* deviceSeeds;
  float* deviceAbsorbed;
  cudaMalloc(&deviceSeeds, sizeof seeds);
  cudaMalloc(&deviceAbsorbed, sizeof absorbed);
  cudaMemcpy(deviceSeeds, seeds, sizeof seeds, cudaMemcpyHostToDevice);
  transport<<<blocks, threads>>>(deviceSeeds, deviceAbsorbed, 0.4f);
  const cudaError_t error = cudaMemcpy(absorbed, deviceAbsorbed, sizeof absorbed, cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) {
    printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  double sum = 0;
  for (const float depth : absorbed)
    sum += depth;
  printf("%d photons, mean depth %.4f\n", photons, sum / photons);
  cudaFree(deviceSeeds);
  cudaFree(deviceAbsorbed);
}
