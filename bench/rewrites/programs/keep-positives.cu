// SPDX-License-Identifier: Apache-2.0
// Collects the readings above a threshold into a dense list (in no particular order).
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Hit {
  int index;
  int value;
};

__global__ void collect(const int* readings, int n, int threshold, Hit* hits, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int v = readings[i];
  if (v > threshold) {
    int at = atomicAdd(count, 1);
    hits[at].index = i;
    hits[at].value = v;
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
  collect<<<(n + 255) / 256, 256>>>(dReadings, n, 0, dHits, dCount);
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
