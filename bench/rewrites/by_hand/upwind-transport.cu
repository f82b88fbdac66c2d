// SPDX-License-Identifier: Apache-2.0
// Transports a tracer with a third order scheme whose stencil follows the sign of the wind.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

__global__ void step(const float* c, const float* wind, float* next, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 2 || i >= n - 2) return;
  float u = wind[i];
  int near = u > 0.0f ? i : i + 1;
  int far = u > 0.0f ? i - 1 : i + 2;
  float a = c[near] - c[near - 1];
  float b = c[far] - c[far - 1];
  float r = b / (a + 1e-7f);
  float limit = fmaxf(0.0f, fminf(2.0f, fminf(2.0f * r, 0.5f + 0.5f * r)));
  float gradient = a * (1.0f + 0.5f * limit) - 0.5f * limit * b;
  next[i] = c[i] - dt * u * gradient;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 4000000;
  std::mt19937 gen(1013);
  std::vector<float> c(n), wind(n);
  for (int i = 0; i < n; ++i) {
    c[i] = (i / 700) % 2 ? 1.0f : 0.25f;
    wind[i] = (static_cast<int>(gen() % 2001) - 1000) / 1000.0f;
  }
  float *a, *b, *w;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&w, n * sizeof(float));
  cudaMemcpy(a, c.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, c.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(w, wind.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  for (int t = 0; t < 4; ++t) {
    step<<<(n + 255) / 256, 256>>>(a, w, b, n, 0.1f);
    std::swap(a, b);
  }
  cudaMemcpy(c.data(), a, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float v : c) sum += v;
  std::printf("mean tracer %.5f\n", sum / n);
  cudaFree(a);
  cudaFree(b);
  cudaFree(w);
  return 0;
}
