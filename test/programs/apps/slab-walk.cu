// SPDX-License-Identifier: Apache-2.0
// Particles walk at random through a slab: absorbed, reflected or transmitted, each after its own
// number of steps. Arguments: particles.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CUDA_CHECK(call)                                                                           \
  do {                                                                                             \
    cudaError_t error = (call);                                                                    \
    if (error != cudaSuccess) {                                                                    \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));               \
      printf("FAIL\n");                                                                            \
      exit(EXIT_FAILURE);                                                                          \
    }                                                                                              \
  } while (0)

enum { ABSORBED, REFLECTED, TRANSMITTED, OUTCOMES };

struct Random {
  unsigned long long state;
  __host__ __device__ unsigned draw() {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 33);
  }
};

// Depth in whole units, so that host and device agree to the last particle.
__host__ __device__ int walk(int id, int thickness, int* steps) {
  Random random{(unsigned long long)id * 2654435761u + 17};
  int depth = 0, direction = 1;
  for (*steps = 1;; ++*steps) {
    depth += direction * (int)(1 + random.draw() % 100);
    if (depth < 0)
      return REFLECTED;
    if (depth > thickness)
      return TRANSMITTED;
    unsigned event = random.draw() % 100;
    if (event < 15)
      return ABSORBED;
    if (event < 60) { // scattered, else it goes on
      direction = random.draw() & 1 ? 1 : -1;
      if (event < 25)
        depth += direction * 5;
    }
  }
}

__global__ void transport(int particles, int thickness, unsigned* tally,
                          unsigned long long* totalSteps) {
  __shared__ unsigned local[OUTCOMES];
  if (threadIdx.x < OUTCOMES)
    local[threadIdx.x] = 0;
  __syncthreads();
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < particles) {
    int steps;
    atomicAdd(&local[walk(id, thickness, &steps)], 1u);
    atomicAdd(totalSteps, (unsigned long long)steps);
  }
  __syncthreads();
  if (threadIdx.x < OUTCOMES)
    atomicAdd(&tally[threadIdx.x], local[threadIdx.x]);
}

int main(int argc, char** argv) {
  int particles = argc > 1 ? atoi(argv[1]) : 20000, thickness = 400;
  unsigned *d_tally, tally[OUTCOMES], want[OUTCOMES] = {};
  unsigned long long *d_steps, steps = 0, wantSteps = 0;
  CUDA_CHECK(cudaMalloc(&d_tally, sizeof(tally)));
  CUDA_CHECK(cudaMalloc(&d_steps, sizeof(steps)));
  CUDA_CHECK(cudaMemset(d_tally, 0, sizeof(tally)));
  CUDA_CHECK(cudaMemset(d_steps, 0, sizeof(steps)));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  CUDA_CHECK(cudaEventRecord(start));
  transport<<<(particles + 127) / 128, 128>>>(particles, thickness, d_tally, d_steps);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  CUDA_CHECK(cudaMemcpy(tally, d_tally, sizeof(tally), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(&steps, d_steps, sizeof(steps), cudaMemcpyDeviceToHost));
  for (int id = 0; id < particles; ++id) {
    int s;
    ++want[walk(id, thickness, &s)];
    wantSteps += s;
  }
  printf("absorbed %u, reflected %u, transmitted %u, %.2f steps each, %.3f ms\n", tally[0],
         tally[1], tally[2], (double)steps / particles, ms);
  for (int k = 0; k < OUTCOMES; ++k)
    if (tally[k] != want[k] || steps != wantSteps) {
      printf("FAIL: outcome %d is %u, expected %u\n", k, tally[k], want[k]);
      return 1;
    }
  printf("PASS\n");
  return 0;
}
