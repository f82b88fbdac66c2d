// SPDX-License-Identifier: Apache-2.0
// An open-addressing hash table: threads claim slots with atomicCAS, count duplicates, then look
// keys up. Arguments: keys.
#include <cstdio>
#include <cstdlib>
#include <unordered_map>
#include <vector>

#include <cuda_runtime.h>

#define CUDA_CHECK(call)                                                                           \
  do {                                                                                             \
    cudaError_t error = (call);                                                                    \
    if (error != cudaSuccess) {                                                                    \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));               \
      printf("FAIL\n");                                                                            \
      exit(EXIT_FAILURE);                                                                          \
    }                                                                                              \
  } while (0)

#define EMPTY 0xffffffffu

struct Slot {
  unsigned key, count;
};

__host__ __device__ unsigned hash(unsigned k) {
  k ^= k >> 16;
  k *= 0x85ebca6bu;
  k ^= k >> 13;
  k *= 0xc2b2ae35u;
  return k ^ k >> 16;
}

__global__ void insert(Slot* table, unsigned capacity, const unsigned* keys, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned key = keys[i], slot = hash(key) & (capacity - 1);
  while (true) {
    unsigned before = atomicCAS(&table[slot].key, EMPTY, key);
    if (before == EMPTY || before == key) {
      atomicAdd(&table[slot].count, 1u);
      return;
    }
    slot = (slot + 1) & (capacity - 1);
  }
}

__global__ void lookup(const Slot* table, unsigned capacity, const unsigned* keys, unsigned* counts,
                       int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned slot = hash(keys[i]) & (capacity - 1);
  counts[i] = 0;
  while (table[slot].key != EMPTY) {
    if (table[slot].key == keys[i]) {
      counts[i] = table[slot].count;
      return;
    }
    slot = (slot + 1) & (capacity - 1);
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 10000;
  unsigned capacity = 1;
  while (capacity < 2u * n)
    capacity *= 2;
  std::vector<unsigned> keys(n), queries(n), counts(n);
  std::unordered_map<unsigned, unsigned> want;
  unsigned state = 5;
  for (int i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    ++want[keys[i] = (state >> 8) % (n * 3 / 4)];
    queries[i] = i;
  }
  Slot* d_table;
  unsigned *d_keys, *d_queries, *d_counts;
  CUDA_CHECK(cudaMalloc(&d_table, capacity * sizeof(Slot)));
  CUDA_CHECK(cudaMalloc(&d_keys, n * sizeof(unsigned)));
  CUDA_CHECK(cudaMalloc(&d_queries, n * sizeof(unsigned)));
  CUDA_CHECK(cudaMalloc(&d_counts, n * sizeof(unsigned)));
  std::vector<Slot> empty(capacity, Slot{EMPTY, 0});
  CUDA_CHECK(cudaMemcpy(d_table, empty.data(), capacity * sizeof(Slot), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_keys, keys.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_queries, queries.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  CUDA_CHECK(cudaEventRecord(start));
  insert<<<(n + 127) / 128, 128>>>(d_table, capacity, d_keys, n);
  lookup<<<(n + 127) / 128, 128>>>(d_table, capacity, d_queries, d_counts, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  CUDA_CHECK(cudaMemcpy(counts.data(), d_counts, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
  printf("%d keys in %u slots: %.3f ms\n", n, capacity, ms);
  for (int i = 0; i < n; ++i)
    if (counts[i] != (want.count(i) ? want[i] : 0)) {
      printf("FAIL: key %d is there %u times, expected %u\n", i, counts[i], want[i]);
      return 1;
    }
  printf("PASS\n");
  return 0;
}
