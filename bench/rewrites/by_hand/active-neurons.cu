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

const int THREADS = 256;
const int TILES = 4;

// Appends the items of the warp's lanes that are wanted to the block's list.
__device__ void pack(bool wanted, int item, int* list, int* count) {
  unsigned votes = __ballot_sync(0xffffffffu, wanted);
  int lane = threadIdx.x & 31;
  int slot = 0;
  if (lane == 0 && votes != 0) slot = atomicAdd(count, __popc(votes));
  slot = __shfl_sync(0xffffffffu, slot, 0);
  if (wanted) list[slot + __popc(votes & ((1u << lane) - 1u))] = item;
}

__global__ void gatedLayer(const float* __restrict__ gate, const float* __restrict__ features,
                           const float* __restrict__ weights, float* __restrict__ out,
                           int samples) {
  __shared__ int list[THREADS * TILES];
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  for (int tile = 0; tile < TILES; ++tile) {
    int i = (blockIdx.x * TILES + tile) * THREADS + threadIdx.x;
    bool inside = i < samples * UNITS;
    bool active = inside && gate[i] > 0.0f;
    if (inside && !active) out[i] = 0.0f;
    pack(active, i, list, &count);
  }
  __syncthreads();
  for (int slot = threadIdx.x; slot < count; slot += THREADS) {
    int i = list[slot];
    int sample = i / UNITS, unit = i % UNITS;
    const float4* w = reinterpret_cast<const float4*>(weights + unit * FEATURES);
    const float4* f = reinterpret_cast<const float4*>(features + sample * FEATURES);
    float acc = 0.0f;
    for (int k = 0; k < FEATURES / 4; ++k) {
      float4 a = w[k], b = f[k];
      acc += a.x * b.x;
      acc += a.y * b.y;
      acc += a.z * b.z;
      acc += a.w * b.w;
    }
    out[i] = gate[i] * activation(acc);
  }
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

  int blocks = (samples * UNITS + THREADS * TILES - 1) / (THREADS * TILES);
  gatedLayer<<<blocks, THREADS>>>(dGate, dFeatures, dWeights, dOut, samples);

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
