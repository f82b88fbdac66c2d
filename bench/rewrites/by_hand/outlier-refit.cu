// SPDX-License-Identifier: Apache-2.0
// Refits the decay constant of the measurements whose first guess misses the data badly.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

constexpr int SAMPLES = 8;

template <typename Real>
__device__ Real residual(const Real* y, Real amp, Real k) {
  Real r = 0;
  for (int j = 0; j < SAMPLES; ++j) {
    Real e = amp * exp(-k * Real(j)) - y[j];
    r += e * e;
  }
  return r;
}

const int THREADS = 128;
const int TILES = 16;

// Appends the items of the warp's lanes that are wanted to the block's list.
__device__ void pack(bool wanted, int item, int* list, int* count) {
  unsigned votes = __ballot_sync(0xffffffffu, wanted);
  int lane = threadIdx.x & 31;
  int slot = 0;
  if (lane == 0 && votes != 0) slot = atomicAdd(count, __popc(votes));
  slot = __shfl_sync(0xffffffffu, slot, 0);
  if (wanted) list[slot + __popc(votes & ((1u << lane) - 1u))] = item;
}

template <typename Real>
__global__ void refit(const Real* data, const Real* error, Real* decay, Real limit, int total) {
  __shared__ int list[THREADS * TILES];
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  for (int tile = 0; tile < TILES; ++tile) {
    int i = (blockIdx.x * TILES + tile) * THREADS + threadIdx.x;
    pack(i < total && error[i] > limit, i, list, &count);
  }
  __syncthreads();
  for (int slot = threadIdx.x; slot < count; slot += THREADS) {
    int i = list[slot];
    Real y[SAMPLES];
    for (int j = 0; j < SAMPLES; ++j) y[j] = data[size_t(i) * SAMPLES + j];
    Real lo = Real(0.01), hi = Real(3);
    for (int it = 0; it < 30; ++it) {
      Real third = (hi - lo) / Real(3);
      if (residual(y, y[0], lo + third) < residual(y, y[0], hi - third)) {
        hi -= third;
      } else {
        lo += third;
      }
    }
    decay[i] = (lo + hi) / Real(2);
  }
}

int main(int argc, char** argv) {
  size_t count = argc > 1 ? std::atoi(argv[1]) : 800000;
  std::mt19937_64 gen(11);
  std::uniform_real_distribution<float> u(0.0f, 1.0f);
  std::vector<float> data(count * SAMPLES), error(count), decay(count, 0.5f);
  for (size_t i = 0; i < count; ++i) {
    float amp = 1.0f + u(gen), k = 0.2f + 1.5f * u(gen);
    float step = 1.0f, factor = 1.0f - 0.6f * k / (0.6f + k);
    for (int j = 0; j < SAMPLES; ++j) {
      data[i * SAMPLES + j] = amp * step + 0.02f * u(gen);
      step *= factor;
    }
    error[i] = u(gen);
  }
  float *dData, *dError, *dDecay;
  cudaMalloc(&dData, data.size() * sizeof(float));
  cudaMalloc(&dError, count * sizeof(float));
  cudaMalloc(&dDecay, count * sizeof(float));
  cudaMemcpy(dData, data.data(), data.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dError, error.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dDecay, decay.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  int total = static_cast<int>(count);
  int blocks = (total + THREADS * TILES - 1) / (THREADS * TILES);
  refit<float><<<blocks, THREADS>>>(dData, dError, dDecay, 0.98f, total);
  cudaMemcpy(decay.data(), dDecay, count * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float d : decay) sum += d;
  std::printf("mean decay %.4f\n", sum / count);
  cudaFree(dData);
  cudaFree(dError);
  cudaFree(dDecay);
  return 0;
}
