// SPDX-License-Identifier: Apache-2.0
// Small linear systems, a thread each: the whole matrix lives in registers.
#include "../corpus/common.h"

const int N = 7;

__host__ __device__ float solveOne(unsigned seed) {
  Random random(seed + 1);
  float a[N][N + 1];
#pragma unroll
  for (int i = 0; i < N * (N + 1); ++i)
    a[i / (N + 1)][i % (N + 1)] = random.uniform() + (i / (N + 1) == i % (N + 1) ? N : 0);
#pragma unroll
  for (int k = 0; k < N; ++k) {
    float inverse = 1.0f / a[k][k];
#pragma unroll
    for (int i = 0; i < N; ++i) {
      float factor = i == k ? 0.0f : a[i][k] * inverse;
#pragma unroll
      for (int j = 0; j <= N; ++j)
        a[i][j] -= factor * a[k][j];
    }
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < N; ++i)
    sum += a[i][N] / a[i][i];
  return sum;
}

__global__ void solveSystems(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = solveOne(i);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 800000);
  float* out = allocate<float>(n);
  solveSystems<<<(n + 255) / 256, 256>>>(out, n);
  std::vector<float> got = download(out, n);
  bool passed = true;
  for (int i = 0; i < n; i += 997)
    passed &= near(got[i], solveOne(i), 1e-3);
  return verdict(passed);
}
