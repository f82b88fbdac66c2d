// SPDX-License-Identifier: Apache-2.0
// Evaluates Legendre polynomials of randomly mixed degree, one evaluation per thread.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

__global__ void legendre(const int* degree, const float* x, float* value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int d = degree[i];
  float t = x[i];
  float before = 1.0f, now = t;
  for (int k = 1; k < d; ++k) {
    float next = ((2 * k + 1) * t * now - k * before) / (k + 1);
    before = now;
    now = next;
  }
  value[i] = d == 0 ? 1.0f : now;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 1000000;
  std::mt19937 gen(1782);
  std::vector<int> degree(n);
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i) {
    degree[i] = gen() % 8 == 0 ? gen() % 400 : gen() % 20;
    x[i] = (static_cast<int>(gen() % 1999) - 999) / 1000.0f;
  }
  int* dDegree;
  float *dX, *dValue;
  cudaMalloc(&dDegree, n * sizeof(int));
  cudaMalloc(&dX, n * sizeof(float));
  cudaMalloc(&dValue, n * sizeof(float));
  cudaMemcpy(dDegree, degree.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dX, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  legendre<<<(n + 255) / 256, 256>>>(dDegree, dX, dValue, n);
  cudaMemcpy(x.data(), dValue, n * sizeof(float), cudaMemcpyDeviceToHost);
  double squares = 0;
  for (float v : x) squares += double(v) * v;
  std::printf("mean square %.4f\n", squares / n);
  cudaFree(dDegree);
  cudaFree(dX);
  cudaFree(dValue);
  return 0;
}
