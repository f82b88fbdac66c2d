// SPDX-License-Identifier: Apache-2.0
// Simulates contracts with one to 250 remaining fixing dates and averages the fixed rates.
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Contract {
  short fixings;
  short volatilityBp;
  float rate;
};

__device__ float noise(unsigned& s) {
  float sum = 0.0f;
  for (int k = 0; k < 4; ++k) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    sum += (s >> 8) / 16777216.0f;
  }
  return (sum - 2.0f) * 1.7320508f;
}

__global__ void simulate(const Contract* contracts, float* average, int n) {
  int id = threadIdx.x + blockDim.x * blockIdx.x;
  if (id >= n) return;
  const Contract c = contracts[id];
  unsigned s = 2654435761u * (id + 1);
  float vol = c.volatilityBp * 1e-4f;
  float rate = c.rate, sum = 0.0f;
  for (int f = 0; f < c.fixings; ++f) {
    rate += 0.05f * (0.03f - rate) + vol * noise(s);
    sum += rate;
  }
  average[id] = sum / c.fixings;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 500000;
  std::vector<Contract> contracts(n);
  std::vector<float> average(n);
  unsigned s = 365;
  for (Contract& c : contracts) {
    s = s * 1664525u + 1013904223u;
    c.fixings = static_cast<short>(1 + (s >> 10) % 250);
    c.volatilityBp = static_cast<short>(5 + (s >> 20) % 20);
    c.rate = 0.01f + ((s >> 14) % 40) * 0.001f;
  }
  Contract* dContracts;
  float* dAverage;
  cudaMalloc(&dContracts, n * sizeof(Contract));
  cudaMalloc(&dAverage, n * sizeof(float));
  cudaMemcpy(dContracts, contracts.data(), n * sizeof(Contract), cudaMemcpyHostToDevice);
  simulate<<<(n + 255) / 256, 256>>>(dContracts, dAverage, n);
  cudaMemcpy(average.data(), dAverage, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float a : average) sum += a;
  std::printf("mean fixing %.6f\n", sum / n);
  cudaFree(dContracts);
  cudaFree(dAverage);
  return 0;
}
