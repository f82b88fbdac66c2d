// SPDX-License-Identifier: Apache-2.0
// Join probe: keys that pass a bit filter are looked up in a nearly full open-addressing table.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

const uint32_t TABLE = 1u << 17;
const uint32_t EMPTY = 0;

__host__ __device__ inline uint32_t mix(uint32_t k) {
  k ^= k >> 16;
  k *= 0x7feb352du;
  k ^= k >> 15;
  return k;
}

const int THREADS = 256;
const int TILES = 8;

// Appends the items of the warp's lanes that are wanted to the block's list.
__device__ void pack(bool wanted, int item, int* list, int* count) {
  unsigned votes = __ballot_sync(0xffffffffu, wanted);
  int lane = threadIdx.x & 31;
  int slot = 0;
  if (lane == 0 && votes != 0) slot = atomicAdd(count, __popc(votes));
  slot = __shfl_sync(0xffffffffu, slot, 0);
  if (wanted) list[slot + __popc(votes & ((1u << lane) - 1u))] = item;
}

__global__ void probe(const uint32_t* keys, const uint32_t* filter, const uint32_t* tableKeys,
                      const uint32_t* tableValues, uint32_t* result, int n) {
  __shared__ int list[THREADS * TILES];
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  for (int tile = 0; tile < TILES; ++tile) {
    int i = (blockIdx.x * TILES + tile) * THREADS + threadIdx.x;
    bool maybe = false;
    if (i < n) {
      uint32_t bit = (keys[i] * 0x9e3779b1u) >> 12;
      maybe = (filter[bit >> 5] >> (bit & 31)) & 1;
    }
    pack(maybe, i, list, &count);
  }
  __syncthreads();
  for (int slot = threadIdx.x; slot < count; slot += THREADS) {
    int i = list[slot];
    uint32_t key = keys[i];
    uint32_t slotAt = mix(key) & (TABLE - 1);
    uint32_t stored = tableKeys[slotAt];
    while (stored != EMPTY && stored != key) {
      slotAt = (slotAt + 1) & (TABLE - 1);
      stored = tableKeys[slotAt];
    }
    if (stored == key) result[i] = tableValues[slotAt];
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 4000000;
  std::vector<uint32_t> tk(TABLE, EMPTY), tv(TABLE, 0), filter((1u << 20) / 32, 0), keys(n);
  uint32_t s = 3;
  for (uint32_t c = 0; c < TABLE / 16 * 15; ++c) {
    s = s * 747796405u + 2891336453u;
    uint32_t key = (s >> 4) | 1u;
    uint32_t slot = mix(key) & (TABLE - 1);
    while (tk[slot] != EMPTY && tk[slot] != key) slot = (slot + 1) & (TABLE - 1);
    tk[slot] = key;
    tv[slot] = c + 1;
    uint32_t bit = (key * 0x9e3779b1u) >> 12;
    filter[bit >> 5] |= 1u << (bit & 31);
  }
  uint32_t pick = 9;
  for (int i = 0; i < n; ++i) {
    s = s * 747796405u + 2891336453u;
    pick = pick * 1664525u + 1013904223u;
    uint32_t stored = tk[pick >> 15];
    keys[i] = (pick & 0x1f00) == 0 && stored ? stored : ((s >> 4) | 1u);
  }
  uint32_t *dKeys, *dFilter, *dTk, *dTv, *dOut;
  cudaMalloc(&dKeys, n * 4);
  cudaMalloc(&dFilter, filter.size() * 4);
  cudaMalloc(&dTk, TABLE * 4);
  cudaMalloc(&dTv, TABLE * 4);
  cudaMalloc(&dOut, n * 4);
  cudaMemcpy(dKeys, keys.data(), n * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(dFilter, filter.data(), filter.size() * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(dTk, tk.data(), TABLE * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(dTv, tv.data(), TABLE * 4, cudaMemcpyHostToDevice);
  cudaMemset(dOut, 0, n * 4);
  int blocks = (n + THREADS * TILES - 1) / (THREADS * TILES);
  probe<<<blocks, THREADS>>>(dKeys, dFilter, dTk, dTv, dOut, n);
  std::vector<uint32_t> out(n);
  cudaMemcpy(out.data(), dOut, n * 4, cudaMemcpyDeviceToHost);
  unsigned long long sum = 0;
  int hits = 0;
  for (uint32_t v : out) {
    sum += v;
    hits += v != 0;
  }
  std::printf("matches %d sum %llu\n", hits, sum);
  cudaFree(dKeys);
  cudaFree(dFilter);
  cudaFree(dTk);
  cudaFree(dTv);
  cudaFree(dOut);
  return 0;
}
