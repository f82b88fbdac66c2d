// SPDX-License-Identifier: Apache-2.0
// Moves the particles that are still alive through a magnetic mirror field, in place.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

struct Particle {
  float3 pos;
  float3 vel;
  int alive;
  int pad;
};

__device__ float3 field(float3 p) {
  return make_float3(-0.2f * p.x * p.z, -0.2f * p.y * p.z, 1.0f + 0.2f * p.z * p.z);
}

__device__ float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

const int THREADS = 256;
const int TILES = 4;

// Appends the items of the warp's lanes that are wanted to the block's list.
__device__ void pack(bool wanted, int item, int* list, int* count) {
  unsigned votes = __ballot_sync(0xffffffffu, wanted);
  int lane = threadIdx.x & 31;
  int slot = 0;
  if (lane == 0 && votes != 0) slot = atomicAdd(count, __popc(votes));
  slot = __shfl_sync(0xffffffffu, slot, 0);
  if (wanted) list[slot + __popc(votes & ((1u << lane) - 1u))] = item;
}

__global__ void advance(Particle* particles, int count_n, int substeps, float dt) {
  __shared__ int list[THREADS * TILES];
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  for (int tile = 0; tile < TILES; ++tile) {
    int i = (blockIdx.x * TILES + tile) * THREADS + threadIdx.x;
    pack(i < count_n && particles[i].alive != 0, i, list, &count);
  }
  __syncthreads();
  for (int slot = threadIdx.x; slot < count; slot += THREADS) {
    int i = list[slot];
    float3 p = particles[i].pos;
    float3 v = particles[i].vel;
    for (int s = 0; s < substeps; ++s) {
      float3 f = cross(v, field(p));
      v.x += dt * f.x;
      v.y += dt * f.y;
      v.z += dt * f.z;
      p.x += dt * v.x;
      p.y += dt * v.y;
      p.z += dt * v.z;
    }
    particles[i].pos = p;
    particles[i].vel = v;
  }
}

int main(int argc, char** argv) {
  unsigned count = argc > 1 ? std::atoi(argv[1]) : 1500000;
  std::vector<Particle> host(count);
  std::mt19937 gen(2024);
  std::normal_distribution<float> normal(0.0f, 1.0f);
  for (Particle& p : host) {
    p.pos = make_float3(normal(gen), normal(gen), normal(gen));
    p.vel = make_float3(normal(gen), normal(gen), normal(gen));
    p.alive = gen() % 10 < 4;
    p.pad = 0;
  }
  Particle* dev;
  cudaMalloc(&dev, count * sizeof(Particle));
  cudaMemcpy(dev, host.data(), count * sizeof(Particle), cudaMemcpyHostToDevice);
  unsigned blocks = (count + THREADS * TILES - 1) / (THREADS * TILES);
  advance<<<blocks, THREADS>>>(dev, static_cast<int>(count), 60, 0.005f);
  cudaMemcpy(host.data(), dev, count * sizeof(Particle), cudaMemcpyDeviceToHost);
  double x = 0, e = 0;
  for (const Particle& p : host) {
    x += std::abs(p.pos.x);
    e += p.vel.x * p.vel.x + p.vel.y * p.vel.y + p.vel.z * p.vel.z;
  }
  std::printf("mean |x| %.4f, mean energy %.4f\n", x / count, 0.5 * e / count);
  cudaFree(dev);
  return 0;
}
