// SPDX-License-Identifier: Apache-2.0
// Latest value of each of eight tags in the log of every device; later entries replace earlier.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define TAGS 8

__global__ void latest(const int* logStart, const unsigned char* tag, const int* value,
                       int* table, int devices) {
  int d = blockIdx.x * blockDim.x + threadIdx.x;
  if (d >= devices) return;
  for (int k = logStart[d]; k < logStart[d + 1]; ++k) {
    table[d * TAGS + tag[k]] = value[k];
  }
}

int main(int argc, char** argv) {
  int devices = argc > 1 ? std::atoi(argv[1]) : 150000;
  unsigned s = 515;
  auto rnd = [&s] { return (s = s * 1664525u + 1013904223u) >> 10; };
  std::vector<int> logStart(devices + 1, 0), table(size_t(devices) * TAGS);
  for (int d = 0; d < devices; ++d) logStart[d + 1] = logStart[d] + 8 + rnd() % 50;
  int m = logStart[devices];
  std::vector<unsigned char> tag(m);
  std::vector<int> value(m);
  for (int k = 0; k < m; ++k) {
    tag[k] = rnd() % TAGS;
    value[k] = rnd() % 100000;
  }
  int *dStart, *dValue, *dTable;
  unsigned char* dTag;
  cudaMalloc(&dStart, logStart.size() * sizeof(int));
  cudaMalloc(&dValue, m * sizeof(int));
  cudaMalloc(&dTable, table.size() * sizeof(int));
  cudaMalloc(&dTag, m);
  cudaMemcpy(dStart, logStart.data(), logStart.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dValue, value.data(), m * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dTag, tag.data(), m, cudaMemcpyHostToDevice);
  cudaMemset(dTable, 0, table.size() * sizeof(int));
  latest<<<(devices + 127) / 128, 128>>>(dStart, dTag, dValue, dTable, devices);
  cudaMemcpy(table.data(), dTable, table.size() * sizeof(int), cudaMemcpyDeviceToHost);
  long long sum = 0;
  for (int v : table) sum += v;
  std::printf("sum %lld\n", sum);
  cudaFree(dStart);
  cudaFree(dValue);
  cudaFree(dTable);
  cudaFree(dTag);
  return 0;
}
