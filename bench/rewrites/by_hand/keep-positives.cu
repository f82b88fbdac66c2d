// SPDX-License-Identifier: Apache-2.0
// Collects the readings above a threshold into a dense list (in no particular order).
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Hit {
  int index;
  int value;
};

const int PER_THREAD = 8;

__global__ void collect(const int* readings, int n, int threshold, Hit* hits, int* count) {
  __shared__ int found, base;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  int first = blockIdx.x * blockDim.x * PER_THREAD + threadIdx.x;
  int lane = threadIdx.x % 32;
  int value[PER_THREAD], place[PER_THREAD];
  for (int k = 0; k < PER_THREAD; ++k) {
    int i = first + k * blockDim.x;
    value[k] = i < n ? readings[i] : threshold;
    unsigned votes = __ballot_sync(~0u, value[k] > threshold);
    int at = 0;
    if (lane == 0 && votes != 0) at = atomicAdd(&found, __popc(votes));
    place[k] = __shfl_sync(~0u, at, 0) + __popc(votes & ((1u << lane) - 1u));
  }
  __syncthreads();
  if (threadIdx.x == 0) base = atomicAdd(count, found);
  __syncthreads();
  for (int k = 0; k < PER_THREAD; ++k) {
    if (value[k] > threshold) {
      hits[base + place[k]].index = first + k * blockDim.x;
      hits[base + place[k]].value = value[k];
    }
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 4000000;
  std::vector<int> readings(n);
  unsigned s = 777;
  for (int& r : readings) {
    s = s * 1664525u + 1013904223u;
    r = static_cast<int>((s >> 12) % 20001) - 10000;
  }
  int *dReadings, *dCount;
  Hit* dHits;
  cudaMalloc(&dReadings, n * sizeof(int));
  cudaMalloc(&dHits, n * sizeof(Hit));
  cudaMalloc(&dCount, sizeof(int));
  cudaMemcpy(dReadings, readings.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(dCount, 0, sizeof(int));
  int blocks = (n + 256 * PER_THREAD - 1) / (256 * PER_THREAD);
  collect<<<blocks, 256>>>(dReadings, n, 0, dHits, dCount);
  int count = 0;
  cudaMemcpy(&count, dCount, sizeof(int), cudaMemcpyDeviceToHost);
  std::vector<Hit> hits(count);
  cudaMemcpy(hits.data(), dHits, count * sizeof(Hit), cudaMemcpyDeviceToHost);
  unsigned long long indices = 0, values = 0;
  for (const Hit& h : hits) {
    indices += h.index;
    values += 1ull * h.value * (h.index % 7 + 1);
  }
  std::printf("kept %d, indices %llu, values %llu\n", count, indices, values);
  cudaFree(dReadings);
  cudaFree(dHits);
  cudaFree(dCount);
  return 0;
}
