// SPDX-License-Identifier: Apache-2.0
// Price of an Asian option by Monte Carlo paths with antithetic draws.
#include "common.h"

const int STEPS = 32;

__host__ __device__ float path(unsigned seed) {
  Random random(seed + 1);
  float up = 100, down = 100, upSum = 0, downSum = 0;
  for (int step = 0; step < STEPS; step += 2) {
    float radius = sqrtf(-2 * logf(random.uniform() + 1e-7f)),
          angle = 6.2831853f * random.uniform();
    float draws[2] = {radius * cosf(angle), radius * sinf(angle)};
    for (int k = 0; k < 2; ++k) {
      up *= expf(0.0005f + 0.03f * draws[k]);
      down *= expf(0.0005f - 0.03f * draws[k]);
      upSum += up;
      downSum += down;
    }
  }
  return 0.5f * (fmaxf(upSum / STEPS - 100, 0) + fmaxf(downSum / STEPS - 100, 0));
}

__global__ void asianPaths(double* sums, int n) {
  __shared__ double part[128];
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += path(i);
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = part[0];
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 4096), blocks = std::min(264, (n + 127) / 128);
  double* sums = allocate<double>(blocks);
  asianPaths<<<blocks, 128>>>(sums, n);
  double got = 0, want = 0;
  for (double each : download(sums, blocks))
    got += each;
  for (int i = 0; i < n; ++i)
    want += path(i);
  printf("price %.3f\n", got / n);
  return verdict(near(got, want, 1e-4));
}
