// SPDX-License-Identifier: Apache-2.0
// Softmax of attention rows, a block per row; one thread finds the maximum and the denominator.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

template <int COLS>
__global__ void softmaxRows(const float* __restrict__ logits, float* __restrict__ probs) {
  __shared__ float tops[COLS / 32], sums[COLS / 32];
  const int c = threadIdx.x;
  const size_t at = size_t(blockIdx.x) * COLS + c;
  float v = logits[at];
  float m = v;
  for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, d));
  if (c % 32 == 0) tops[c / 32] = m;
  __syncthreads();
  for (int w = 0; w < COLS / 32; ++w) m = fmaxf(m, tops[w]);
  float e = expf(v - m);
  float sum = e;
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (c % 32 == 0) sums[c / 32] = sum;
  __syncthreads();
  float total = 0.0f;
  for (int w = 0; w < COLS / 32; ++w) total += sums[w];
  probs[at] = e / total;
}

int main(int argc, char** argv) {
  const int cols = 128;
  int n = argc > 1 ? std::atoi(argv[1]) : 2000000;
  int rows = (n + cols - 1) / cols;
  std::mt19937 gen(17);
  std::normal_distribution<float> normal(0.0f, 2.0f);
  std::vector<float> x(size_t(rows) * cols);
  for (float& v : x) v = normal(gen);
  float *dX, *dP;
  cudaMalloc(&dX, x.size() * sizeof(float));
  cudaMalloc(&dP, x.size() * sizeof(float));
  cudaMemcpy(dX, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice);
  softmaxRows<cols><<<rows, cols>>>(dX, dP);
  cudaMemcpy(x.data(), dP, x.size() * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0, squares = 0;
  for (float p : x) {
    sum += p;
    squares += double(p) * p;
  }
  std::printf("mean row sum %.4f, mean square %.4e\n", sum / rows, squares / rows);
  cudaFree(dX);
  cudaFree(dP);
  return 0;
}
