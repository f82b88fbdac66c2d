// SPDX-License-Identifier: Apache-2.0
// Undistorts feature points of a camera by fixed point iteration, 100 threads in a block.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#define THREADS 100

__global__ void undistort(const float2* seen, float2* ideal, unsigned points, float k1,
                          float k2) {
  unsigned p = blockIdx.x * THREADS + threadIdx.x;
  if (p >= points) {
    return;
  }
  float2 target = seen[p];
  float x = target.x, y = target.y;
#pragma unroll 1
  for (int it = 0; it < 25; ++it) {
    float r2 = x * x + y * y;
    float d = 1.0f + r2 * (k1 + r2 * k2);
    x = target.x / d;
    y = target.y / d;
  }
  ideal[p] = make_float2(x, y);
}

int main(int argc, char** argv) {
  unsigned points = argc > 1 ? std::atoi(argv[1]) : 2500000;
  std::mt19937 gen(35);
  std::uniform_real_distribution<float> u(-0.8f, 0.8f);
  std::vector<float2> pts(points);
  for (float2& p : pts) p = make_float2(u(gen), u(gen));
  float2 *dSeen, *dIdeal;
  cudaMalloc(&dSeen, points * sizeof(float2));
  cudaMalloc(&dIdeal, points * sizeof(float2));
  cudaMemcpy(dSeen, pts.data(), points * sizeof(float2), cudaMemcpyHostToDevice);
  undistort<<<(points + THREADS - 1) / THREADS, THREADS>>>(dSeen, dIdeal, points, -0.12f, 0.03f);
  cudaMemcpy(pts.data(), dIdeal, points * sizeof(float2), cudaMemcpyDeviceToHost);
  double radius = 0;
  for (const float2& p : pts) radius += double(p.x) * p.x + double(p.y) * p.y;
  std::printf("mean squared radius %.5f\n", radius / points);
  cudaFree(dSeen);
  cudaFree(dIdeal);
  return 0;
}
