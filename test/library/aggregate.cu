// SPDX-License-Identifier: Apache-2.0
//
// heddle::aggregate_add and its kin against atomics of each lane: all lanes or some, all on one
// word, all on words of their own, and anything between.
#include <heddle/aggregate.cuh>

#include <cstdio>
#include <cstring>

constexpr int threads = 1000, words = 8;

struct Words {
  int sum[words], least[words], most[words];
  unsigned all[words], any[words], odd[words];
  unsigned long long wide[words];
  float floats[words];
  double doubles[words];
  int less[words];
  unsigned counters[words];
  unsigned char taken[words][threads]; // places, each by one thread
};

/// A number that looks random.
__host__ __device__ unsigned mixed(unsigned i) {
  i = (i ^ (i >> 15)) * 0x2c1b3c6du;
  return (i ^ (i >> 12)) * 0x297a2d39u;
}

/// Which word a thread changes: `spread` of them.
__host__ __device__ int wordOf(unsigned i, int spread) { return int(mixed(i) >> 8) % spread; }

template <bool Aggregated> __global__ void change(Words* w, int n, int spread, unsigned skipped) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= unsigned(n) || (mixed(i + 7) & 31) < skipped)
    return;
  const int k = wordOf(i, spread);
  const unsigned value = mixed(i + 1000);
  if constexpr (Aggregated) {
    heddle::aggregate_add(&w->sum[k], int(value));
    heddle::aggregate_min(&w->least[k], int(value));
    heddle::aggregate_max(&w->most[k], int(value));
    heddle::aggregate_and(&w->all[k], value | 1);
    heddle::aggregate_or(&w->any[k], value & 0xff00);
    if (value & 4)
      heddle::aggregate_xor(&w->odd[k], value);
    heddle::aggregate_add(&w->wide[k], value * 0x100000001ull);
    heddle::aggregate_add(&w->floats[k], float(value & 255)); // exact in any order
    heddle::aggregate_add(&w->doubles[k], value);
    heddle::aggregate_sub(&w->less[k], int(value));
    ++w->taken[k][heddle::aggregate_next(&w->counters[k])];
  } else {
    atomicAdd(&w->sum[k], int(value));
    atomicMin(&w->least[k], int(value));
    atomicMax(&w->most[k], int(value));
    atomicAnd(&w->all[k], value | 1);
    atomicOr(&w->any[k], value & 0xff00);
    if (value & 4)
      atomicXor(&w->odd[k], value);
    atomicAdd(&w->wide[k], value * 0x100000001ull);
    atomicAdd(&w->floats[k], float(value & 255));
    atomicAdd(&w->doubles[k], double(value));
    atomicSub(&w->less[k], int(value));
    ++w->taken[k][atomicAdd(&w->counters[k], 1u)];
  }
}

/// Each lane sees its own change at once.
__global__ void seesItself(unsigned* bits, int* misses) {
  unsigned* mine = &bits[threadIdx.x / 5];
  heddle::aggregate_or(mine, 1u << (threadIdx.x & 31));
  if ((*reinterpret_cast<volatile unsigned*>(mine) >> (threadIdx.x & 31) & 1) == 0)
    atomicAdd(misses, 1);
}

int main() {
  Words* device = nullptr;
  cudaMalloc(&device, sizeof(Words));
  int differ = 0, cases = 0;
  for (const int spread : {1, 2, 3, words})
    for (const unsigned skipped : {0u, 9u, 24u})
      for (const dim3 block : {dim3(32), dim3(100), dim3(16, 8), dim3(256)}) {
        static Words found[2];
        for (const bool aggregated : {false, true}) {
          cudaMemset(device, 0, sizeof(Words));
          cudaMemset(device->all, 0xff, sizeof(device->all));
          const int grid = (threads + int(block.x) - 1) / int(block.x);
          auto* kernel = aggregated ? &change<true> : &change<false>;
          kernel<<<grid, block>>>(device, threads, spread, skipped);
          cudaMemcpy(&found[aggregated], device, sizeof(Words), cudaMemcpyDeviceToHost);
        }
        ++cases;
        differ += std::memcmp(&found[0], &found[1], sizeof(Words)) != 0;
      }
  unsigned* bits = nullptr;
  int *misses = nullptr, missed = -1;
  cudaMalloc(&bits, threads * sizeof(unsigned));
  cudaMemset(bits, 0, threads * sizeof(unsigned));
  cudaMalloc(&misses, sizeof(int));
  cudaMemset(misses, 0, sizeof(int));
  seesItself<<<1, 96>>>(bits, misses);
  cudaMemcpy(&missed, misses, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d cases, %d differ, %d lanes do not see their change: %s\n", cases, differ, missed,
              cudaGetErrorString(cudaGetLastError()));
  return 0;
}
