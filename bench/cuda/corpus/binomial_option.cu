// SPDX-License-Identifier: Apache-2.0
// American puts on a binomial tree: one block for each option, the tree's level in shared memory.
#include "common.h"

const int LEVELS = 128;

__global__ void binomialTree(const float* strikes, float* prices) {
  __shared__ float value[LEVELS + 1];
  float strike = strikes[blockIdx.x], up = 1.02f, p = 0.51f, discount = 0.9998f;
  int j = threadIdx.x;
  for (int k = j; k <= LEVELS; k += blockDim.x)
    value[k] = fmaxf(strike - 100 * powf(up, 2 * k - LEVELS), 0);
  __syncthreads();
  for (int level = LEVELS - 1; level >= 0; --level) {
    float next = 0;
    if (j <= level) {
      float hold = discount * (p * value[j + 1] + (1 - p) * value[j]);
      next = fmaxf(hold, strike - 100 * powf(up, 2 * j - level));
    }
    __syncthreads();
    if (j <= level)
      value[j] = next;
    __syncthreads();
  }
  if (j == 0)
    prices[blockIdx.x] = value[0];
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 8);
  std::vector<float> strikes(n), want(n);
  for (int i = 0; i < n; ++i)
    strikes[i] = 80 + 40.0f * i / n;
  float *s = upload(strikes), *prices = allocate<float>(n);
  binomialTree<<<n, LEVELS>>>(s, prices);
  for (int i = 0; i < n; ++i) {
    float value[LEVELS + 1];
    for (int k = 0; k <= LEVELS; ++k)
      value[k] = fmaxf(strikes[i] - 100 * powf(1.02f, 2 * k - LEVELS), 0);
    for (int level = LEVELS - 1; level >= 0; --level)
      for (int j = 0; j <= level; ++j)
        value[j] = fmaxf(0.9998f * (0.51f * value[j + 1] + 0.49f * value[j]),
                         strikes[i] - 100 * powf(1.02f, 2 * j - level));
    want[i] = value[0];
  }
  return verdict(allNear(download(prices, n), want, 1e-3));
}
