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

__global__ void advance(Particle* particles, unsigned count, int substeps, float dt) {
  unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= count || particles[id].alive == 0) return;
  float3 p = particles[id].pos;
  float3 v = particles[id].vel;
  for (int s = 0; s < substeps; ++s) {
    float3 f = cross(v, field(p));
    v.x += dt * f.x;
    v.y += dt * f.y;
    v.z += dt * f.z;
    p.x += dt * v.x;
    p.y += dt * v.y;
    p.z += dt * v.z;
  }
  particles[id].pos = p;
  particles[id].vel = v;
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
  advance<<<(count + 191) / 192, 192>>>(dev, count, 60, 0.005f);
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
