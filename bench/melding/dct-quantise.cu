// SPDX-License-Identifier: Apache-2.0
// Quantises the coefficients of 8x8 blocks: positive and negative ones are rounded away from zero
// in two arms.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void quantise(short* coefficients, const short* table, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  short value = coefficients[i];
  const short quantum = table[i % 64];
  if (value < 0) {
    value = -value;
    value += quantum >> 1;
    value /= quantum;
    value = -value;
  } else {
    value += quantum >> 1;
    value /= quantum;
  }
  coefficients[i] = value * quantum;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1 << 20;
  std::vector<short> coefficients(n), table(64);
  unsigned state = 5;
  for (short& each : coefficients)
    each = short(int((state = state * 1664525u + 1013904223u) >> 20) - 2048);
  for (int k = 0; k < 64; ++k)
    table[k] = short(3 + k);
  short *values, *quanta;
  cudaMalloc(&values, coefficients.size() * sizeof(short));
  cudaMalloc(&quanta, table.size() * sizeof(short));
  cudaMemcpy(values, coefficients.data(), coefficients.size() * sizeof(short),
             cudaMemcpyHostToDevice);
  cudaMemcpy(quanta, table.data(), table.size() * sizeof(short), cudaMemcpyHostToDevice);
  quantise<<<(n + 255) / 256, 256>>>(values, quanta, n);
  cudaMemcpy(coefficients.data(), values, coefficients.size() * sizeof(short),
             cudaMemcpyDeviceToHost);
  long long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += coefficients[i] * (i % 7 + 1);
  std::printf("check %lld\n", sum);
  cudaFree(values);
  cudaFree(quanta);
  return 0;
}
