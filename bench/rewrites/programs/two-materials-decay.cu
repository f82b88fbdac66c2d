// SPDX-License-Identifier: Apache-2.0
// Sums the decay heat of samples of two materials, each a series of exponentials.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#define TERMS 11

__global__ void decayHeat(const float* age, const int* material, const float* ampFuel,
                          const float* rateFuel, const float* ampSteel, const float* rateSteel,
                          double* heat, int n) {
  const int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    double sum = 0.0;
    if (material[i] == 1) {
      for (int k = 0; k < TERMS; k++) {
        sum += ampFuel[k] * exp(-double(rateFuel[k]) * age[i]);
      }
    } else {
      for (int k = 0; k < TERMS; k++) {
        sum += ampSteel[k] * exp(-double(rateSteel[k]) * age[i]);
      }
    }
    heat[i] = sum;
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 1000000;
  std::mt19937 gen(235);
  std::vector<float> age(n), table(4 * TERMS);
  std::vector<int> material(n);
  for (int i = 0; i < n; ++i) {
    age[i] = (gen() & 4095) / 512.0f;
    material[i] = gen() % 100 < 40;
  }
  for (int k = 0; k < TERMS; ++k) {
    table[k] = 1.0f / (k + 1);
    table[TERMS + k] = 0.01f * (1 << k);
    table[2 * TERMS + k] = 0.3f / (k + 2);
    table[3 * TERMS + k] = 0.02f * (k + 1) * (k + 1);
  }
  float *dAge, *dTable;
  int* dMaterial;
  double* dHeat;
  cudaMalloc(&dAge, n * sizeof(float));
  cudaMalloc(&dTable, table.size() * sizeof(float));
  cudaMalloc(&dMaterial, n * sizeof(int));
  cudaMalloc(&dHeat, n * sizeof(double));
  cudaMemcpy(dAge, age.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dTable, table.data(), table.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dMaterial, material.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  decayHeat<<<1056, 128>>>(dAge, dMaterial, dTable, dTable + TERMS, dTable + 2 * TERMS,
                           dTable + 3 * TERMS, dHeat, n);
  std::vector<double> heat(n);
  cudaMemcpy(heat.data(), dHeat, n * sizeof(double), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (double h : heat) sum += h;
  std::printf("mean heat %.8f\n", sum / n);
  cudaFree(dAge);
  cudaFree(dTable);
  cudaFree(dMaterial);
  cudaFree(dHeat);
  return 0;
}
