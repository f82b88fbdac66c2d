// SPDX-License-Identifier: Apache-2.0
// Follows neutrons through a scattering slab until each is absorbed or leaves on either side.
#include <cstdio>
#include <cstdlib>
#include <vector>

enum Fate { ABSORBED, REFLECTED, PASSED };

__device__ float uniform(unsigned& s) {
  s = s * 1664525u + 1013904223u;
  return ((s >> 8) + 0.5f) / 16777216.0f;
}

__global__ void transport(unsigned char* fate, unsigned short* collisions, int neutrons,
                          float thickness, float absorb) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= neutrons) return;
  unsigned s = i * 2246822519u + 12345u;
  uniform(s);
  float x = 0.0f, mu = 1.0f;
  int hits = 0;
  unsigned char end = ABSORBED;
  while (true) {
    x += -logf(uniform(s)) * mu;
    if (x < 0.0f) {
      end = REFLECTED;
      break;
    }
    if (x > thickness) {
      end = PASSED;
      break;
    }
    ++hits;
    if (uniform(s) < absorb) break;
    mu = 2.0f * uniform(s) - 1.0f;
  }
  fate[i] = end;
  collisions[i] = hits;
}

int main(int argc, char** argv) {
  int neutrons = argc > 1 ? std::atoi(argv[1]) : 2000000;
  unsigned char* dFate;
  unsigned short* dCollisions;
  cudaMalloc(&dFate, neutrons);
  cudaMalloc(&dCollisions, neutrons * sizeof(unsigned short));
  transport<<<(neutrons + 255) / 256, 256>>>(dFate, dCollisions, neutrons, 12.0f, 0.01f);
  std::vector<unsigned char> fate(neutrons);
  std::vector<unsigned short> collisions(neutrons);
  cudaMemcpy(fate.data(), dFate, neutrons, cudaMemcpyDeviceToHost);
  cudaMemcpy(collisions.data(), dCollisions, neutrons * sizeof(unsigned short),
             cudaMemcpyDeviceToHost);
  double share[3] = {0, 0, 0}, hits = 0;
  for (int i = 0; i < neutrons; ++i) {
    share[fate[i]] += 1.0 / neutrons;
    hits += collisions[i];
  }
  std::printf("absorbed %.4f reflected %.4f passed %.4f, mean collisions %.3f\n",
              share[ABSORBED], share[REFLECTED], share[PASSED], hits / neutrons);
  cudaFree(dFate);
  cudaFree(dCollisions);
  return 0;
}
