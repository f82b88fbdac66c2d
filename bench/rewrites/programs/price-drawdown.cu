// SPDX-License-Identifier: Apache-2.0
// Largest fall from an earlier high in the price history of every share.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

__global__ void drawdown(const int* begin, const float* price, float* worst, int shares) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < shares) {
    float high = 0.0f;
    float fall = 0.0f;
    for (int t = begin[i]; t < begin[i + 1]; ++t) {
      high = fmaxf(high, price[t]);
      fall = fmaxf(fall, high - price[t]);
    }
    worst[i] = fall;
  }
}

int main(int argc, char** argv) {
  int shares = argc > 1 ? std::atoi(argv[1]) : 60000;
  std::mt19937 gen(1929);
  std::vector<int> begin(shares + 1, 0);
  for (int i = 0; i < shares; ++i) begin[i + 1] = begin[i] + 30 + gen() % 220;
  std::vector<float> price(begin[shares]), worst(shares);
  for (int i = 0; i < shares; ++i) {
    int p = 4000;
    for (int t = begin[i]; t < begin[i + 1]; ++t) {
      p += static_cast<int>(gen() % 201) - 100;
      price[t] = p / 64.0f;
    }
  }
  int* dBegin;
  float *dPrice, *dWorst;
  cudaMalloc(&dBegin, begin.size() * sizeof(int));
  cudaMalloc(&dPrice, price.size() * sizeof(float));
  cudaMalloc(&dWorst, shares * sizeof(float));
  cudaMemcpy(dBegin, begin.data(), begin.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dPrice, price.data(), price.size() * sizeof(float), cudaMemcpyHostToDevice);
  drawdown<<<(shares + 127) / 128, 128>>>(dBegin, dPrice, dWorst, shares);
  cudaMemcpy(worst.data(), dWorst, shares * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float w : worst) sum += w;
  std::printf("mean drawdown %.6f\n", sum / shares);
  cudaFree(dBegin);
  cudaFree(dPrice);
  cudaFree(dWorst);
  return 0;
}
