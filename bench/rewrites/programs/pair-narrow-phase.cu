// SPDX-License-Identifier: Apache-2.0
// Collision narrow phase: pairs of capsules whose spheres overlap get their exact penetration.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

struct Capsule {
  float3 a, b;
  float radius;
  int layer;
};

__device__ float3 lerp(float3 a, float3 b, float t) {
  return make_float3(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z));
}

__device__ float3 sub(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }

__device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

__device__ float saturate(float v) { return fminf(fmaxf(v, 0.0f), 1.0f); }

__global__ void narrowPhase(const Capsule* bodies, const int2* pairs, float* depth, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= n) return;
  depth[i] = 0.0f;
  int2 pr = pairs[i];
  const Capsule A = bodies[pr.x];
  const Capsule B = bodies[pr.y];
  if ((A.layer & B.layer) != 0) {
    float3 d = sub(lerp(A.a, A.b, 0.5f), lerp(B.a, B.b, 0.5f));
    float reach = A.radius + B.radius + 1.0f;
    if (dot(d, d) < reach * reach) {
      float3 u = sub(A.b, A.a), v = sub(B.b, B.a);
      float uu = dot(u, u) + 1e-6f, vv = dot(v, v) + 1e-6f;
      float s = 0.5f, t = 0.5f;
      for (int it = 0; it < 16; ++it) {
        float3 q = lerp(B.a, B.b, t);
        s = saturate(dot(sub(q, A.a), u) / uu);
        float3 p = lerp(A.a, A.b, s);
        t = saturate(dot(sub(p, B.a), v) / vv);
      }
      float3 gap = sub(lerp(A.a, A.b, s), lerp(B.a, B.b, t));
      float overlap = A.radius + B.radius - sqrtf(dot(gap, gap));
      if (overlap > 0.0f) depth[i] = overlap;
    }
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 2000000;
  int m = n / 4 + 2;
  std::mt19937 gen(404);
  std::uniform_real_distribution<float> u(-1.0f, 1.0f);
  std::vector<Capsule> bodies(m);
  std::vector<int2> pairs(n);
  for (Capsule& c : bodies) {
    float3 p = make_float3(2.5f * u(gen), 2.5f * u(gen), 2.5f * u(gen));
    c.a = make_float3(p.x + 0.4f * u(gen), p.y + 0.4f * u(gen), p.z + 0.4f * u(gen));
    c.b = make_float3(p.x + 0.4f * u(gen), p.y + 0.4f * u(gen), p.z + 0.4f * u(gen));
    c.radius = 0.25f + 0.1f * u(gen);
    c.layer = 1 << (gen() & 1) | 4 * (gen() % 3 == 0);
  }
  for (int2& p : pairs) p = make_int2(gen() % m, gen() % m);

  Capsule* dBodies;
  int2* dPairs;
  float* dDepth;
  cudaMalloc(&dBodies, m * sizeof(Capsule));
  cudaMalloc(&dPairs, n * sizeof(int2));
  cudaMalloc(&dDepth, n * sizeof(float));
  cudaMemcpy(dBodies, bodies.data(), m * sizeof(Capsule), cudaMemcpyHostToDevice);
  cudaMemcpy(dPairs, pairs.data(), n * sizeof(int2), cudaMemcpyHostToDevice);
  narrowPhase<<<(n + 127) / 128, 128>>>(dBodies, dPairs, dDepth, n);
  std::vector<float> depth(n);
  cudaMemcpy(depth.data(), dDepth, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  int touching = 0;
  for (float d : depth) {
    sum += d;
    touching += d > 1e-4f;
  }
  std::printf("touching %d of %d, total depth %.4e\n", touching, n, sum);
  cudaFree(dBodies);
  cudaFree(dPairs);
  cudaFree(dDepth);
  return 0;
}
