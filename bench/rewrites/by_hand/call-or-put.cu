// SPDX-License-Identifier: Apache-2.0
// Prices a mixed book of European calls and puts on a binomial tree held in registers.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#define STEPS 24

struct Option {
  float spot, strike, years, vol;
  int isCall;
};

__device__ float rollBack(float first, float second, float sign, float vol, float years) {
  float value[STEPS + 1];
  float up = expf(vol * sqrtf(years / STEPS));
  float grow = expf(0.03f * years / STEPS);
  float p = (grow - 1.0f / up) / (up - 1.0f / up);
  float spot = sign > 0 ? first : second;
  float strike = sign > 0 ? second : first;
#pragma unroll
  for (int j = 0; j <= STEPS; ++j) {
    value[j] = fmaxf(sign * (spot * powf(up, float(2 * j - STEPS)) - strike), 0.0f);
  }
#pragma unroll
  for (int n = STEPS; n > 0; --n) {
#pragma unroll
    for (int j = 0; j < n; ++j) value[j] = (p * value[j + 1] + (1.0f - p) * value[j]) / grow;
  }
  return value[0];
}

__global__ void price(const Option* book, float* value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Option o = book[i];
  float first = o.isCall ? o.spot : o.strike;
  float second = o.isCall ? o.strike : o.spot;
  value[i] = rollBack(first, second, o.isCall ? 1.0f : -1.0f, o.vol, o.years);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 500000;
  std::mt19937 gen(1987);
  std::uniform_real_distribution<float> u(0.0f, 1.0f);
  std::vector<Option> book(n);
  for (Option& o : book) {
    o = {80 + 40 * u(gen), 80 + 40 * u(gen), 0.2f + u(gen), 0.15f + 0.3f * u(gen), 0};
    o.isCall = u(gen) < 0.5f;
  }
  Option* dBook;
  float* dValue;
  cudaMalloc(&dBook, n * sizeof(Option));
  cudaMalloc(&dValue, n * sizeof(float));
  cudaMemcpy(dBook, book.data(), n * sizeof(Option), cudaMemcpyHostToDevice);
  price<<<(n + 127) / 128, 128>>>(dBook, dValue, n);
  std::vector<float> value(n);
  cudaMemcpy(value.data(), dValue, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float v : value) sum += v;
  std::printf("mean price %.4f\n", sum / n);
  cudaFree(dBook);
  cudaFree(dValue);
  return 0;
}
