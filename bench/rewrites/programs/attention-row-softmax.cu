// SPDX-License-Identifier: Apache-2.0
// Softmax of attention rows, a block per row; one thread finds the maximum and the denominator.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

template <int COLS>
__global__ void softmaxRows(const float* __restrict__ logits, float* __restrict__ probs) {
  __shared__ float row[COLS];
  __shared__ float top, total;
  const int c = threadIdx.x;
  const size_t at = size_t(blockIdx.x) * COLS + c;
  row[c] = logits[at];
  __syncthreads();
  if (c == 0) {
    float m = row[0];
    for (int k = 1; k < COLS; ++k) m = fmaxf(m, row[k]);
    top = m;
  }
  __syncthreads();
  row[c] = expf(row[c] - top);
  __syncthreads();
  if (c == 0) {
    float sum = 0.0f;
    for (int k = 0; k < COLS; ++k) sum += row[k];
    total = sum;
  }
  __syncthreads();
  probs[at] = row[c] / total;
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
