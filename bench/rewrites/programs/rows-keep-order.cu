// SPDX-License-Identifier: Apache-2.0
// Keeps the strong entries of every sparse row, moved together in their old order.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

__global__ void compactRows(const int* start, const int* value, int* kept, int* keptCount,
                            int cut, int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    int place = start[r];
    for (int k = start[r]; k < start[r + 1]; ++k) {
      if (value[k] >= cut) {
        kept[place] = value[k];
        ++place;
      }
    }
    keptCount[r] = place - start[r];
  }
}

int main(int argc, char** argv) {
  int rows = argc > 1 ? std::atoi(argv[1]) : 200000;
  std::mt19937 gen(61);
  std::vector<int> start(rows + 1, 0), count(rows);
  for (int r = 0; r < rows; ++r) start[r + 1] = start[r] + gen() % 60;
  std::vector<int> value(start[rows]);
  for (int& v : value) v = gen() % 1000;
  int *dStart, *dValue, *dKept, *dCount;
  cudaMalloc(&dStart, start.size() * sizeof(int));
  cudaMalloc(&dValue, value.size() * sizeof(int));
  cudaMalloc(&dKept, value.size() * sizeof(int));
  cudaMalloc(&dCount, rows * sizeof(int));
  cudaMemcpy(dStart, start.data(), start.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dValue, value.data(), value.size() * sizeof(int), cudaMemcpyHostToDevice);
  compactRows<<<(rows + 255) / 256, 256>>>(dStart, dValue, dKept, dCount, 600, rows);
  cudaMemcpy(value.data(), dKept, value.size() * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(count.data(), dCount, rows * sizeof(int), cudaMemcpyDeviceToHost);
  unsigned long long check = 0, total = 0;
  for (int r = 0; r < rows; ++r) {
    total += count[r];
    for (int k = 0; k < count[r]; ++k) check = check * 33 + value[start[r] + k];
  }
  std::printf("kept %llu check %016llx\n", total, check);
  cudaFree(dStart);
  cudaFree(dValue);
  cudaFree(dKept);
  cudaFree(dCount);
  return 0;
}
