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

__device__ int cursor = 0;

// Gives every dry lane of the warp the next item; numbers from n on mean that none is left.
__device__ int nextItem(bool dry, int item) {
  unsigned votes = __ballot_sync(0xffffffffu, dry);
  int lane = threadIdx.x & 31;
  int base = 0;
  if (lane == 0 && votes != 0) base = atomicAdd(&cursor, __popc(votes));
  base = __shfl_sync(0xffffffffu, base, 0);
  return dry ? base + __popc(votes & ((1u << lane) - 1u)) : item;
}

__global__ void transport(unsigned char* fate, unsigned short* collisions, int neutrons,
                          float thickness, float absorb) {
  int i = 0, hits = 0;
  unsigned s = 0;
  float x = 0.0f, mu = 1.0f;
  bool dry = true;
  while (true) {
    bool fresh = dry && i < neutrons;
    i = nextItem(fresh, i);
    if (fresh && i < neutrons) {
      s = i * 2246822519u + 12345u;
      uniform(s);
      x = 0.0f;
      mu = 1.0f;
      hits = 0;
      dry = false;
    }
    if (__all_sync(0xffffffffu, dry)) break;
    if (!dry) {
      unsigned char end = ABSORBED;
      for (int burst = 0; burst < 4 && !dry; ++burst) {
        x += -logf(uniform(s)) * mu;
        if (x < 0.0f || x > thickness) {
          end = x < 0.0f ? REFLECTED : PASSED;
          dry = true;
        } else {
          ++hits;
          if (uniform(s) < absorb) {
            dry = true;
          } else {
            mu = 2.0f * uniform(s) - 1.0f;
          }
        }
      }
      if (dry) {
        fate[i] = end;
        collisions[i] = hits;
      }
    }
  }
}

int main(int argc, char** argv) {
  int neutrons = argc > 1 ? std::atoi(argv[1]) : 2000000;
  unsigned char* dFate;
  unsigned short* dCollisions;
  cudaMalloc(&dFate, neutrons);
  cudaMalloc(&dCollisions, neutrons * sizeof(unsigned short));
  transport<<<(neutrons + 2047) / 2048, 256>>>(dFate, dCollisions, neutrons, 12.0f, 0.01f);
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
