// SPDX-License-Identifier: Apache-2.0
// COVERS: curand device, curand: MRG32k3a, curand: normal
// Asian option paths with normal numbers of MRG32k3a, their moments, and a skip that equals draws.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <curand_kernel.h>

#define CHK(x)                                                                                     \
  if (cudaError_t e = (x)) {                                                                       \
    printf("%s: %s\nFAIL\n", #x, cudaGetErrorString(e));                                           \
    exit(1);                                                                                       \
  }

__global__ void paths(int steps, float* price, float2* moments, int* same) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  curandStateMRG32k3a state, other;
  curand_init(2024, id, 0, &state);
  curand_init(2024, id, 2 * steps, &other);
  float s = 100.0f, mean = 0, first = 0, second = 0;
  for (int i = 0; i < steps; ++i) {
    float2 z = curand_normal2(&state);
    s *= expf(0.01f * z.x);
    mean += s / steps;
    first += z.x + z.y;
    second += z.x * z.x + z.y * z.y;
  }
  price[id] = mean;
  moments[id] = make_float2(first, second);
  same[id] = curand(&state) == curand(&other);
}

int main(int argc, char** argv) {
  const int n = 256, steps = argc > 1 ? atoi(argv[1]) : 40;
  std::vector<float> price(n);
  std::vector<float2> moments(n);
  std::vector<int> same(n);
  float* dp;
  float2* dm;
  int* ds;
  CHK(cudaMalloc(&dp, n * sizeof(float)));
  CHK(cudaMalloc(&dm, n * sizeof(float2)));
  CHK(cudaMalloc(&ds, n * sizeof(int)));
  paths<<<n / 64, 64>>>(steps, dp, dm, ds);
  CHK(cudaGetLastError());
  CHK(cudaMemcpy(price.data(), dp, n * sizeof(float), cudaMemcpyDeviceToHost));
  CHK(cudaMemcpy(moments.data(), dm, n * sizeof(float2), cudaMemcpyDeviceToHost));
  CHK(cudaMemcpy(same.data(), ds, n * sizeof(int), cudaMemcpyDeviceToHost));
  double m1 = 0, m2 = 0, p = 0, count = 2.0 * n * steps;
  int equal = 0;
  for (int i = 0; i < n; ++i) {
    m1 += moments[i].x / count;
    m2 += moments[i].y / count;
    p += price[i] / n;
    equal += same[i];
  }
  cudaFree(dp), cudaFree(dm), cudaFree(ds);
  printf("mean %.3f, variance %.3f, price %.2f, %d of %d skips agree\n", m1, m2, p, equal, n);
  bool ok = fabs(m1) < 5 / sqrt(count) && fabs(m2 - 1) < 5 * sqrt(2 / count) && fabs(p - 100) < 5 &&
            equal == n;
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
