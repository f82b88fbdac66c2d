// SPDX-License-Identifier: Apache-2.0
// Second layer of a gated network: only units with a positive gate evaluate their 64 weights.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

constexpr int FEATURES = 64;
constexpr int UNITS = 512;

template <typename T>
__device__ T activation(T x) {
  return x / (T(1) + exp(-x));
}

__global__ void gatedLayer(const float* __restrict__ gate, const float* __restrict__ features,
                           const float* __restrict__ weights, float* __restrict__ out,
                           int samples) {
  int unit = blockIdx.x * blockDim.x + threadIdx.x;
  int sample = blockIdx.y;
  if (unit >= UNITS || sample >= samples) return;
  float g = gate[sample * UNITS + unit];
  float result = 0.0f;
  if (g > 0.0f) {
    float acc = 0.0f;
    for (int f = 0; f < FEATURES; ++f) {
      acc += weights[unit * FEATURES + f] * features[sample * FEATURES + f];
    }
    result = g * activation(acc);
  }
  out[sample * UNITS + unit] = result;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 2000000;
  int samples = (n + UNITS - 1) / UNITS;
  std::mt19937 gen(31);
  std::uniform_real_distribution<float> u(-1.0f, 1.0f);
  std::vector<float> gate(samples * UNITS), features(samples * FEATURES);
  std::vector<float> weights(UNITS * FEATURES);
  for (float& g : gate) g = u(gen) - 0.4f;
  for (float& f : features) f = u(gen);
  for (float& w : weights) w = u(gen);

  float *dGate, *dFeatures, *dWeights, *dOut;
  cudaMalloc(&dGate, gate.size() * sizeof(float));
  cudaMalloc(&dFeatures, features.size() * sizeof(float));
  cudaMalloc(&dWeights, weights.size() * sizeof(float));
  cudaMalloc(&dOut, gate.size() * sizeof(float));
  cudaMemcpy(dGate, gate.data(), gate.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dFeatures, features.data(), features.size() * sizeof(float),
             cudaMemcpyHostToDevice);
  cudaMemcpy(dWeights, weights.data(), weights.size() * sizeof(float), cudaMemcpyHostToDevice);

  dim3 grid((UNITS + 127) / 128, samples);
  gatedLayer<<<grid, 128>>>(dGate, dFeatures, dWeights, dOut, samples);

  cudaMemcpy(gate.data(), dOut, gate.size() * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float v : gate) sum += v;
  std::printf("sum %.4e\n", sum);
  cudaFree(dGate);
  cudaFree(dFeatures);
  cudaFree(dWeights);
  cudaFree(dOut);
  return 0;
}
